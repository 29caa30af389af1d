import type { Line } from "../render/line.js";
import { lineWidth, wrap } from "../render/wrap.js";

type TerminalOutput = Pick<NodeJS.WriteStream, "write" | "columns" | "rows" | "writableNeedDrain"> & {
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
  once(event: "drain", listener: () => void): unknown;
  /** Asks the system for the size, and emits `resize` for a new one. Node itself does so only after a signal. */
  _refreshSize?(): void;
};

export type TerminalScreenOptions = {
  /** Called when the terminal has a new size, after the last of several changes. */
  readonly resized: () => void;
  /** Returns a line as text that is safe for the terminal. */
  readonly paint: (line: Line) => string;
  /** `true` if the terminal wraps its lines again at a new width. */
  readonly reflows: boolean;
};

/**
 * Lines below the printed lines, which are drawn again each time. Without `cursor`, the cursor of the terminal is
 * hidden.
 */
type Frame = {
  readonly lines: readonly Line[];
  readonly cursor?: { readonly x: number; readonly y: number } | undefined;
};

/** Maximum number of printed lines that are stored, so that they can be printed again after Ctrl-L. */
const MAX_TAIL = 200;

/** Time without a further change of the size after which the screen is drawn, in milliseconds. */
const SETTLE_MS = 50;

/** Time to wait for the row of the cursor, in milliseconds. Some terminals do not report it. */
const ANSWER_MS = 250;

/** Asks the terminal for the row of its cursor. */
const ASK_ROW = "\u001b[6n";

/**
 * Clears the visible part of the screen. Many terminals move the visible part into their history when they get the
 * shorter sequence for this.
 */
const CLEAR = "\u001b[H\u001b[J";
const CURSOR = { show: "\u001b[?25h", hide: "\u001b[?25l" } as const;
/** Sequences between which the terminal shows all changes together. */
const SYNCHRONISED = { begin: "\u001b[?2026h", end: "\u001b[?2026l" } as const;
const ALTERNATE = { on: "\u001b[?1049h", off: "\u001b[?1049l" } as const;

/** Returns `false` for terminals that cut their lines at a new width, and do not wrap them again. */
export function reflowsLines({ TERM, TMUX, STY, XTERM_VERSION }: NodeJS.ProcessEnv): boolean {
  return TMUX !== undefined || (TERM !== "linux" && STY === undefined && XTERM_VERSION === undefined);
}

/**
 * Screen with printed lines and a frame below them. An alternate screen can cover it.
 *
 * At a new width, the terminal wraps all lines again, and the rows of the frame move. The screen computes the number of
 * rows between the frame's first line and the cursor. It then replaces the frame only, so that the history contains each
 * printed line once. The terminal also moves rows of the frame into the history, and these rows count as printed. Each
 * terminal has its own rule for their number, so the screen asks the terminal for the row of the cursor.
 */
export class TerminalScreen {
  readonly #output: TerminalOutput;
  readonly #options: TerminalScreenOptions;
  readonly #tail: Line[] = [];
  /** Text of the frame as it was written. */
  #frame = "";
  /** Lines of the frame above the terminal's cursor. */
  #above: readonly Line[] = [];
  /** `true` if the position of the frame on the terminal is unknown. */
  #isStale = false;
  #isAside = false;
  #aside = "";
  #awaitsDrain = false;
  #settling: NodeJS.Timeout | undefined;
  /** Number of questions for the row of the cursor that the terminal has not answered. */
  #unanswered = 0;
  #isAsking = false;
  /** Number of rows above the cursor after a new size, as the terminal reported it. */
  #rowsAbove: number | undefined;

  constructor(output: TerminalOutput, options: TerminalScreenOptions) {
    this.#output = output;
    this.#options = options;
    output.on("resize", this.#resized);
  }

  // A terminal whose size is unknown reports 0.
  get columns(): number {
    return this.#output.columns || 80;
  }

  get rows(): number {
    return this.#output.rows || 24;
  }

  /** `true` while the terminal has not accepted all output. The next frame replaces a frame that was left out. */
  get isBehind(): boolean {
    return this.#output.writableNeedDrain;
  }

  /** `true` while the size of the terminal changes. A frame that is drawn during this time could be at a wrong row. */
  get isSettling(): boolean {
    return this.#settling !== undefined;
  }

  /**
   * Reads the size of the terminal. On a busy machine, the signal for a new size comes late, and a frame for the old size
   * would be at a wrong row.
   */
  readSize(): void {
    this.#output._refreshSize?.();
  }

  /** Takes the terminal's answer to the question for the row of the cursor. The first row is 1. */
  cursorIsAt(row: number): void {
    if (this.#unanswered === 0) return;
    this.#unanswered -= 1;
    if (!this.#isAsking) return;
    this.#rowsAbove = row - 1;
    if (this.#unanswered > 0) return;
    clearTimeout(this.#settling);
    this.#settled();
  }

  /**
   * Returns the rows of the frame that the terminal has moved into its history at a new size. They cannot be erased, so
   * the next frame must not have them again. If the terminal has not reported the row of its cursor, it may have moved
   * more rows.
   */
  takeScrolled(): readonly Line[] {
    const { columns } = this;
    const { reflows } = this.#options;
    const visible = this.#rowsAbove ?? (reflows ? this.rows - 1 : Number.POSITIVE_INFINITY);
    this.#rowsAbove = undefined;
    if (this.#isStale) return [];
    const rows = this.#above.flatMap((line) =>
      reflows && line.length > 0 ? wrap(line, columns, { at: "width" }) : [line],
    );
    const count = Math.max(0, rows.length - visible);
    if (count > 0) this.#above = rows.slice(count);
    return rows.slice(0, count);
  }

  /** Prints lines over the old frame, and draws the new frame below them. */
  draw(printed: readonly Line[], { lines, cursor }: Frame): void {
    const { paint } = this.#options;
    const again = this.#isStale ? this.#visibleTail(this.rows - lines.length) : [];
    this.#tail.push(...printed.slice(-MAX_TAIL));
    this.#tail.splice(0, this.#tail.length - MAX_TAIL);
    const row = cursor?.y ?? Math.max(0, lines.length - 1);
    // A hidden cursor is moved to the start of its line, because a new width does not change the row of a cursor at the
    // start of a line.
    const place = cursor ? `\r${up(lines.length - 1 - row)}${right(cursor.x)}${CURSOR.show}` : "\r";
    const frame = `${lines.map(paint).join("\r\n")}${place}`;
    if (printed.length === 0 && frame === this.#frame && !this.#isStale) return;
    const start = this.#isStale ? CLEAR : this.#toTop();
    const text = [...again, ...printed].map((line) => `${paint(line)}\r\n`).join("");
    this.#write(`${CURSOR.hide}${start}${text}${frame}`);
    this.#frame = frame;
    this.#above = lines.slice(0, row);
    this.#isStale = false;
  }

  /** Draws `lines` on the alternate screen and shows this screen. */
  aside(lines: readonly Line[]): void {
    const text = `\u001b[H${lines.map(this.#options.paint).join("\u001b[K\r\n")}\u001b[K\u001b[J`;
    if (this.#isAside && text === this.#aside) return;
    this.#write(`${this.#isAside ? "" : ALTERNATE.on}${CURSOR.hide}${text}`);
    this.#isAside = true;
    this.#aside = text;
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
    this.#output.write(`${this.#toTop()}${CURSOR.show}`);
    this.#frame = "";
    this.#above = [];
  }

  /** Moves all lines to the history of the terminal. The next frame begins at the top of an empty screen. */
  clear(): void {
    this.leave();
    this.#output.write(`${"\n".repeat(this.rows - 1)}\u001b[H`);
    this.#tail.splice(0);
  }

  /** Makes the next frame clear the screen and print the visible lines again. Needed after output of other programs. */
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
    clearTimeout(this.#settling);
    this.#output.write(`\r\n${CURSOR.show}`);
  }

  /** Handles a new size. While a person drags the border of a window, the size changes many times. */
  readonly #resized = (): void => {
    // The rows of the main screen are unknown after a change while the other screen covered it.
    if (this.#isAside) this.redraw();
    this.#frame = "";
    this.#isAsking = false;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(this.#ask, SETTLE_MS);
  };

  readonly #ask = (): void => {
    // Without rows above the cursor, no row of the frame can be in the history. Another program may have the terminal.
    if (this.#above.length === 0 || this.#isStale) return this.#settled();
    this.#isAsking = true;
    this.#unanswered += 1;
    this.#rowsAbove = undefined;
    this.#settling = setTimeout(this.#giveUp, ANSWER_MS);
    this.#output.write(ASK_ROW);
  };

  /** Stops waiting. If an earlier question was never answered, the last answer belongs to the last question. */
  readonly #giveUp = (): void => {
    if (this.#rowsAbove !== undefined) this.#unanswered = 0;
    this.#settled();
  };

  readonly #settled = (): void => {
    this.#isAsking = false;
    this.#settling = undefined;
    this.#options.resized();
  };

  #write(text: string): void {
    this.#output.write(`${SYNCHRONISED.begin}${text}${SYNCHRONISED.end}`);
  }

  /** Returns the sequence that moves the cursor to the first line of the frame and erases the frame. */
  #toTop(): string {
    const { columns } = this;
    const rowsOf = (line: Line) => (this.#options.reflows ? rowCount(line, columns) : 1);
    return `\r${up(this.#above.reduce((sum, line) => sum + rowsOf(line), 0))}\u001b[J`;
  }

  /**
   * Returns the newest printed lines that fit into `room` rows. If the first line does not fit completely, only its
   * last rows are returned.
   */
  #visibleTail(room: number): readonly Line[] {
    const { columns } = this;
    const rows: Line[] = [];
    for (let at = this.#tail.length - 1; at >= 0 && rows.length < room; at -= 1) {
      rows.unshift(...wrap(this.#tail[at] as Line, columns, { at: "width" }));
    }
    return rows.slice(Math.max(0, rows.length - room));
  }
}

function rowCount(line: Line, columns: number): number {
  return lineWidth(line) <= columns ? 1 : wrap(line, columns, { at: "width" }).length;
}

// Terminals read a count of 0 as 1.
function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}

function right(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : "";
}
