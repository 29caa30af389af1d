import {
  type ContentBlock,
  MAIN_PLAN,
  type MessageRole,
  type PermissionQuestion,
  type PlanEntry,
  type WireEvent,
} from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import { type PermissionAnswer, readAnswer } from "./permission.js";
import type { AgentSession, LiveSession } from "./session.js";
import { openToolCall, type ToolCall, type ToolCallFields } from "./tool-call.js";

/**
 * One prompt being answered. Everything said through it reaches the client before the turn's end; after the end, and
 * after a cancel's grace ran out, it says nothing any more.
 *
 * What returns {@link Room} is sent already: the promise, if there is one, asks to wait before saying more.
 */
export interface Turn<S = undefined> {
  /** What outlives the turn: title, usage, commands, options. */
  readonly session: AgentSession<S>;
  readonly prompt: readonly ContentBlock[];
  /** Fires when the turn is cancelled, its session closes, or the connection ends. Hand it to everything slow. */
  readonly signal: AbortSignal;
  /** Answers the user. Pieces that follow each other are one message. A stream is read to its end, or to a cancel. */
  say(text: string | ContentBlock | AsyncIterable<string>): Room;
  /** Shows reasoning, apart from the answer. */
  think(text: string | ContentBlock | AsyncIterable<string>): Room;
  /** Shows the plan as a whole, replacing the one before. Version 1 knows one plan. */
  plan(entries: readonly PlanEntry[], planId?: string): Room;
  /** Reports that a tool is about to run; `pending` unless said otherwise. */
  toolCall(start: { readonly title: string } & ToolCallFields): ToolCall;
  /** Asks the user. Never rejects: a cancel, a refusal and a failure are all "not granted". */
  ask(question: PermissionQuestion): Promise<PermissionAnswer>;
  /** Everything else that the protocol can say. */
  emit(event: WireEvent): Room;
  /** Absent when the client, or its dialect (version 2), has none: use your own then. */
  readonly files?: ClientFiles;
  readonly terminals?: ClientTerminals;
}

/** {@link Turn} as the runtime makes it. */
export class LiveTurn<S> implements Turn<S> {
  readonly session: LiveSession<S>;
  readonly prompt: readonly ContentBlock[];
  readonly signal: AbortSignal;
  readonly files?: ClientFiles;
  readonly terminals?: ClientTerminals;
  readonly #lifetime = new AbortController();
  #over = false;
  readonly #streams: Promise<void>[] = [];

  constructor(session: LiveSession<S>, prompt: readonly ContentBlock[], signal: AbortSignal) {
    this.session = session;
    this.prompt = prompt;
    this.signal = signal;
    const files = session.clientFiles(signal);
    const terminals = session.clientTerminals(signal, this.#lifetime.signal);
    if (files !== undefined) this.files = files;
    if (terminals !== undefined) this.terminals = terminals;
  }

  say(text: string | ContentBlock | AsyncIterable<string>): Room {
    return this.#write("agent", text);
  }

  think(text: string | ContentBlock | AsyncIterable<string>): Room {
    return this.#write("thought", text);
  }

  plan(entries: readonly PlanEntry[], planId = MAIN_PLAN): Room {
    return this.emit({ type: "plan_update", plan: { type: "items", planId, entries } });
  }

  toolCall(start: { readonly title: string } & ToolCallFields): ToolCall {
    const turn = {
      signal: this.signal,
      emit: (event: WireEvent) => this.emit(event),
      append: (toolCallId: string, content: Parameters<ToolCall["append"]>[0]) =>
        this.emit({ type: "tool_call_content_chunk", toolCallId, content }),
      ask: (question: PermissionQuestion) => this.ask(question),
    };
    return openToolCall(turn, this.session.newId("call"), start);
  }

  async ask(question: PermissionQuestion): Promise<PermissionAnswer> {
    if (this.#over || this.signal.aborted) return { granted: false };
    return readAnswer(question, await this.session.askPermission(question, this.signal));
  }

  emit(event: WireEvent): Room {
    return this.#over ? undefined : this.session.emit(event);
  }

  /** Waits for streams that the handler began to say and did not wait for; fails as the first of them fails. */
  async drain(): Promise<void> {
    await Promise.all(this.#streams);
  }

  /** Mutes what an unfinished handler still says, and releases what the turn borrowed from the client. */
  end(): void {
    this.#over = true;
    this.#lifetime.abort();
  }

  #write(role: MessageRole, text: string | ContentBlock | AsyncIterable<string>): Room {
    if (typeof text === "string") return this.#append(role, { type: "text", text });
    if (!(Symbol.asyncIterator in text)) return this.#append(role, text);
    const stream = this.#pipe(role, text);
    stream.catch(() => undefined);
    this.#streams.push(stream);
    return stream;
  }

  #append(role: MessageRole, content: ContentBlock): Room {
    return this.#over ? undefined : this.session.append(role, content);
  }

  async #pipe(role: MessageRole, stream: AsyncIterable<string>): Promise<void> {
    const iterator = stream[Symbol.asyncIterator]();
    const stopped = this.#stopped();
    for (;;) {
      const next = await Promise.race([iterator.next(), stopped]);
      if (next === undefined || this.#over) return void iterator.return?.();
      if (next.done) return;
      await this.#append(role, { type: "text", text: next.value });
    }
  }

  #stopped(): Promise<undefined> {
    return new Promise((resolve) => {
      if (this.signal.aborted) resolve(undefined);
      else this.signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
  }
}
