import stringWidth from "string-width";

/** Part of a terminal that a screen draws on. */
type TerminalOutput = Pick<NodeJS.WriteStream, "write" | "columns" | "rows" | "writableNeedDrain"> & {
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
  once(event: "drain", listener: () => void): unknown;
};

/** Lines below the printed ones, drawn anew each time. Without a cursor the terminal's own one is hidden. */
type Frame = {
  readonly lines: readonly string[];
  readonly cursor?: { readonly x: number; readonly y: number } | undefined;
};

/** Maximum number of printed lines that are kept for a new size. */
const MAX_TAIL = 200;

const CLEAR = "\u001b[2J\u001b[H";
const CURSOR = { show: "\u001b[?25h", hide: "\u001b[?25l" } as const;
/** Sequences of terminals that show everything between them at once. */
const SYNCHRONISED = { begin: "\u001b[?2026h", end: "\u001b[?2026l" } as const;
const ALTERNATE = { on: "\u001b[?1049h", off: "\u001b[?1049l" } as const;

/** Screen of printed lines with a frame below them, and an alternate screen that can be put in front. */
export class TerminalScreen {
  readonly #output: TerminalOutput;
  readonly #resized: () => void;
  readonly #tail: string[] = [];
  /** Frame as it was written. */
  #frame = "";
  /** Row of the terminal's cursor in the frame. */
  #row = 0;
  /** `true` if the place of the frame is unknown. */
  #isStale = false;
  #isAside = false;
  #aside = "";
  #awaitsDrain = false;

  /** Takes a terminal, and a function that is called when the screen has to be drawn for a new size. */
  constructor(output: TerminalOutput, resized: () => void) {
    this.#output = output;
    this.#resized = () => {
      this.redraw();
      resized();
    };
    output.on("resize", this.#resized);
  }

  // A terminal of unknown size reports 0.
  get columns(): number {
    return this.#output.columns || 80;
  }

  get rows(): number {
    return this.#output.rows || 24;
  }

  /** Returns whether the terminal has to drain first. The next frame replaces a skipped one. */
  get isBehind(): boolean {
    return this.#output.writableNeedDrain;
  }

  /** Prints lines in place of the old frame, and draws the new one below them. */
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

  /** Draws `lines` on the alternate screen, and puts it in front. */
  aside(lines: readonly string[]): void {
    const paint = `\u001b[H${lines.join("\u001b[K\r\n")}\u001b[K\u001b[J`;
    if (this.#isAside && paint === this.#aside) return;
    this.#write(`${this.#isAside ? "" : ALTERNATE.on}${CURSOR.hide}${paint}`);
    this.#isAside = true;
    this.#aside = paint;
  }

  /** Returns to the main screen. It is unchanged, but for the cursor's visibility. */
  back(): void {
    if (!this.#isAside) return;
    this.#isAside = false;
    this.#frame = "";
    this.#output.write(ALTERNATE.off);
  }

  /**
   * Lets the next frame clear the screen and print the visible lines again: after other output, or a new size. At a new
   * size a terminal wraps its lines again and drops some.
   */
  redraw(): void {
    this.#isStale = true;
    this.#aside = "";
  }

  /** Calls a listener when the terminal has drained; until then further listeners are dropped. */
  onceDrained(listener: () => void): void {
    if (this.#awaitsDrain) return;
    this.#awaitsDrain = true;
    this.#output.once("drain", () => {
      this.#awaitsDrain = false;
      listener();
    });
  }

  /** Gives the terminal back, with an empty line below what is there. */
  release(): void {
    this.back();
    this.#output.off("resize", this.#resized);
    this.#output.write(`\r\n${CURSOR.show}`);
  }

  #write(text: string): void {
    this.#output.write(`${SYNCHRONISED.begin}${text}${SYNCHRONISED.end}`);
  }

  /** Returns the newest lines that fit into `room` rows. Older ones are in the terminal's history. */
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

// A count of 0 would be read as 1.
function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}

function right(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : "";
}
