import { EventEmitter } from "node:events";

/** What of a terminal a screen is drawn on. */
export type TerminalOutput = Pick<NodeJS.WriteStream, "write" | "columns" | "rows" | "isTTY"> & {
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
  readonly writableNeedDrain?: boolean;
  once(event: "drain", listener: () => void): unknown;
};

/** The frame that stands at the end of the screen: how many lines, and the row of the cursor in them. */
export type DrawnFrame = { readonly height: number; readonly cursorRow: number };

/** Printed lines that are kept to print them again when the screen gets narrower. */
const MAX_TAIL = 200;

const CLEAR = "\u001b[2J\u001b[H";
const ALTERNATE = { on: "\u001b[?1049h\u001b[?25l", off: "\u001b[?1049l" } as const;

/**
 * The output that ink draws on. A terminal that gets narrower breaks the lines it shows anew, so that nobody knows any
 * more where the frame begins: then what is visible is printed again. While another screen is in front, ink draws and
 * hears nothing.
 */
export class TerminalScreen extends EventEmitter {
  readonly isTTY = true;
  readonly #output: TerminalOutput;
  /** What was printed last, for when it has to be printed again. */
  readonly #tail: string[] = [];
  #size: { readonly columns: number; readonly rows: number };
  #frame: DrawnFrame = { height: 0, cursorRow: 0 };
  #isAside = false;
  readonly #resized = () => {
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
    if (!this.#isAside) return this.#output.write(text, done);
    done?.();
    return true;
  };

  /** Tells what ink is given to draw. */
  drawn(frame: DrawnFrame, printed: readonly string[]): void {
    this.#frame = frame;
    this.#tail.push(...printed.slice(-MAX_TAIL));
    this.#tail.splice(0, this.#tail.length - MAX_TAIL);
  }

  /** Puts another screen in front: `paint` is all of it, again and again. */
  aside(paint: string): void {
    const begin = this.#isAside ? "" : ALTERNATE.on;
    this.#isAside = true;
    this.#output.write(`${begin}${CLEAR}${paint}`);
  }

  /** Takes it away again; what was there before is as it was. */
  back(): void {
    if (!this.#isAside) return;
    this.#isAside = false;
    this.#output.write(ALTERNATE.off);
    if (this.now.columns !== this.columns || this.now.rows !== this.rows) this.#adapt();
  }

  /** Calls once when the terminal takes more. */
  onceDrained(listener: () => void): void {
    this.#output.once("drain", listener);
  }

  release(): void {
    this.back();
    this.#output.off("resize", this.#resized);
  }

  #adapt(): void {
    const before = this.#size;
    this.#size = sizeOf(this.#output);
    if (this.#size.columns < before.columns) this.#reprint(before);
    this.emit("resize");
  }

  /** What was visible, then empty lines where ink takes its frame to be, with the cursor where it left it. */
  #reprint(before: { readonly rows: number }): void {
    const { height, cursorRow } = this.#frame;
    const visible = this.#tail.slice(-Math.max(1, before.rows - height - 1));
    const text = visible.map((line) => `${line}\r\n`).join("");
    const up = height - cursorRow;
    this.#output.write(`${CLEAR}${text}${"\r\n".repeat(height)}${up > 0 ? `\u001b[${up}A` : ""}`);
  }
}

function sizeOf({ columns, rows }: TerminalOutput): { readonly columns: number; readonly rows: number } {
  // A terminal that does not know its size says 0.
  return { columns: columns || 80, rows: rows || 24 };
}
