import {
  type ContentBlock,
  createSessionState,
  type PermissionOutcome,
  type PermissionQuestion,
  reduce,
  type SessionEvent,
  type SessionState,
  type StateLimits,
} from "@turnkit/session";
import type { Connection, Diagnostic, InboundCall, Lane } from "@turnkit/transport";
import type { Driver } from "./driver/driver.js";
import { type PermissionDecision, PermissionDesk, type PermissionPolicy } from "./permissions.js";
import { EventIterator, LiveTurn, type Turn } from "./turn.js";

type Awaitable<T> = T | Promise<T>;

/**
 * Told what happens in a session, in order, from its first event on; awaited before the next event is told. It may
 * await requests that it makes, and must not await what it is part of: the end of its own turn.
 */
export type EventListener = (event: SessionEvent, session: Session) => Awaitable<void>;

/** One conversation with an agent: what is known of it, and the one door for commands. */
export interface Session {
  readonly id: string;
  /** Absolute; the session's folder. */
  readonly cwd: string;
  /** `cwd` and the additional directories. */
  readonly roots: readonly string[];
  /** Folded at receipt, so it may be ahead of what listeners were told. A new object after every change. */
  readonly state: SessionState;
  /** Called after every change of `state`; with `state` it fits `useSyncExternalStore`. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void;
  /** Adds a listener from now on. Returns the unsubscribe. */
  onEvent(listener: EventListener): () => void;
  /**
   * Sends a prompt. A prompt while another is answered waits for it on this side (version 1 knows no queue).
   *
   * @throws CapabilityError for a kind of content that the agent does not take
   */
  prompt(content: string | readonly ContentBlock[]): Turn;
  /** Cancels every turn of the session and answers its open questions; settles when the agent confirmed. */
  cancel(): Promise<void>;
  /**
   * Decides a question of `state.pendingPermissions`. The first decision counts.
   *
   * @throws AcpError `state` for an option that was not offered
   */
  answer(requestId: string, decision: PermissionDecision): void;
  /**
   * Chooses a value of one of `state.configOptions`. In version 1 modes and models are options too.
   *
   * @throws AcpError `state` for an option that does not exist; RpcError if the agent refuses
   */
  setConfigOption(configId: string, value: string | boolean): Promise<void>;
  /** Ends the session on this connection; where the agent cannot close sessions, on this side only. */
  close(): Promise<void>;
}

/** What a live session is made of. */
export type SessionParts = {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly connection: Connection;
  readonly driver: Driver;
  readonly limits: Partial<StateLimits>;
  readonly policy: PermissionPolicy | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly closed: (session: LiveSession) => void;
};

/** A listener that holds up the end of its turn for so long is reported. */
const STUCK_AFTER_MS = 5_000;

/** {@link Session} as the client makes it. */
export class LiveSession implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  state: SessionState;
  readonly lane: Lane;
  readonly #parts: SessionParts;
  readonly #desk = new PermissionDesk();
  readonly #listeners = new Set<(event: SessionEvent) => Awaitable<void>>();
  readonly #subscribers = new Set<() => void>();
  /** In the order of their prompts; the first may be running. */
  readonly #openTurns = new Map<LiveTurn, readonly ContentBlock[]>();
  readonly #closing = new AbortController();
  #running: LiveTurn | undefined;
  #prompts = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.cwd = parts.cwd;
    this.roots = parts.roots;
    this.lane = parts.connection.openLane();
    this.state = createSessionState(parts.limits);
  }

  /** Fires when the session is closed or the connection lost. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  subscribe(listener: () => void): () => void {
    this.#subscribers.add(listener);
    return () => this.#subscribers.delete(listener);
  }

  onEvent(listener: EventListener): () => void {
    return this.#listen((event) => listener(event, this));
  }

  /** Folds now and tells listeners in their order. `bytes` is what the event took on the wire. */
  tell(event: SessionEvent, bytes = 0): void {
    this.fold(event);
    if (this.#listeners.size > 0) this.lane.tell(bytes, () => this.#callListeners(event));
  }

  /** Updates of the agent. */
  receive(events: readonly SessionEvent[], bytes: number): void {
    if (this.#running !== undefined) this.#parts.driver.signOfLife(this.#running);
    for (const event of events) this.tell(event, bytes);
  }

  /** Folds only: for what listeners are not told, since nothing could slow its source down. */
  fold(event: SessionEvent): void {
    const before = this.state;
    this.state = reduce(before, event);
    if (this.state === before) return;
    for (const subscriber of this.#subscribers) {
      try {
        subscriber();
      } catch (error) {
        this.#parts.report({ code: "listener_failed", message: "A subscriber failed.", sessionId: this.id, error });
      }
    }
  }

  prompt(content: string | readonly ContentBlock[]): Turn {
    const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
    this.#parts.driver.checkPrompt(blocks);
    this.#prompts += 1;
    const turn = new LiveTurn(`prompt-${this.#prompts}`, {
      cancel: () => this.#cancelTurn(turn),
      iterate: () => this.#iterate(turn),
      listenersTold: () => this.#listenersTold(),
    });
    this.#openTurns.set(turn, blocks);
    void turn.received.then(() => this.#over(turn));
    this.#sendNext();
    return turn;
  }

  async cancel(): Promise<void> {
    const turns = [...this.#openTurns.keys()];
    for (const turn of turns.toReversed()) this.#cancelTurn(turn);
    await Promise.allSettled(turns.map((turn) => turn.ended));
  }

  answer(requestId: string, decision: PermissionDecision): void {
    this.#desk.answer(requestId, decision);
  }

  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    await this.#parts.driver.setConfigOption(this, configId, value);
  }

  async close(): Promise<void> {
    if (this.signal.aborted) return;
    this.#desk.cancelAll();
    await this.#parts.driver.closeSession(this.id);
    this.end("closed by this side");
  }

  /** The session is over for this side. */
  end(reason: string): void {
    if (this.signal.aborted) return;
    this.#desk.cancelAll();
    this.#closing.abort(new DOMException(`The session ended: ${reason}`, "AbortError"));
    this.tell({ type: "session_closed", reason });
    this.#parts.closed(this);
  }

  /** A question of the agent: shown at receipt, put to the policy in its place, open until the first decision. */
  async ask(question: PermissionQuestion, call: InboundCall): Promise<PermissionOutcome> {
    const { requestId, outcome } = this.#desk.open(question);
    call.signal.addEventListener("abort", () => this.#desk.cancel(requestId), { once: true });
    this.tell({ type: "permission_asked", requestId, ...question }, call.bytes);
    const settled = new AbortController();
    this.lane.begin(0, () => void this.#putToPolicy({ ...question, requestId, session: this }, settled.signal));
    const answer = await outcome;
    settled.abort();
    this.tell({ type: "permission_answered", requestId, outcome: answer });
    return answer;
  }

  async #putToPolicy(request: Parameters<PermissionPolicy>[0], settled: AbortSignal): Promise<void> {
    if (settled.aborted) return;
    try {
      const decision = await this.#parts.policy?.(request, settled);
      if (decision !== undefined) this.#desk.answer(request.requestId, decision);
    } catch (error) {
      this.#desk.cancel(request.requestId);
      this.#parts.report({
        code: "listener_failed",
        message: "The permission policy failed; the question was cancelled.",
        sessionId: this.id,
        error,
      });
    }
  }

  #sendNext(): void {
    if (this.#running !== undefined) return;
    for (const [turn, content] of this.#openTurns) {
      if (turn.isOver) continue;
      this.#running = turn;
      this.tell({ type: "prompt_sent", promptId: turn.promptId, content });
      this.#parts.driver.prompt(this, turn, content);
      return;
    }
  }

  #over(turn: LiveTurn): void {
    this.#openTurns.delete(turn);
    if (this.#running !== turn) return;
    this.#running = undefined;
    this.#sendNext();
  }

  #cancelTurn(turn: LiveTurn): void {
    if (turn !== this.#running) return turn.finish({ stopReason: "cancelled", confirmed: true });
    this.tell({ type: "cancel_asked" });
    this.#desk.cancelAll();
    this.#parts.driver.cancel(this.id);
  }

  #listen(listener: (event: SessionEvent) => Awaitable<void>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #callListeners(event: SessionEvent): void | Promise<void> {
    let pending: Promise<void>[] | undefined;
    for (const listener of this.#listeners) {
      const outcome = this.#callListener(listener, event);
      if (outcome !== undefined) pending = [...(pending ?? []), outcome];
    }
    if (pending !== undefined) return Promise.all(pending).then(() => undefined);
  }

  #callListener(listener: (event: SessionEvent) => Awaitable<void>, event: SessionEvent): Promise<void> | undefined {
    const failed = (error: unknown) =>
      this.#parts.report({ code: "listener_failed", message: "A listener failed.", sessionId: this.id, error });
    try {
      const outcome = listener(event);
      return outcome instanceof Promise ? outcome.catch(failed) : undefined;
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  #iterate(turn: LiveTurn): AsyncIterator<SessionEvent, undefined> {
    let stop: () => void = () => undefined;
    const iterator = new EventIterator(() => stop());
    if (turn.isOver) iterator.finish();
    else stop = this.#listen((event) => iterator.offer(event));
    void turn.received.then(() => this.lane.begin(0, () => iterator.finish()));
    return iterator;
  }

  async #listenersTold(): Promise<void> {
    const timer = setTimeout(() => {
      const message = `A listener of session ${this.id} holds up the end of a turn. Does it await that end itself?`;
      this.#parts.report({ code: "listener_stuck", message, sessionId: this.id });
    }, STUCK_AFTER_MS);
    await this.lane.settled();
    clearTimeout(timer);
  }
}
