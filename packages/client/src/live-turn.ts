import { messageText, type SessionEvent } from "@turnkit/session";
import { type Connection, type ConnectionClosedError, isAcpError, MAX_TIMER_MS, RpcError } from "@turnkit/transport";
import type { EndOrFailure, PromptMessage, PromptTurn } from "./driver/dialect-rules.js";
import { EventIterator } from "./event-iterator.js";
import type { SessionFeed } from "./session-feed.js";
import type { Turn, TurnEnd } from "./turn.js";

/** Part of a session that a turn uses. */
export interface TurnHost {
  readonly feed: SessionFeed;
  readonly connection: Pick<Connection, "expectEnd">;
  cancel(turn: LiveTurn): void;
  /** Removes a turn that has ended. */
  remove(turn: LiveTurn): void;
}

const LATE_LOOP = "Begin the loop in the same tick as the call of `prompt`, or listen with `session.onEvent`.";

/** Implementation of {@link Turn}. The rules of the dialect accept and end the turn. */
export class LiveTurn implements Turn, PromptTurn {
  readonly promptId: string;
  readonly message: PromptMessage;
  isBehind = false;
  isRepeated = false;
  isAccepted = false;
  isCancelled = false;
  readonly #host: TurnHost;
  readonly #ended: Promise<TurnEnd>;
  /** True after the caller asked for the end, the text or the events of the turn. */
  isAwaited = false;
  #accepted: Promise<void> | undefined;
  #accept: (() => void) | undefined;
  #end!: (end: TurnEnd | Promise<never>) => void;
  /** Loops over the turn, each with the function that detaches the loop. Most turns have no loop. */
  #iterators: Map<EventIterator, () => void> | undefined;
  /** Error that loops and `text` throw. Set when the turn has ended with it. */
  #failure: { readonly error: unknown } | undefined;
  #phase: "waiting" | "sent" | "over" = "waiting";
  #wasSent = false;
  readonly #endCame: () => void;
  /** Moment of the lane at which the prompt was sent. Earlier listener calls are not part of the turn. */
  #sentAt = 0;
  #grace: ReturnType<typeof setTimeout> | undefined;

  constructor(promptId: string, message: PromptMessage, host: TurnHost) {
    this.promptId = promptId;
    this.message = message;
    this.#host = host;
    this.#endCame = host.connection.expectEnd();
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get accepted(): Promise<void> {
    this.#accepted ??= this.isAccepted
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#accept = resolve;
        });
    return this.#accepted;
  }

  get ended(): Promise<TurnEnd> {
    this.isAwaited = true;
    return this.#ended;
  }

  // In JavaScript, `await session.prompt(…)` looks like the end of the turn, and a missing member would be `undefined`.
  get stopReason(): never {
    return notEnded("stopReason");
  }

  get error(): never {
    return notEnded("error");
  }

  get usage(): never {
    return notEnded("usage");
  }

  /**
   * True if nobody waits for the turn. After the acceptance, a listener or subscriber of the session also counts as
   * waiting, because a person may stop watching before the end of the turn.
   */
  get isForgotten(): boolean {
    if (this.isAwaited) return false;
    return this.isAccepted ? !this.#host.feed.isWatched : this.#accepted === undefined;
  }

  get isOver(): boolean {
    return this.#phase === "over";
  }

  /** Attaches the loops to the session's events. Called when the prompt was sent. */
  sent(): void {
    if (this.#phase !== "waiting") return;
    this.#phase = "sent";
    this.#wasSent = true;
    this.#sentAt = this.#host.feed.lane.now();
    for (const iterator of this.#iterators?.keys() ?? []) this.#attach(iterator);
  }

  /** Settles `accepted`. */
  accept(): void {
    this.isAccepted = true;
    this.#accept?.();
  }

  /** Runs `giveUp` unless the turn ends within `graceMs` after the first call of this method. */
  giveGrace(graceMs: number, giveUp: (turn: LiveTurn) => void): void {
    this.isCancelled = true;
    if (graceMs > MAX_TIMER_MS || this.isOver) return;
    this.#grace ??= setTimeout(() => giveUp(this), graceMs);
  }

  /** Ends the turn. `ended` settles when listeners have handled all earlier events. */
  finish(outcome: EndOrFailure): void {
    if (this.isOver) return;
    this.#phase = "over";
    this.#endCame();
    clearTimeout(this.#grace);
    this.accept();
    const { feed } = this.#host;
    const iterators = [...(this.#iterators?.keys() ?? [])];
    const failure = failureOf(outcome);
    this.#failure = failure;
    // The body of a loop may close the client.
    const thrown = isOwnClose(failure?.error) ? undefined : failure;
    if (iterators.length > 0) feed.lane.mark(() => iterators.forEach((iterator) => void iterator.finish(thrown)));
    feed.whenDone(() => this.#settle(outcome), this.#sentAt);
    this.#host.remove(this);
  }

  /**
   * Cancels the turn. Returns `ended` itself, because the promise of an `async` method could cause an unhandled rejection.
   */
  cancel(): Promise<TurnEnd> {
    if (!this.isOver) this.#host.cancel(this);
    return this.ended;
  }

  /** Cancels the turn when a signal aborts. After the end of the turn, the signal holds no reference to the turn. */
  cancelWith(signal: AbortSignal): void {
    if (this.isOver) return;
    const cancel = () => void this.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const detach = () => signal.removeEventListener("abort", cancel);
    this.#ended.then(detach, detach);
  }

  async text(): Promise<string> {
    await this.ended;
    if (this.#failure) throw this.#failure.error;
    if (!this.#wasSent) return "";
    const { timeline } = this.#host.feed.state;
    const texts: string[] = [];
    for (let index = timeline.length - 1; index >= 0; index -= 1) {
      const entry = timeline.at(index);
      if (entry?.type !== "message") continue;
      if (entry.role === "agent") texts.unshift(messageText(entry));
      // A later message of the user belongs to a later prompt.
      if (entry.role === "user" && texts.length > 0 && entry.prompt?.promptId !== this.promptId) texts.length = 0;
      if (entry.prompt?.promptId === this.promptId) break;
    }
    return texts.filter((text) => text !== "").join("\n\n");
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionEvent, undefined> {
    this.isAwaited = true;
    this.#reportLate();
    const iterator: EventIterator = new EventIterator(() => this.#detach(iterator));
    this.#iterators ??= new Map();
    if (this.#phase === "over") iterator.finish(this.#failure);
    else if (this.#phase === "sent") this.#attach(iterator);
    else this.#iterators.set(iterator, () => undefined);
    return iterator;
  }

  /**
   * Reports the first loop over a turn if it misses events. A later loop may continue after the end of an earlier loop.
   */
  #reportLate(): void {
    const isLate = this.isOver ? this.#wasSent && !this.#failure : this.isAccepted && this.#iterators === undefined;
    if (!isLate) return;
    const lost = this.isOver ? "after the end of the turn, so it gets no events" : "late, so it lacks the first events";
    this.#host.feed.report({ code: "late_loop", message: `A loop over a turn began ${lost}. ${LATE_LOOP}` });
  }

  #settle(outcome: EndOrFailure): void {
    if (!("failure" in outcome)) return this.#end(outcome);
    // Callers may ignore `ended`, so a rejection must not be unhandled.
    this.#ended.catch(() => undefined);
    this.#end(Promise.reject(outcome.failure));
  }

  #attach(iterator: EventIterator): void {
    this.#iterators?.set(iterator, this.#host.feed.listen(iterator));
  }

  #detach(iterator: EventIterator): void {
    this.#iterators?.get(iterator)?.();
    this.#iterators?.delete(iterator);
  }
}

/** Refuses a member of a {@link TurnEnd} that is read from the turn. */
function notEnded(name: keyof TurnEnd): never {
  const remedy = `await its end, as in \`const { ${name} } = await session.prompt(…).ended\``;
  throw new TypeError(`A turn has no ${name}: ${remedy}.`);
}

/** Returns the error of a turn without an end, or of an end with the agent's error. */
function failureOf(outcome: EndOrFailure): { readonly error: unknown } | undefined {
  if ("failure" in outcome) return { error: outcome.failure };
  const { error } = outcome;
  return error && { error: new RpcError(error.code, error.message, error.data) };
}

/** Returns true for the loss of a connection that this side closed. */
function isOwnClose(error: unknown): boolean {
  return (
    isAcpError(error, "connection_closed") && (error as ConnectionClosedError).reason?.kind === "local" && !error.cause
  );
}
