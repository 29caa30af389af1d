import {
  type ContentBlock,
  DEFAULT_PLAN_ID,
  type ElicitationAnswer,
  type ElicitationQuestion,
  type MessageRole,
  type Meta,
  type PermissionQuestion,
  type PlanEntry,
  type WireEvent,
} from "@turnkit/session";
import { type Calls, jsonCopy } from "@turnkit/session/codec";
import type { Room } from "@turnkit/transport";
import { Cancellation } from "./cancellation.js";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import type { LiveSession } from "./live-session.js";
import type { PermissionAnswer } from "./permission.js";
import { readSlashCommand, type SlashCommand } from "./slash-command.js";
import { TextStream } from "./text-stream.js";
import { openToolCall, type ToolCall, type ToolCallStart } from "./tool-call.js";
import type { Turn } from "./turn.js";

/** {@link Turn} as the runtime makes it. */
export class LiveTurn<S> implements Turn<S> {
  readonly session: LiveSession<S>;
  readonly _meta?: Meta;
  readonly command?: SlashCommand;
  readonly files?: ClientFiles;
  readonly terminals?: ClientTerminals;
  readonly #cancellation: Cancellation;
  /** Fires at a cancel or at the end: what the turn asks of the client and borrows from it lasts no longer. */
  readonly #lifetime: Cancellation;
  /** Those that go on, and those that failed unheard. */
  #streams: Set<TextStream> | undefined;
  readonly #received: readonly ContentBlock[];
  #prompt: readonly ContentBlock[] | undefined;
  #questions = 0;
  #over = false;

  constructor(session: LiveSession<S>, { prompt, _meta }: Calls["prompt"]["params"], cancellation: Cancellation) {
    this.session = session;
    this.#received = prompt;
    if (_meta != null) this._meta = jsonCopy(_meta);
    this.#cancellation = cancellation;
    this.#lifetime = new Cancellation(cancellation);
    const command = readSlashCommand(prompt, session);
    if (command !== undefined) this.command = command;
    const files = session.clientFiles(this.#lifetime);
    const terminals = session.clientTerminals(this.#lifetime);
    if (files !== undefined) this.files = files;
    if (terminals !== undefined) this.terminals = terminals;
  }

  /** The handler's own: what it changes must not change the conversation, or what a client in memory has sent. */
  get prompt(): readonly ContentBlock[] {
    this.#prompt ??= jsonCopy(this.#received);
    return this.#prompt;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  say(text: string | ContentBlock | AsyncIterable<string>): Room {
    return this.#write("agent", text);
  }

  think(text: string | ContentBlock | AsyncIterable<string>): Room {
    return this.#write("thought", text);
  }

  plan(entries: readonly PlanEntry[], planId = DEFAULT_PLAN_ID): Room {
    return this.emit({ type: "plan_update", plan: { type: "items", planId, entries } });
  }

  toolCall(start: ToolCallStart): ToolCall {
    return openToolCall(this, start);
  }

  async ask(question: PermissionQuestion): Promise<PermissionAnswer> {
    if (this.#lifetime.isCancelled) return { allowed: false };
    const { signal } = this.#lifetime;
    return this.#waitForUser(() => this.session.questions.askPermission(question, signal));
  }

  async elicit(
    question: ElicitationQuestion,
    about: { readonly toolCallId?: string } = {},
  ): Promise<ElicitationAnswer> {
    this.session.questions.check(question);
    if (this.#lifetime.isCancelled) return { action: "cancel" };
    const { signal } = this.#lifetime;
    return this.#waitForUser(() => this.session.questions.elicit(question, { ...about, signal }));
  }

  emit(event: WireEvent): Room {
    return this.#over ? undefined : this.session.emit(event);
  }

  /** Waits for streams that the handler did not wait for; fails as the first of them fails. */
  drain(): Promise<unknown> | undefined {
    return this.#streams && Promise.all([...this.#streams].map((stream) => stream.drain()));
  }

  /** Mutes what an unfinished handler still says, and gives back what the turn borrowed from the client. */
  end(): void {
    this.#over = true;
    this.#lifetime.cancel("The turn is over.");
  }

  /** The first open question makes the turn wait for the user, the last answer lets it go on (V2-PRM-12). */
  async #waitForUser<T>(ask: () => Promise<T>): Promise<T> {
    this.#questions += 1;
    if (this.#questions === 1) this.session.waiting(true);
    try {
      return await ask();
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0 && !this.#lifetime.isCancelled) this.session.waiting(false);
    }
  }

  #write(role: MessageRole, text: string | ContentBlock | AsyncIterable<string>): Room {
    if (typeof text === "string") return this.#append(role, { type: "text", text });
    if (!(Symbol.asyncIterator in text)) return this.#append(role, jsonCopy(text));
    const write = (piece: string): Room => this.#append(role, { type: "text", text: piece });
    const stream = TextStream.of(text, { write, signal: this.#lifetime.signal });
    this.#streams ??= new Set();
    const streams = this.#streams.add(stream);
    stream.whenWell(() => streams.delete(stream));
    return stream;
  }

  #append(role: MessageRole, content: ContentBlock): Room {
    return this.#over ? undefined : this.session.append(role, content);
  }
}
