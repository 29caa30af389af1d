import { EventEmitter } from "node:events";
import stringWidth from "string-width";

/** Part of a terminal that a screen draws on. */
export type TerminalOutput = Pick<NodeJS.WriteStream, "write" | "columns" | "rows" | "isTTY"> & {
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
  readonly writableNeedDrain?: boolean;
  once(event: "drain", listener: () => void): unknown;
};

/** Frame at the end of the screen: number of lines, and the cursor's row if there is one. */
export type DrawnFrame = { readonly height: number; readonly cursorRow: number | undefined };

/** Maximum number of printed lines that are kept for a new size. */
const MAX_TAIL = 200;

/** Marks at the beginning of a frame. The text of an agent holds none: they would be made visible. */
const MARKS = ["\u2061", "\u2062"] as const;
const ANY_MARK = new RegExp(`[${MARKS.join("")}]`);

const CLEAR = "\u001b[2J\u001b[H";
/** Sequences of terminals that show everything between them at once. */
const SYNCHRONISED = { begin: "\u001b[?2026h", end: "\u001b[?2026l" } as const;
const ALTERNATE = { on: "\u001b[?1049h\u001b[?25l", off: "\u001b[?1049l" } as const;

/**
 * Output stream of ink. Printed lines go out in one write with the frame below them, at the mark that begins the frame.
 * Ink's own `Static` would make an object of each character and keep all text. A terminal with a new size wraps its
 * lines again and drops some, so that the place of the frame is unknown: the visible lines are printed again. While the
 * alternate screen is in front, ink's output is dropped.
 */
export class TerminalScreen extends EventEmitter {
  readonly isTTY = true;
  readonly #output: TerminalOutput;
  /** Newest printed lines. */
  readonly #tail: string[] = [];
  #size: { readonly columns: number; readonly rows: number };
  #frame: DrawnFrame = { height: 0, cursorRow: undefined };
  /** Lines that go out with the next frame, above it. */
  #waiting = "";
  #mark = 0;
  #isAside = false;
  /** Text on the alternate screen. */
  #aside = "";
  #awaitsDrain = false;
  #wasResized = false;
  readonly #resized = () => {
    this.#wasResized = true;
    this.#aside = "";
    if (this.#isAside) this.emit("aside-resize");
    else this.#adapt();
  };

  constructor(output: TerminalOutput) {
    super();
    this.#output = output;
    this.#size = sizeOf(output);
    output.on("resize", this.#resized);
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  /** Current size of the terminal, even while the alternate screen is in front. */
  get now(): { readonly columns: number; readonly rows: number } {
    return sizeOf(this.#output);
  }

  /** Returns whether the terminal has to drain first. The next frame replaces a skipped one. */
  get isBehind(): boolean {
    return this.#output.writableNeedDrain === true;
  }

  /** Writes ink's output. */
  readonly write = (text: string, done?: () => void): boolean => {
    if (this.#isAside) {
      done?.();
      return true;
    }
    return this.#output.write(
      text.replace(ANY_MARK, () => this.#takeWaiting()),
      done,
    );
  };

  /**
   * Prints lines above the next frame. Returns the mark that this frame has to begin with. New lines get another mark,
   * so that ink does not skip the frame as unchanged.
   */
  print(lines: readonly string[], frame: DrawnFrame): string {
    this.#frame = frame;
    if (lines.length > 0) {
      this.#waiting += `${lines.join("\r\n")}\r\n`;
      this.#mark = 1 - this.#mark;
      this.#tail.push(...lines.slice(-MAX_TAIL));
      this.#tail.splice(0, this.#tail.length - MAX_TAIL);
    }
    return MARKS[this.#mark] as string;
  }

  /** Draws `lines` on the alternate screen, and puts it in front. */
  aside(lines: readonly string[]): void {
    const paint = `\u001b[H${lines.join("\u001b[K\r\n")}\u001b[K\u001b[J`;
    if (this.#isAside && paint === this.#aside) return;
    const begin = this.#isAside ? "" : ALTERNATE.on;
    this.#isAside = true;
    this.#aside = paint;
    this.#output.write(`${SYNCHRONISED.begin}${begin}${paint}${SYNCHRONISED.end}`);
  }

  /** Returns to the main screen, which is unchanged. */
  back(): void {
    if (!this.#isAside) return;
    this.#isAside = false;
    this.#output.write(ALTERNATE.off);
    if (this.#wasResized) this.#adapt();
  }

  /** Draws the visible lines again, after other output on the terminal. */
  redraw(): void {
    if (!this.#isAside) this.#adapt();
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

  release(): void {
    this.back();
    this.#output.off("resize", this.#resized);
  }

  #takeWaiting(): string {
    const waiting = this.#waiting;
    this.#waiting = "";
    return waiting;
  }

  /**
   * Prints the visible lines again, then empty lines at the place of ink's frame, and restores the cursor. The next
   * frame gets another mark, so that ink draws it.
   */
  #adapt(): void {
    this.#wasResized = false;
    this.#size = sizeOf(this.#output);
    const { height, cursorRow = height } = this.#frame;
    const text = this.#visibleTail(this.rows - height).map((line) => `${line}\r\n`);
    const up = height - cursorRow;
    this.#output.write(`${CLEAR}${text.join("")}${"\r\n".repeat(height)}${up > 0 ? `\u001b[${up}A` : ""}`);
    this.#mark = 1 - this.#mark;
    this.emit("resize");
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

function sizeOf({ columns, rows }: TerminalOutput): { readonly columns: number; readonly rows: number } {
  // A terminal of unknown size reports 0.
  return { columns: columns || 80, rows: rows || 24 };
}
