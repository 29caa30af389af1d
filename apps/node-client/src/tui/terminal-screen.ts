import stringWidth from "string-width";

/** Members of a terminal that a screen needs. */
type TerminalOutput = Pick<NodeJS.WriteStream, "write" | "columns" | "rows" | "writableNeedDrain"> & {
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
  once(event: "drain", listener: () => void): unknown;
};

/**
 * Lines below the printed lines, which are drawn again each time. Without `cursor`, the cursor of the terminal is
 * hidden.
 */
type Frame = {
  readonly lines: readonly string[];
  readonly cursor?: { readonly x: number; readonly y: number } | undefined;
};

/** Maximum number of printed lines that are stored, so that they can be printed again after a change of the size. */
const MAX_TAIL = 200;

const CLEAR = "\u001b[2J\u001b[H";
const CURSOR = { show: "\u001b[?25h", hide: "\u001b[?25l" } as const;
/** Sequences between which the terminal shows all changes at once. */
const SYNCHRONISED = { begin: "\u001b[?2026h", end: "\u001b[?2026l" } as const;
const ALTERNATE = { on: "\u001b[?1049h", off: "\u001b[?1049l" } as const;

/** Screen with printed lines and a frame below them. An alternate screen can cover it. */
export class TerminalScreen {
  readonly #output: TerminalOutput;
  readonly #resized: () => void;
  readonly #tail: string[] = [];
  /** Text of the frame as it was written. */
  #frame = "";
  /** Row of the terminal's cursor, counted from the top of the frame. */
  #row = 0;
  /** `true` if the position of the frame on the terminal is unknown. */
  #isStale = false;
  #isAside = false;
  #aside = "";
  #awaitsDrain = false;

  /** Creates a screen on a terminal. `resized` is called when the terminal has a new size. */
  constructor(output: TerminalOutput, resized: () => void) {
    this.#output = output;
    this.#resized = () => {
      this.redraw();
      resized();
    };
    output.on("resize", this.#resized);
  }

  // A terminal whose size is unknown reports 0.
  get columns(): number {
    return this.#output.columns || 80;
  }

  get rows(): number {
    return this.#output.rows || 24;
  }

  /** `true` while the terminal has not yet taken all output. A frame that is left out is replaced by the next one. */
  get isBehind(): boolean {
    return this.#output.writableNeedDrain;
  }

  /** Prints lines over the old frame, and draws the new frame below them. */
  draw(printed: readonly string[], { lines, cursor }: Frame): void {
    const again = this.#isStale ? this.#visibleTail(this.rows - lines.length) : [];
    this.#tail.push(...printed.slice(-MAX_TAIL));
    this.#tail.splice(0, this.#tail.length - MAX_TAIL);
    const row = cursor?.y ?? Math.max(0, lines.length - 1);
    const place = cursor && `\r${up(lines.length - 1 - row)}${right(cursor.x)}${CURSOR.show}`;
    const frame = `${lines.join("\r\n")}${place ?? ""}`;
    if (printed.length === 0 && frame === this.#frame && !this.#isStale) return;
    const start = this.#isStale ? CLEAR : `\r${up(this.#row)}\u001b[J`;
    this.#write(`${CURSOR.hide}${start}${[...again, ...printed].map((line) => `${line}\r\n`).join("")}${frame}`);
    this.#frame = frame;
    this.#row = row;
    this.#isStale = false;
  }

  /** Draws `lines` on the alternate screen and shows this screen. */
  aside(lines: readonly string[]): void {
    const paint = `\u001b[H${lines.join("\u001b[K\r\n")}\u001b[K\u001b[J`;
    if (this.#isAside && paint === this.#aside) return;
    this.#write(`${this.#isAside ? "" : ALTERNATE.on}${CURSOR.hide}${paint}`);
    this.#isAside = true;
    this.#aside = paint;
  }

  /** Shows the main screen again. Only the visibility of its cursor may have changed. */
  back(): void {
    if (!this.#isAside) return;
    this.#isAside = false;
    this.#frame = "";
    this.#output.write(ALTERNATE.off);
  }

  /** Removes the frame. Another program can print in its place, and the next frame is drawn below. */
  leave(): void {
    this.back();
    this.#output.write(`\r${up(this.#row)}\u001b[J${CURSOR.show}`);
    this.#frame = "";
    this.#row = 0;
  }

  /**
   * Makes the next frame clear the screen and print the visible lines again. Needed after output of other programs and
   * after a change of the size. At a new size, a terminal wraps its lines again and may drop some.
   */
  redraw(): void {
    this.#isStale = true;
    this.#aside = "";
  }

  /** Calls a listener when the terminal has taken all output. Until then, further listeners are dropped. */
  onceDrained(listener: () => void): void {
    if (this.#awaitsDrain) return;
    this.#awaitsDrain = true;
    this.#output.once("drain", () => {
      this.#awaitsDrain = false;
      listener();
    });
  }

  /** Releases the terminal. An empty line follows the shown lines. */
  release(): void {
    this.back();
    this.#output.off("resize", this.#resized);
    this.#output.write(`\r\n${CURSOR.show}`);
  }

  #write(text: string): void {
    this.#output.write(`${SYNCHRONISED.begin}${text}${SYNCHRONISED.end}`);
  }

  /** Returns the newest printed lines that fit into `room` rows. Older lines are in the history of the terminal. */
  #visibleTail(room: number): readonly string[] {
    let rows = 0;
    let first = this.#tail.length;
    while (first > 0 && rows < room) {
      rows += Math.max(1, Math.ceil(stringWidth(this.#tail[first - 1] as string) / this.columns));
      first -= 1;
    }
    return this.#tail.slice(first);
  }
}

// Terminals read a count of 0 as 1.
function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}

function right(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : "";
}
