import type { SessionEvent } from "@turnkit/client";
import { createBackgroundNotes } from "../background-commands.js";
import { childLine, followChildren } from "../child-sessions.js";
import { createFileLinks, type FileLinks } from "../render/file-links.js";
import type { Line } from "../render/line.js";
import { createDecisionNotes } from "../render/permission.js";
import type { AgentLink } from "./agent-link.js";
import { Transcript } from "./transcript/transcript.js";
import { createUnopenedSession, type ShownSession } from "./unopened-session.js";

export type FollowedSessionOptions = {
  readonly link: AgentLink;
  readonly links: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly width: () => number;
  /** Called after each change of the session's state. */
  readonly advanced: () => void;
  /** Called after each question of the session or of a child session. */
  readonly asked: () => void;
  /** Called after each other change of the screen. */
  readonly changed: () => void;
};

/** Session on the screen, and the transcript with its entries and its notes. Another session can replace both. */
export class FollowedSession {
  readonly #options: FollowedSessionOptions;
  #session: ShownSession;
  #transcript: Transcript;
  #files: FileLinks | undefined;
  #leave: readonly (() => void)[] = [];

  constructor(options: FollowedSessionOptions) {
    this.#options = options;
    this.#session = createUnopenedSession(options.link.directory);
    this.#transcript = this.#createTranscript();
  }

  get session(): ShownSession {
    return this.#session;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** Links to the files of this machine; `undefined` if nothing is linked. */
  get files(): FileLinks | undefined {
    return this.#files;
  }

  /** Adds lines of this program to the transcript. */
  note(...lines: readonly Line[]): void {
    this.#transcript.note(lines);
    this.#options.changed();
  }

  /** Shows the first session of the agent, after the notes of its start. */
  follow(session: ShownSession): void {
    const { advanced, asked, changed } = this.#options;
    this.#session = session;
    const notes = createDecisionNotes();
    const onEvent = (event: SessionEvent) => {
      if (isQuestion(event)) asked();
      const note = notes(event);
      if (note !== undefined) this.note(note);
    };
    const ended = createBackgroundNotes();
    const onChange = () => {
      for (const text of ended(session.state)) this.note([["dim", text]]);
      advanced();
    };
    ended(session.state);
    this.#leave = [session.onEvent(onEvent), session.subscribe(onChange)];
    followChildren(session, (event, child) => {
      if (isQuestion(event)) asked();
      const line = childLine(event, child);
      if (line !== undefined && session === this.#session) this.note([["dim", line]]);
      changed();
    });
  }

  /** Removes the listeners of the session. The transcript stays, so that its last lines can be printed. */
  leave(): void {
    for (const leave of this.#leave) leave();
  }

  /**
   * Shows another session in an empty transcript. With `skip`, the entries of the session are already on the screen.
   */
  replace(session: ShownSession, { skip = false } = {}): void {
    const { lastTurn } = this.#session.state;
    this.#transcript = this.#createTranscript();
    if (skip) this.#transcript.skip(session.state, lastTurn);
    this.follow(session);
  }

  #createTranscript(): Transcript {
    const { link, links, env, width } = this.#options;
    const { directory } = link;
    this.#files = links && !link.isRemote ? createFileLinks({ directory, env }) : undefined;
    return new Transcript({ width, directory, files: this.#files });
  }
}

function isQuestion({ type }: SessionEvent): boolean {
  return type === "permission_asked" || type === "elicitation_asked";
}
