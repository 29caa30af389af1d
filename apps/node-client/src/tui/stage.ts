import { basename } from "node:path";
import { workingChildren } from "../child-sessions.js";
import type { Interrupts } from "../interrupts.js";
import { type Line, paintLine } from "../render/line.js";
import type { Paint } from "../render/style.js";
import type { Actions } from "./actions.js";
import type { AgentLink } from "./agent-link.js";
import type { AskedQuestions } from "./asked-questions.js";
import { type Attention, createAttention } from "./attention.js";
import { Conversation } from "./conversation.js";
import { editInEditor } from "./edit-in-editor.js";
import { FollowedSession } from "./followed-session.js";
import { createFrameClock } from "./frame-clock.js";
import { readBranch } from "./git-branch.js";
import { hyperlink } from "./hyperlink.js";
import { Keyboard } from "./keyboard.js";
import { browserLines } from "./model/browser.js";
import type { Key } from "./model/key.js";
import { commandLines } from "./panel/command-lines.js";
import { restoredText } from "./panel/connection-lines.js";
import { helpLines } from "./panel/help-lines.js";
import { type Screen, type ScreenFacts, screenOf } from "./panel/screen.js";
import { createPromptReaders } from "./prompt-content.js";
import { reflowsLines, TerminalScreen } from "./terminal-screen.js";

export type StageOptions = {
  readonly link: AgentLink;
  /** Starts the agent and opens the first session of the link. An error ends the screen. */
  readonly openFirst: () => Promise<void>;
  readonly asked: AskedQuestions;
  /** Prompts of earlier sessions, oldest first. */
  readonly history: readonly string[];
  readonly remember: (text: string) => void;
  readonly paint: Paint;
  /** `true` if the terminal shows links. Links to files need an agent on this machine. */
  readonly links: boolean;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** Environment of the person's editor and commands. */
  readonly env: NodeJS.ProcessEnv;
  readonly interrupts: Interrupts;
};

/** Time between two updates of the counted seconds, in milliseconds. */
const TICK_MS = 1000;
/**
 * Time after a key during which the terminal's own cursor is in the typed text while the agent works, in milliseconds.
 * Programs that compose characters show them at this cursor.
 */
const TYPING_MS = 2000;
/** Number of ticks between two reads of the branch while the agent is idle. */
const IDLE_TICKS = 5;

/** Screen of the current session and of the typed text. The number of frames per second is limited. */
export class Stage {
  readonly #options: StageOptions;
  readonly #fail: (error: unknown) => void;
  readonly #screen: TerminalScreen;
  readonly #keyboard: Keyboard;
  readonly #shown: FollowedSession;
  readonly #conversation: Conversation;
  readonly #attention: Attention;
  readonly #clock = createFrameClock(() => this.#tryToDraw());
  readonly #ticks: NodeJS.Timeout;
  #branch: string | undefined;
  /** Time of the last key. */
  #pressedAt = 0;
  /** Number of programs that have the terminal. While it is not zero, nothing is drawn. */
  #lent = 0;

  constructor(options: StageOptions, { quit, fail }: { quit: () => void; fail: (error: unknown) => void }) {
    this.#options = options;
    this.#fail = fail;
    const { link, asked, stdout, env, paint, links, history, remember } = options;
    const request = (pace?: "soon") => this.#clock.request(pace);
    // Raw mode starts before the first frame. Otherwise the terminal would collect early input in lines.
    this.#keyboard = new Keyboard({
      ...options,
      press: (key) => this.#press(key),
      cursorIsAt: (row) => this.#screen.cursorIsAt(row),
    });
    this.#screen = new TerminalScreen(stdout, {
      resized: () => request("soon"),
      paint: (line) => paintLine(line, paint, links ? { link: hyperlink } : {}),
      reflows: reflowsLines(env),
    });
    this.#attention = createAttention({ write: (text) => void stdout.write(text), env });
    const noteQuestions = () => void this.#conversation.questions;
    this.#shown = new FollowedSession({
      asked: noteQuestions,
      ...{ link, links, env, width: () => this.#screen.columns, changed: request },
      advanced: () => {
        this.#conversation.advance();
        request();
      },
    });
    this.#conversation = new Conversation({
      ...{ session: () => this.#shown.session, isDead: () => link.death !== undefined, isStarting: () => !link.isOpen },
      ...{ asked, history, remember, changed: request, actions: this.#actions(quit) },
      fault: (message) => this.#shown.note(...`✗ ${message}`.split("\n").map((line): Line => [["red", line]])),
    });
    asked.onChange(() => {
      noteQuestions();
      request();
    });
    link.onChange(() => {
      if (link.death !== undefined) this.#conversation.died(link.mayConnectAgain);
      request();
    });
    let ticks = 0;
    this.#ticks = setInterval(() => {
      ticks += 1;
      if (this.#conversation.isWorking) request();
      if (this.#conversation.isWorking || ticks % IDLE_TICKS === 0) void this.#readBranch();
    }, TICK_MS);
    const opening = this.#conversation.open(async () => {
      await options.openFirst();
      this.#shown.follow(link.session);
    });
    opening.catch(fail);
    this.#tryToDraw();
    void this.#readBranch();
  }

  tell(message: string): void {
    this.#shown.note(...message.split("\n").map((line): Line => [["yellow", line]]));
  }

  /** Gives the terminal to other programs, or to other parts of this program, until `work` settles. */
  lend<T>(work: () => Promise<T>): Promise<T> {
    return this.#away(() => this.#keyboard.lend(work));
  }

  /** Draws the last frame and gives the terminal back. All entries are printed, and the input panel is removed. */
  async end(): Promise<void> {
    this.#clock.stop();
    clearInterval(this.#ticks);
    this.#keyboard.stop();
    this.#finish();
    this.#attention.release();
    this.#screen.release();
    // If the agent did not start, the typed prompts are stored, and the next start of the program offers them.
    if (!this.#options.link.isOpen) for (const text of this.#conversation.unsent) this.#options.remember(text);
    await this.#conversation.end();
  }

  /** Prints the rest of the session. */
  #finish(): void {
    this.#shown.leave();
    this.#screen.back();
    this.#shown.transcript.end();
    try {
      do this.#show(() => ({ lines: [] }));
      while (this.#shown.transcript.hasMore);
    } catch {
      // An earlier frame has already reported the failure.
    }
  }

  #actions(quit: () => void): Actions {
    const { link, env, interrupts } = this.#options;
    return {
      quit,
      open: async (wanted) => {
        await link.open(wanted);
        this.#finish();
        this.#screen.clear();
        this.#shown.replace(link.session);
        void this.#readBranch();
      },
      restart: async () => {
        const { session, restored } = await link.restart();
        this.#finish();
        this.#shown.replace(session, { skip: true });
        if (restored !== undefined) this.tell(restoredText(link.isRemote));
      },
      ...createPromptReaders({ link, env, tell: (message) => this.tell(message) }),
      sessions: (signal) => link.sessions(signal),
      edit: (text) => this.lend(() => editInEditor(text, { env, directory: link.here, signal: interrupts.quit })),
      suspend: () => this.#away(() => this.#keyboard.suspend()),
      help: () => this.#shown.note(...helpLines(this.#shown.session.state, this.#screen.columns)),
      run: async (line) => {
        const { runShellCommand } = await import("./late-parts.js");
        return runShellCommand(line, { env, directory: link.here, changed: () => this.#clock.request() });
      },
      printOutput: (command) => this.#shown.note(...commandLines(command.state, this.#context(), "full")),
    };
  }

  /** Draws nothing until `work` settles. */
  async #away<T>(work: () => Promise<T>): Promise<T> {
    this.#lent += 1;
    this.#screen.leave();
    this.#attention.release();
    try {
      return await work();
    } finally {
      this.#lent -= 1;
      this.#clock.request("soon");
    }
  }

  #press(key: Key): void {
    this.#pressedAt = Date.now();
    if (key.name === "ctrl" && key.letter === "l") {
      this.#screen.redraw();
      return this.#clock.request("soon");
    }
    this.#conversation.press(key, this.#context());
  }

  async #readBranch(): Promise<void> {
    const { link } = this.#options;
    const branch = link.isRemote ? undefined : await readBranch(link.here);
    if (branch === this.#branch) return;
    this.#branch = branch;
    this.#clock.request();
  }

  #tryToDraw(): void {
    try {
      this.#screen.readSize();
      if (this.#lent === 0 && !this.#screen.isSettling) this.#draw();
    } catch (error) {
      this.#fail(error);
    }
  }

  #draw(): void {
    const session = this.#shown.session;
    const { link, asked } = this.#options;
    const { agent, directory, death, cut, isRemote } = link;
    const { ui, isWorking, isOpening, seconds, command } = this.#conversation;
    const screen = this.#screen;
    this.#callPerson();
    if (ui.browser !== undefined) return screen.aside(browserLines(session.state, ui.browser, this.#context()));
    screen.back();
    // On a slow terminal, frames are left out. The newest frame is drawn when the terminal has accepted all output.
    if (screen.isBehind) return screen.onceDrained(() => this.#clock.request());
    const live: ScreenFacts["live"] = (...limits) => this.#shown.transcript.live(...limits);
    const { state } = session;
    const children = workingChildren(session);
    const { questions } = this.#conversation;
    const running = command && commandLines(command.state, this.#context(), "short");
    const facts = { ui, agent, directory, branch: this.#branch, state, questions, children, always: asked.always };
    const isTyping = Date.now() - this.#pressedAt < TYPING_MS;
    const work = { running, death, cut, isRemote, isWorking, isOpening, isStarting: !link.isOpen, seconds, isTyping };
    this.#show((isNew) => screenOf({ ...facts, ...work, size: screen, live, isNew }));
    if (this.#shown.transcript.hasMore) this.#clock.request();
  }

  /** Shows the state in the title of the window, and rings when the program waits. */
  #callPerson(): void {
    const { questions, isWorking } = this.#conversation;
    const { link } = this.#options;
    const name = this.#shown.session.state.title ?? basename(link.directory);
    this.#attention.update({ name, isWorking: isWorking && link.isOpen, questions: questions.length });
  }

  /** Prints the final lines, then draws the other lines. */
  #show(make: (isNew: boolean) => Screen): void {
    this.#shown.transcript.addPrinted(this.#screen.takeScrolled());
    this.#shown.transcript.update(this.#shown.session.state);
    const wasNew = this.#conversation.isNew;
    let frame = make(wasNew);
    this.#conversation.drawn(frame.question);
    if (this.#conversation.isNew !== wasNew) frame = make(!wasNew);
    const { lines, cursor } = frame;
    this.#screen.draw(this.#shown.transcript.take(), { lines, cursor });
  }

  #context() {
    const { columns, rows } = this.#screen;
    return {
      width: columns,
      rows: Math.max(1, rows - 1),
      directory: this.#options.link.directory,
      files: this.#shown.files,
    };
  }
}
