import { EventEmitter } from "node:events";
import xterm from "@xterm/headless";
import { vi } from "vitest";

/**
 * Terminal that wraps its lines again at a new width, and answers questions for the row of its cursor. It needs fake timers.
 */
export class ReflowingTerminal extends EventEmitter {
  readonly writableNeedDrain = false;
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #answers: string[] = [];
  #unread = 0;

  constructor(
    public columns: number,
    public rows: number,
  ) {
    super();
    this.#terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
    this.#terminal.onData((data) => this.#answers.push(data));
  }

  write(text: string): boolean {
    this.#unread += 1;
    this.#terminal.write(text, () => {
      this.#unread -= 1;
    });
    return true;
  }

  /** Lets the terminal read all output, and returns its answers. */
  answers(): readonly string[] {
    while (this.#unread > 0) vi.advanceTimersByTime(1);
    return this.#answers.splice(0);
  }

  resize(columns: number, rows: number): void {
    this.answers();
    this.#terminal.resize(columns, rows);
    Object.assign(this, { columns, rows });
    this.emit("resize");
  }

  lines(): readonly string[] {
    this.answers();
    const { active } = this.#terminal.buffer;
    return Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? "");
  }
}
