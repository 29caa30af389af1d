import type { CloseReason, Session, SessionEvent } from "@turnkit/client";
import { childLine, followChildren, withChildQuestions, workingChildren } from "../child-sessions.js";
import { type Interrupts, whenAborted } from "../interrupts.js";
import { type Line, paintLine } from "../render/line.js";
import { createDecisionNotes } from "../render/permission.js";
import type { Paint } from "../render/style.js";
import { Conversation } from "./conversation.js";
import { createFrameClock } from "./frame-clock.js";
import { readBranch } from "./git-branch.js";
import { browserLines } from "./model/browser.js";
import { createKeyReader, type Key, pasteMode } from "./model/key.js";
import { type Screen, screenOf } from "./panel/screen.js";
import { TerminalScreen } from "./terminal-screen.js";
import { Transcript } from "./transcript/transcript.js";

export type ScreenOptions = {
  readonly session: Session;
  readonly agent: string;
  /** Directory of the session. Paths inside it are shown relative to it. */
  readonly directory: string;
  /** Prompts of earlier sessions, oldest first. */
  readonly history: readonly string[];
  readonly remember: (text: string) => void;
  readonly paint: Paint;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly interrupts: Interrupts;
  /** Resolves when the agent ends. */
  readonly closed: Promise<CloseReason>;
  /** Called once. Its parameter is a function that shows a note on the screen. */
  readonly onNote: (note: (message: string) => void) => void;
};

/**
 * Shows a session until the person quits, the agent ends or the program is interrupted. At the end, the terminal is
 * restored. Its history contains the conversation.
 *
 * @throws the error of a frame that could not be drawn, after the terminal is restored
 */
export async function runScreen(options: ScreenOptions): Promise<"quit" | "agent gone"> {
  const { stdin, stdout, interrupts, closed, onNote } = options;
  let finish: (end: "quit" | "agent gone") => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<"quit" | "agent gone">((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  // Raw mode starts before the first frame. Otherwise the terminal would collect early input in lines.
  stdin.setRawMode(true);
  stdout.write(pasteMode.on);
  const stage = new Stage(options, { quit: () => finish("quit"), fail });
  onNote((message) => stage.note([["yellow", message]]));
  const reader = createKeyReader((key) => stage.press(key));
  stdin.setEncoding("utf8").on("data", reader.read);
  const forget = whenAborted(interrupts.cancel, () => finish("quit"));
  void closed.then(() => finish("agent gone"));
  try {
    return await ended;
  } finally {
    forget();
    reader.stop();
    stdin.off("data", reader.read).pause().setRawMode(false);
    stage.end();
    stdout.write(pasteMode.off);
  }
}

/** Time between two updates of the counted seconds, in milliseconds. */
const TICK_MS = 1000;
/** Number of ticks between two reads of the branch while the agent is idle. */
const IDLE_TICKS = 5;

/** Screen of a session and of the typed text. The number of frames per second is limited. */
class Stage {
  readonly #options: ScreenOptions;
  readonly #fail: (error: unknown) => void;
  readonly #screen: TerminalScreen;
  readonly #conversation: Conversation;
  readonly #transcript: Transcript;
  readonly #clock = createFrameClock(() => this.#tryToDraw());
  readonly #leave: readonly (() => void)[];
  readonly #ticks: NodeJS.Timeout;
  #branch: string | undefined;

  constructor(options: ScreenOptions, { quit, fail }: { quit: () => void; fail: (error: unknown) => void }) {
    this.#options = options;
    this.#fail = fail;
    const { session, directory, stdout, history, remember } = options;
    const request = (pace?: "soon") => this.#clock.request(pace);
    this.#screen = new TerminalScreen(stdout, () => request("soon"));
    this.#transcript = new Transcript({ width: () => this.#screen.columns, directory });
    this.#conversation = new Conversation({
      ...{ session, history, remember, quit, changed: request },
      fault: (message) => this.note(...`✗ ${message}`.split("\n").map((line): Line => [["red", line]])),
    });
    const notes = createDecisionNotes();
    const onEvent = (event: SessionEvent) => {
      const note = notes(event);
      if (note !== undefined) this.note(note);
    };
    this.#leave = [
      session.onEvent(onEvent),
      session.subscribe(() => {
        this.#conversation.advance();
        request();
      }),
    ];
    followChildren(session, (event, child) => {
      const line = childLine(event, child);
      if (line !== undefined) this.note([["dim", line]]);
      request();
    });
    let ticks = 0;
    this.#ticks = setInterval(() => {
      ticks += 1;
      if (this.#conversation.isWorking) request();
      if (this.#conversation.isWorking || ticks % IDLE_TICKS === 0) void this.#readBranch();
    }, TICK_MS);
    this.#tryToDraw();
    void this.#readBranch();
  }

  press(key: Key): void {
    if (key.name === "ctrl" && key.letter === "l") {
      this.#screen.redraw();
      return this.#clock.request("soon");
    }
    this.#conversation.press(key, this.#context());
  }

  /** Shows lines with a message of this program. */
  note(...lines: readonly Line[]): void {
    this.#transcript.note(lines);
    this.#clock.request();
  }

  /** Draws the last frame. All entries are printed, and the input panel is removed. */
  end(): void {
    this.#clock.stop();
    clearInterval(this.#ticks);
    for (const leave of this.#leave) leave();
    this.#screen.back();
    this.#transcript.end();
    try {
      do this.#show(() => ({ lines: [] }));
      while (this.#transcript.hasMore);
    } catch {
      // An earlier frame has already reported the failure.
    }
    this.#screen.release();
  }

  async #readBranch(): Promise<void> {
    const branch = await readBranch(this.#options.directory);
    if (branch === this.#branch) return;
    this.#branch = branch;
    this.#clock.request();
  }

  #tryToDraw(): void {
    try {
      this.#draw();
    } catch (error) {
      this.#fail(error);
    }
  }

  #draw(): void {
    const { session, agent, directory } = this.#options;
    const { ui, isWorking, seconds } = this.#conversation;
    const screen = this.#screen;
    if (ui.browser !== undefined) {
      const lines = browserLines(session.state, ui.browser, this.#context());
      screen.aside(lines.map((line) => this.#painted(line)));
      return;
    }
    screen.back();
    // On a slow terminal, frames are left out. The newest frame is drawn when the terminal has taken all output.
    if (screen.isBehind) return screen.onceDrained(() => this.#clock.request());
    const live = (without?: string) => this.#transcript.live(without);
    const children = workingChildren(session);
    const state = withChildQuestions(session);
    const facts = { ui, agent, directory, branch: this.#branch, state, children };
    this.#show(() => screenOf({ ...facts, size: screen, live, isWorking, seconds }));
    if (this.#transcript.hasMore) this.#clock.request();
  }

  /** Prints the final lines, then draws the other lines. */
  #show(make: () => Screen): void {
    this.#transcript.update(this.#options.session.state);
    const printed = this.#transcript.take().map((line) => this.#painted(line));
    const { lines, cursor } = make();
    this.#screen.draw(printed, { lines: lines.map((line) => this.#painted(line)), cursor });
  }

  #painted(line: Line): string {
    return paintLine(line, this.#options.paint);
  }

  #context() {
    const { columns, rows } = this.#screen;
    return { width: columns, rows: Math.max(1, rows - 1), directory: this.#options.directory };
  }
}
