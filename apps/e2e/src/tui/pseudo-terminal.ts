import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

/** Settings of a program in a terminal. */
export type PseudoTerminalOptions = {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** 80 × 24 unless given. */
  readonly columns?: number;
  readonly rows?: number;
  /** Variables that are added to an environment without settings of colours and of CI. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Time after which a wait fails, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Marks of a synchronised update. */
const FRAME = { begin: "\u001b[?2026h", end: "\u001b[?2026l" } as const;

type Wait = { readonly look: () => boolean; readonly settle: () => void };

/** A program in a real pseudo-terminal, and the screen that a person would see of it. */
export class PseudoTerminal implements AsyncDisposable {
  /** The emulated terminal. Its buffer contains colours, and the lines that have scrolled off the screen. */
  readonly terminal: xterm.Terminal;
  /** Settles with the program's exit code, when the screen shows all of its output. */
  readonly exited: Promise<number>;
  readonly #pty: IPty;
  readonly #waits = new Set<Wait>();
  /** The home folder of the program. It is empty at the start, and is removed with the terminal. */
  readonly home: string;
  #isOver = false;
  #isDrawing = false;
  #end = "";
  /** Characters that the program has written, and frames. */
  written = 0;
  frames = 0;
  /** Number of times that the whole screen was cleared. */
  clears = 0;
  /** Titles of the window, the newest last. */
  readonly titles: string[] = [];
  /** Addresses of links (OSC 8), in the order in which they were drawn. */
  readonly links: string[] = [];
  /** Number of times that the bell rang. */
  bells = 0;

  private constructor(options: PseudoTerminalOptions, home: string) {
    const { command, cwd, columns = 80, rows = 24, env } = options;
    this.home = home;
    this.terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true });
    const [program, ...args] = command;
    this.#pty = spawn(program, args, {
      ...{ name: "xterm-256color", cols: columns, rows, cwd },
      env: { ...plainEnvironment(home), ...env },
    });
    this.#pty.onData((data) => {
      this.written += data.length;
      const isWhole = this.#isWholeFrame(data);
      this.terminal.write(data, () => isWhole && this.#look());
    });
    this.terminal.onTitleChange((title) => this.titles.push(title));
    this.terminal.parser.registerOscHandler(8, (data) => {
      const address = data.slice(data.indexOf(";") + 1);
      if (address !== "") this.links.push(address);
      return false;
    });
    this.terminal.onBell(() => {
      this.bells += 1;
    });
    // The terminal answers queries of the program, for example for the position of the cursor.
    this.terminal.onData((data) => this.#pty.write(data));
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        this.#isOver = true;
        this.terminal.write("", () => {
          this.#look();
          resolve(exitCode);
        });
      });
    });
  }

  /** Starts the program with an empty home folder. */
  static async open(options: PseudoTerminalOptions): Promise<PseudoTerminal> {
    return new PseudoTerminal(options, await realpath(await mkdtemp(join(tmpdir(), "turnkit-tui-"))));
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Returns the visible lines, without blanks at their ends. */
  screen(): readonly string[] {
    const { viewportY } = this.terminal.buffer.active;
    return this.#lines(viewportY, viewportY + this.terminal.rows);
  }

  /** Returns all lines, including those that have scrolled off the screen. */
  transcript(): string {
    return this.#lines(0, this.terminal.buffer.active.length).join("\n").trimEnd();
  }

  /** Types text, or keys by their sequences. */
  type(text: string): void {
    this.#pty.write(text);
  }

  /** Closes the terminal, as closing its window does. */
  hangUp(): void {
    this.#pty.kill("SIGHUP");
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** Waits until the visible lines match. They are compared after each output of the program. */
  async until(what: RegExp | ((screen: string) => boolean), patienceMs = PATIENCE_MS): Promise<string> {
    const fits = typeof what === "function" ? what : (screen: string) => what.test(screen);
    const look = () => fits(this.screen().join("\n"));
    if (!look()) await this.#wait(look, what, patienceMs);
    return this.screen().join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver) this.#pty.kill("SIGKILL");
    await this.exited;
    this.terminal.dispose();
    // The removal is repeated, because an agent still writes its log for a moment after its client was killed.
    await rm(this.home, { recursive: true, force: true, maxRetries: 10 });
  }

  #wait(look: () => boolean, what: unknown, patienceMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = () => {
        this.#waits.delete(wait);
        const state = this.#isOver ? "The program has ended" : `${patienceMs / 1000} s passed`;
        reject(new Error(`${state} before the screen showed ${what}:\n${this.screen().join("\n")}`));
      };
      const timer = setTimeout(fail, patienceMs);
      const wait: Wait = {
        look: () => look() || this.#isOver,
        settle: () => {
          clearTimeout(timer);
          if (look()) resolve();
          else fail();
        },
      };
      this.#waits.add(wait);
    });
  }

  /** Returns true if no frame is half drawn after this data. Programs mark the beginning and the end of each frame. */
  #isWholeFrame(data: string): boolean {
    const known = this.#end + data;
    this.#end = known.slice(-FRAME.end.length);
    const [begin, end] = [known.lastIndexOf(FRAME.begin), known.lastIndexOf(FRAME.end)];
    this.frames += data.split(FRAME.begin).length - 1;
    this.clears += data.split("\u001b[2J").length - 1;
    if (begin >= 0 || end >= 0) this.#isDrawing = begin > end;
    return !this.#isDrawing;
  }

  #look(): void {
    for (const wait of [...this.#waits]) {
      if (!wait.look()) continue;
      this.#waits.delete(wait);
      wait.settle();
    }
  }

  #lines(from: number, to: number): readonly string[] {
    const lines: string[] = [];
    for (let y = from; y < to; y += 1) {
      lines.push(this.terminal.buffer.active.getLine(y)?.translateToString(true).trimEnd() ?? "");
    }
    return lines;
  }
}

function plainEnvironment(home: string): Record<string, string> {
  const { PATH = "" } = process.env;
  return { PATH, HOME: home, LANG: "C.UTF-8", TERM: "xterm-256color" };
}

/** Sequences of keys. */
export const keys = {
  enter: "\r",
  escape: "\u001b",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  tab: "\t",
  shiftTab: "\u001b[Z",
  pageUp: "\u001b[5~",
  pageDown: "\u001b[6~",
  home: "\u001b[H",
  ctrlC: "\u0003",
  ctrlG: "\u0007",
  ctrlN: "\u000e",
  ctrlO: "\u000f",
  ctrlR: "\u0012",
  ctrlZ: "\u001a",
} as const;
