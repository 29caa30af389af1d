import type { Session, SessionEvent } from "@turnkit/client";
import { type Line, paintLine } from "../render/line.js";
import { createDecisionNotes } from "../render/permission.js";
import type { Paint } from "../render/style.js";
import { Conversation } from "./conversation.js";
import { createFrameClock } from "./frame-clock.js";
import type { Key } from "./model/key.js";
import { browserLines } from "./panel/browser-lines.js";
import { type Screen, screenOf } from "./panel/screen.js";
import type { TerminalScreen } from "./terminal-screen.js";
import { createTranscript, type Transcript } from "./transcript/transcript.js";

/** Frame that ink draws below the printed lines. */
export type Frame = { readonly text: string; readonly cursor: Screen["cursor"] };

/** Options of a stage. */
export type StageOptions = {
  readonly session: Session;
  /** Name of the agent. */
  readonly agent: string;
  /** Paths inside it are shown relative to it. */
  readonly directory: string;
  readonly history: readonly string[];
  readonly remember: (text: string) => void;
  readonly screen: TerminalScreen;
  readonly paint: Paint;
  readonly quit: () => void;
  /** Called with the error of a failed frame. */
  readonly fail: (error: unknown) => void;
};

/** Milliseconds between two updates of the counted seconds. */
const TICK_MS = 1000;

/** Source of frames from a session and the typed text, at a limited rate. */
export class Stage {
  readonly #options: StageOptions;
  readonly #conversation: Conversation;
  readonly #transcript: Transcript;
  readonly #clock = createFrameClock(() => this.#tryToDraw());
  readonly #listeners = new Set<() => void>();
  readonly #leave: readonly (() => void)[];
  readonly #ticks: NodeJS.Timeout;
  #frame: Frame = { text: "", cursor: undefined };

  constructor(options: StageOptions) {
    this.#options = options;
    const { session, screen, directory } = options;
    const request = (pace?: "soon") => this.#clock.request(pace);
    this.#transcript = createTranscript({ width: () => screen.columns, directory });
    this.#conversation = new Conversation({
      ...options,
      changed: request,
      fault: (message) => this.note(...`✗ ${message}`.split("\n").map((line): Line => [["red", line]])),
    });
    const notes = createDecisionNotes();
    const onEvent = (event: SessionEvent) => {
      const note = notes(event);
      if (note !== undefined) this.note(note);
    };
    const resized = () => request();
    screen.on("resize", resized);
    screen.on("aside-resize", resized);
    this.#leave = [
      session.onEvent(onEvent),
      session.subscribe(() => {
        this.#conversation.advance();
        request();
      }),
      () => screen.off("resize", resized),
      () => screen.off("aside-resize", resized),
    ];
    this.#ticks = setInterval(() => this.#conversation.isWorking && request(), TICK_MS);
    this.#draw();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getFrame = (): Frame => this.#frame;

  press(key: Key): void {
    if (key.name === "ctrl" && key.letter === "l") return this.#options.screen.redraw();
    this.#conversation.press(key, this.#place());
  }

  /** Shows lines of this program. */
  note(...lines: readonly Line[]): void {
    this.#transcript.note(lines);
    this.#clock.request();
  }

  /** Draws a last time: everything for good, without the input panel. */
  end(): void {
    this.#clock.stop();
    clearInterval(this.#ticks);
    for (const leave of this.#leave) leave();
    this.#options.screen.back();
    this.#transcript.end();
    try {
      do this.#show({ lines: [] });
      while (this.#transcript.hasMore);
    } catch {
      // A failure was reported by an earlier frame.
    }
  }

  #tryToDraw(): void {
    try {
      this.#draw();
    } catch (error) {
      this.#options.fail(error);
    }
  }

  #draw(): void {
    const { session, screen, agent, directory } = this.#options;
    const { ui } = this.#conversation;
    if (ui.browser !== undefined) {
      const lines = browserLines(session.state, ui.browser, this.#place());
      screen.aside(lines.map((line) => this.#painted(line)));
      return;
    }
    screen.back();
    // A slow terminal skips frames, and gets the newest one after it has drained.
    if (screen.isBehind) return screen.onceDrained(() => this.#clock.request());
    this.#show(() =>
      screenOf({
        ...{ ui, agent, directory, state: session.state, size: screen },
        live: (without) => this.#transcript.live(without),
        isWorking: this.#conversation.isWorking,
        seconds: this.#conversation.seconds,
      }),
    );
    if (this.#transcript.hasMore) this.#clock.request();
  }

  #show(made: Screen | (() => Screen)): void {
    const { session, screen } = this.#options;
    this.#transcript.update(session.state);
    const fresh = this.#transcript.take().map((line) => this.#painted(line));
    const { lines, cursor } = typeof made === "function" ? made() : made;
    const mark = screen.print(fresh, { height: Math.max(1, lines.length), cursorRow: cursor?.y });
    this.#frame = { text: mark + lines.map((line) => this.#painted(line)).join("\n"), cursor };
    for (const listener of this.#listeners) listener();
  }

  #painted(line: Line): string {
    return paintLine(line, this.#options.paint);
  }

  #place() {
    const { columns, rows } = this.#options.screen.now;
    return { width: columns, rows: Math.max(1, rows - 1), directory: this.#options.directory };
  }
}
