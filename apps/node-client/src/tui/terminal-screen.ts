import { EventEmitter } from "node:events";
import stringWidth from "string-width";

/** What of a terminal a screen is drawn on. */
export type TerminalOutput = Pick<NodeJS.WriteStream, "write" | "columns" | "rows" | "isTTY"> & {
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
  readonly writableNeedDrain?: boolean;
  once(event: "drain", listener: () => void): unknown;
};

/** The frame at the end of the screen: how many lines, and the row of the cursor in them, if there is one. */
export type DrawnFrame = { readonly height: number; readonly cursorRow: number | undefined };

/** Printed lines that are kept to print them again when the screen gets narrower. */
const MAX_TAIL = 200;

/** Marks the beginning of a frame. No text of an agent holds them: they would be made visible. */
const MARKS = ["\u2061", "\u2062"] as const;
const ANY_MARK = new RegExp(`[${MARKS.join("")}]`);

const CLEAR = "\u001b[2J\u001b[H";
/** Terminals that know these marks show what is between them at once. */
const SYNCHRONISED = { begin: "\u001b[?2026h", end: "\u001b[?2026l" } as const;
const ALTERNATE = { on: "\u001b[?1049h\u001b[?25l", off: "\u001b[?1049l" } as const;

/**
 * The output that ink draws on. What is printed for good goes out in one write with the frame below it, at the mark that
 * the frame begins with: ink's own `Static` would make an object of each of its characters and keep all of its text.
 *
 * A terminal whose size changes breaks the lines that it shows anew and drops some, so that nobody knows any more where
 * the frame begins: then what is visible is printed again. While another screen is in front, ink draws and hears nothing.
 */
export class TerminalScreen extends EventEmitter {
  readonly isTTY = true;
  readonly #output: TerminalOutput;
  /** What was printed last, for when it has to be printed again. */
  readonly #tail: string[] = [];
  #size: { readonly columns: number; readonly rows: number };
  #frame: DrawnFrame = { height: 0, cursorRow: undefined };
  /** Lines for good that go out with the next frame, above it. */
  #waiting = "";
  #mark = 0;
  #isAside = false;
  /** What the other screen shows. */
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

  /** The size of the terminal now, also while another screen is in front. */
  get now(): { readonly columns: number; readonly rows: number } {
    return sizeOf(this.#output);
  }

  /** The terminal does not take more for now: a frame that is left out is drawn with the next one. */
  get isBehind(): boolean {
    return this.#output.writableNeedDrain === true;
  }

  /** Ink and its cursor helper write here. */
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
   * Prints lines for good, above the frame that follows. Answers with what that frame has to begin with, which is another
   * mark than before where there is something to print, so that ink does not take the frame for the one it drew.
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

  /** Puts another screen in front, or draws the one that is there: `lines` are all of it. */
  aside(lines: readonly string[]): void {
    const paint = `\u001b[H${lines.join("\u001b[K\r\n")}\u001b[K\u001b[J`;
    if (this.#isAside && paint === this.#aside) return;
    const begin = this.#isAside ? "" : ALTERNATE.on;
    this.#isAside = true;
    this.#aside = paint;
    this.#output.write(`${SYNCHRONISED.begin}${begin}${paint}${SYNCHRONISED.end}`);
  }

  /** Takes it away again; what was there before is as it was. */
  back(): void {
    if (!this.#isAside) return;
    this.#isAside = false;
    this.#output.write(ALTERNATE.off);
    if (this.#wasResized) this.#adapt();
  }

  /** Draws anew what is visible, after something else wrote on the terminal. */
  redraw(): void {
    if (!this.#isAside) this.#adapt();
  }

  /** Calls when the terminal takes more; until then further listeners are not kept. */
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
   * What is visible is printed again, then empty lines where ink takes its frame to be, with the cursor where it left it.
   * The next frame has another mark, so that ink draws it in any case.
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

  /** The newest lines that have room in so many rows: those before them went to the terminal's history by themselves. */
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
  // A terminal that does not know its size says 0.
  return { columns: columns || 80, rows: rows || 24 };
}
