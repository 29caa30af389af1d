import {
  type ContentBlock,
  createSessionState,
  type SessionEvent,
  type SessionPlace,
  type SessionState,
} from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import {
  AcpError,
  type Connection,
  type Diagnostic,
  type InboundCall,
  isAcpError,
  type Lane,
  withinGrace,
} from "@turnkit/transport";
import type { ClientOptions } from "./client.js";
import { optionFor } from "./config-option.js";
import type { Driver, Work } from "./driver/driver.js";
import type { LiveTurn, TurnHost } from "./live-turn.js";
import { type Decision, PendingQuestions, type QuestionHost, type QuestionKind } from "./pending-questions.js";
import type { EventListener, PromptOptions, Session } from "./session.js";
import { type Listener, SessionObservers } from "./session-observers.js";
import type { Turn } from "./turn.js";
import { TurnQueue } from "./turn-queue.js";

/** What a live session is made of. */
export type SessionParts = {
  readonly id: string;
  readonly place: SessionPlace;
  readonly connection: Connection;
  readonly driver: Driver;
  readonly options: ClientOptions;
  report(diagnostic: Diagnostic): void;
  ended(session: LiveSession): void;
};

/** {@link Session} as the client makes it. */
export class LiveSession implements Session, TurnHost, QuestionHost {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly lane: Lane;
  readonly #parts: SessionParts;
  readonly #audience: SessionObservers;
  readonly #onEnd = new Set<() => void>();
  readonly #turns: TurnQueue;
  readonly #questions = new PendingQuestions(this);
  #closing: Promise<void> | undefined;
  #isOver = false;
  /** Why there can be no more prompts. */
  #failure: AcpError | undefined;
  #isTold = false;

  constructor(parts: SessionParts) {
    const { id, place, connection, options } = parts;
    this.#parts = parts;
    this.id = id;
    this.cwd = place.cwd;
    this.roots = [place.cwd, ...(place.additionalDirectories ?? [])];
    this.lane = connection.openLane(id);
    this.#audience = new SessionObservers(createSessionState(options.limits), {
      sessionId: id,
      lane: this.lane,
      metaMode: options.metaMode,
      report: (diagnostic) => this.report(diagnostic),
    });
    this.#turns = new TurnQueue(this, parts);
  }

  get state(): SessionState {
    return this.#audience.state;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** True while the agent answers a prompt of this side, or says that it works. */
  get isAtWork(): boolean {
    return !this.#isOver && (this.#turns.sent.length > 0 || this.state.activity.state !== "idle");
  }

  subscribe(listener: () => void): () => void {
    return this.#audience.subscribe(listener);
  }

  onEvent(listener: EventListener): () => void {
    return this.#audience.listen({ name: listener.name, receive: (event) => listener(event, this) });
  }

  /** Folds, and tells listeners in their order. `bytes` is what the event took on the wire. */
  tell(event: SessionEvent, bytes = 0): void {
    // The end of the session is the last that listeners hear of it.
    if (this.#isTold) this.#audience.fold(event);
    else this.#audience.tell(event, bytes);
  }

  /** Updates of the agent, out of one message. */
  receive(events: readonly SessionEvent[], bytes: number): void {
    this.heard();
    let size = bytes;
    for (const event of events) {
      // Whether work ended shows against the state before; nothing else is worth folding for at once.
      const before = event.type === "state_update" ? this.state.activity : undefined;
      this.tell(event, size);
      this.#parts.driver.updated(this, event, before);
      size = 0;
    }
  }

  /** The agent said something about this session. */
  heard(): void {
    this.#turns.heard();
  }

  /** Folds only: for what listeners are not told, since nothing could slow its source down. */
  fold(event: SessionEvent): void {
    this.#audience.fold(event);
  }

  prompt(content: string | readonly ContentBlock[], { _meta }: PromptOptions = {}): Turn {
    // The state holds them, and a prompt that waits is sent later: the caller may use its objects again.
    const prompt = typeof content === "string" ? [{ type: "text", text: content } as const] : jsonCopy(content);
    this.#parts.driver.checkPrompt(prompt);
    const failure = this.#failure ?? (this.#closing && noPrompts(this.id, "it is being closed"));
    return this.#turns.enter({ prompt, ...(_meta && { _meta: jsonCopy(_meta) }) }, failure);
  }

  async cancel(): Promise<void> {
    const { sent, waiting } = this.#turns;
    this.#turns.cancelWaiting();
    if (sent.length > 0 || this.state.activity.state !== "idle") this.cancelWork();
    await Promise.allSettled([...waiting, ...sent].map((turn) => turn.ended));
  }

  answer(requestId: string, decision: Decision): void {
    this.#questions.answer(requestId, decision);
  }

  cancelToolCall(toolCallId: string): Promise<void> {
    return this.#parts.driver.cancelToolCall(this, toolCallId);
  }

  cancelTerminal(terminalId: string): Promise<void> {
    return this.#parts.driver.cancelTerminal(this, terminalId);
  }

  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    await this.#parts.driver.setConfigOption(this, optionFor(this.state, configId, value), value);
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#closing ??= this.#close();
    await this.#closing;
  }

  /** A question of the agent: shown at receipt, put to who decides its kind in its place, open until the first decision. */
  ask<Q, A>(kind: QuestionKind<Q, A>, question: Q, call: InboundCall): Promise<A> {
    this.heard();
    return this.#questions.ask(kind, question, call);
  }

  /** Tells the agent to end what it works on. */
  cancelWork(): void {
    // The agent first: a listener of the events may send something more.
    this.#parts.driver.cancel(this.id);
    this.#stop();
  }

  /** `work` runs once, when the session is over. Returns the function that forgets it. */
  onEnd(work: () => void): () => void {
    this.#onEnd.add(work);
    return () => this.#onEnd.delete(work);
  }

  /** The session is over for this side; with a `failure`, because the connection is. */
  end(reason: string, failure?: AcpError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure ?? noPrompts(this.id, reason);
    this.#questions.dismiss(() => true);
    this.#turns.end(failure);
    for (const work of this.#onEnd) work();
    this.#onEnd.clear();
    this.tell({ type: "session_closed", reason });
    this.#isTold = true;
    this.#parts.ended(this);
  }

  listen(listener: Listener): () => void {
    return this.#audience.listen(listener);
  }

  whenTold(work: () => void): void {
    this.lane.mark(work);
  }

  startInPlace(work: () => void): void {
    this.lane.begin(0, work);
  }

  now(): number {
    return this.lane.now();
  }

  whenDone(work: () => void, after?: number): void {
    this.#audience.whenDone(work, after);
  }

  expectEnd(): () => void {
    return this.#parts.connection.expectEnd();
  }

  turnOver(turn: LiveTurn): void {
    this.#turns.remove(turn);
  }

  cancelTurn(turn: LiveTurn): void {
    this.#turns.cancel(turn);
  }

  refuses(work: Work): boolean {
    if (this.#isOver || this.#closing !== undefined) return true;
    return this.state.cancelling && this.#parts.driver.endsWithCancel(work, this.state);
  }

  report(diagnostic: Diagnostic): void {
    this.#parts.report({ ...diagnostic, sessionId: this.id });
  }

  /** The agent was told to end its work: what belongs to that ends here at once. */
  #stop(): void {
    const { driver } = this.#parts;
    // A listener of what follows may prompt again: that is none of the work that ends.
    const { sent } = this.#turns;
    this.tell({ type: "cancel_asked" });
    this.#questions.dismiss((work) => driver.endsWithCancel(work, this.state));
    this.#turns.cancelled(sent);
  }

  async #close(): Promise<void> {
    let isStopped = false;
    try {
      const closing = this.#parts.driver.closeSession(this, {
        received: () => this.end("closed by this side"),
        failed: () => {
          this.#closing = undefined;
          // What ended here with the close has to end there.
          if (isStopped) this.#parts.driver.cancel(this.id);
        },
      });
      this.#turns.cancelWaiting();
      isStopped = this.#turns.sent.length > 0;
      if (isStopped) this.#stop();
      this.#questions.dismiss(() => true);
      await withinGrace(closing, this.#turns.graceMs);
      this.end("closed by this side");
    } catch (error) {
      this.#closing = undefined;
      // Lost connections end their sessions by themselves.
      if (!isAcpError(error, "connection_closed")) throw error;
    }
  }
}

function noPrompts(sessionId: string, reason: string): AcpError {
  return new AcpError("state", `Session ${sessionId} takes no prompts any more: ${reason}.`);
}
