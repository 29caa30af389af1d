import { AcpError, type Connection, dropOldest, textOf } from "@turnkit/transport";
import type { ClientOptions } from "./client-options.js";
import { contentText } from "./content-text.js";
import type { EndOrFailure, PromptMessage, SessionTurns } from "./driver/dialect-rules.js";
import type { Driver } from "./driver/driver.js";
import { LiveTurn, type TurnHost } from "./live-turn.js";
import { outcomeUnknown } from "./outcome-unknown.js";
import type { PendingQuestions } from "./pending-questions.js";
import type { SessionFeed } from "./session-feed.js";

/** Parts of a turn queue. */
export type TurnQueueParts = {
  readonly feed: SessionFeed;
  readonly connection: Connection;
  readonly driver: Driver;
  /** Turns of the session, with the rules of its dialect. */
  readonly turns: SessionTurns;
  readonly questions: PendingQuestions;
  readonly options: ClientOptions;
};

/** Maximum number of waiting prompts of one session, in the agent or in the client. */
const MAX_WAITING_PROMPTS = 100;

/** Maximum number of open turns of one session. An agent may accept prompts without ever ending their turns. */
const MAX_OPEN_TURNS = 1_000;

/** Maximum number of keys whose prompt ids are stored. A further attempt with a stored key adds no second local message. */
const MAX_KEYED = 100;

/** Time for the agent to end a cancelled turn or a session, in milliseconds. The default of `cancelGraceMs`. */
const CANCEL_GRACE_MS = 30_000;

const FORGOTTEN =
  "The session ended before the agent had answered a prompt, so the answer is missing or cut. `prompt` returns immediately: await `ended` of its turn before you close.";

/** Code of errors that are not from the agent: JSON-RPC's internal error. */
const LOST = -32603;

/**
 * Open turns of one session. If the agent queues prompts, the client sends all prompts immediately. Otherwise the
 * client sends one prompt, and the others wait in their order. The lists are never changed in place, so that loops over
 * them are safe.
 */
export class TurnQueue implements TurnHost {
  readonly feed: SessionFeed;
  readonly connection: Connection;
  readonly #parts: TurnQueueParts;
  #prompts = 0;
  #sent: readonly LiveTurn[] = [];
  #waiting: readonly LiveTurn[] = [];
  /** Ids of the newest prompts, by their keys. */
  readonly #keyed = new Map<string, string>();
  /** True while nothing is sent: during a restore of the session, and after its end. */
  #isHeld = false;
  /** True after the report of a forgotten turn. */
  #isReported = false;

  constructor(parts: TurnQueueParts) {
    this.#parts = parts;
    this.feed = parts.feed;
    this.connection = parts.connection;
  }

  /** Time for the agent to end a turn or a session, in milliseconds. */
  get graceMs(): number {
    return this.#parts.options.cancelGraceMs ?? CANCEL_GRACE_MS;
  }

  /** True while a sent prompt has no end, or while the agent's state updates report work. */
  get isAtWork(): boolean {
    return this.#sent.length > 0 || this.feed.state.activity.state !== "idle";
  }

  /**
   * Queues a prompt, and sends it as soon as the rules of the dialect allow. With an `outcome`, returns a turn that has
   * already ended. If the turn of the prompt's key is open, returns this turn, and `signal` does not cancel it.
   *
   * @throws AcpError `state` if the open prompt with this key has another content
   * @throws AcpError `too_many_requests` if too many prompts wait
   * @throws AcpError `state` if the prompt would have to wait and `whilePrompting` is `"reject"`
   */
  enter(message: PromptMessage, outcome: EndOrFailure | undefined, signal?: AbortSignal): LiveTurn {
    // P-IDEM-12
    const open = this.#openAttempt(message);
    if (open !== undefined) return open;
    this.#checkRoom();
    if (outcome === undefined) this.#admit();
    this.#parts.questions.prompted();
    const turn = new LiveTurn(this.#promptId(message.idempotencyKey), message, this);
    if (outcome !== undefined) {
      turn.finish(outcome);
      queueMicrotask(() => this.#reportUnsent(turn, outcome));
    } else {
      // Called before the prompt is sent, because a listener may abort the signal during the sending.
      if (signal !== undefined) turn.cancelWith(signal);
      this.#waiting = [...this.#waiting, turn];
      this.#sendNext();
    }
    return turn;
  }

  cancel(turn: LiveTurn): void {
    if (!this.#sent.includes(turn)) turn.finish({ stopReason: "cancelled", agentConfirmed: true });
    else if (this.#isWorkOf(turn) || !this.#parts.turns.withdraw(turn)) this.#cancelWork();
    else this.#giveGrace(turn);
  }

  /** Cancels every turn and all work of the agent. Settles when all turns have ended. */
  async cancelAll(): Promise<void> {
    const open = [...this.#waiting, ...this.#sent];
    this.#cancelWaiting();
    if (this.isAtWork) this.#cancelWork();
    await Promise.allSettled(open.map((turn) => turn.ended));
  }

  /**
   * Cancels every turn of a session that is being closed. The close also ends the agent's work. Returns true if a turn was
   * sent.
   */
  close(): boolean {
    this.reportForgotten();
    this.#cancelWaiting();
    const isStopped = this.#sent.length > 0;
    if (isStopped) this.#workCancelled();
    return isStopped;
  }

  /** True if the caller waits for the end of an open turn. */
  get isAwaited(): boolean {
    return [...this.#waiting, ...this.#sent].some((turn) => turn.isAwaited);
  }

  /** Reports, at the end of the session, that it had open turns for which nobody waits. Reports only once. */
  reportForgotten(): void {
    const { feed } = this;
    const isForgotten = [...this.#waiting, ...this.#sent].some((turn) => turn.isForgotten);
    if (!isForgotten || this.#isReported) return;
    this.#isReported = true;
    feed.report({ code: "unfinished", message: FORGOTTEN });
  }

  /** Reports a prompt of an ended session, if the caller does not wait for its turn. */
  #reportUnsent(turn: LiveTurn, outcome: EndOrFailure): void {
    if (turn.isAwaited || !("failure" in outcome)) return;
    this.feed.report({ code: "unfinished", message: `A prompt was not sent. ${textOf(outcome.failure)}` });
  }

  /** Sends no prompts until {@link release}, because a restored session may replace this session. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Sends the prompts that waited for the end of a restore. Called when the restore failed and the session continues. */
  release(): void {
    this.#isHeld = false;
    for (let waiting = this.#waiting.length; waiting > 0; waiting -= 1) this.#sendNext();
  }

  /**
   * Cancels the work before a restored session replaces this session. Only version 1 and seed need this. There the
   * answer ends the turn, and the restored session does not get the answer. In version 2, the restored session gets
   * updates about the end of the work.
   */
  giveWay(): void {
    if (!this.#parts.driver.dialect.holdsPrompts && this.#sent.length > 0) this.#cancelWork();
  }

  /** Ends every turn at the end of its session. `failure` is set if the connection was lost. */
  end(failure: AcpError | undefined): void {
    this.hold();
    for (const turn of this.#waiting)
      turn.finish(failure ? { failure } : { stopReason: "cancelled", agentConfirmed: true });
    for (const turn of this.#sent) this.#lose(turn, failure);
  }

  remove(turn: LiveTurn): void {
    const others = (other: LiveTurn) => other !== turn;
    this.#sent = this.#sent.filter(others);
    this.#waiting = this.#waiting.filter(others);
    this.#sendNext();
  }

  /** Returns true if all work may belong to this turn. An agent may begin to work before it accepts the prompt. */
  // V2-PRM-10
  #isWorkOf(turn: LiveTurn): boolean {
    return this.#sent.length === 1 && !turn.isBehind;
  }

  #cancelWaiting(): void {
    for (const turn of this.#waiting) this.cancel(turn);
  }

  #cancelWork(): void {
    const { driver } = this.#parts;
    // Sent before the events, because a listener may send another message.
    driver.cancel(this.feed.sessionId);
    this.#workCancelled();
  }

  /** Marks the work as cancelled in the state, and dismisses its questions. */
  #workCancelled(): void {
    const { questions, turns } = this.#parts;
    // A listener of `cancel_asked` may send another prompt. The turn of that prompt is not cancelled.
    const sent = this.#sent;
    this.feed.publish({ type: "cancel_asked" });
    questions.dismiss((work) => turns.endsWithCancel(work));
    for (const turn of sent) this.#giveGrace(turn);
  }

  #checkRoom(): void {
    const { holdsPrompts } = this.#parts.driver.dialect;
    const held = holdsPrompts ? this.#sent.filter((turn) => !turn.isAccepted).length : 0;
    const isFull = this.#waiting.length + held >= MAX_WAITING_PROMPTS;
    if (!isFull && this.#sent.length < MAX_OPEN_TURNS) return;
    const already = isFull ? `${MAX_WAITING_PROMPTS} prompts wait` : `${MAX_OPEN_TURNS} turns are open`;
    const text = `The prompt was refused, because ${already} already. Wait for some to end, or cancel them.`;
    throw new AcpError("too_many_requests", text);
  }

  #admit(): void {
    if (this.#sent.length + this.#waiting.length === 0) return;
    const { whilePrompting } = this.#parts.options;
    if (whilePrompting === "replace") void this.cancelAll();
    if (whilePrompting !== "reject") return;
    const { sessionId } = this.feed;
    throw new AcpError("state", `Session ${sessionId} has an open turn. Wait for its end, or cancel it.`);
  }

  #sendNext(): void {
    const { driver, turns } = this.#parts;
    const [next, ...others] = this.#waiting;
    if (next === undefined || this.#isHeld || (this.#sent.length > 0 && !driver.dialect.holdsPrompts)) return;
    this.#sent = [...this.#sent, next];
    this.#waiting = others;
    turns.prompt(next);
    next.sent();
  }

  #giveGrace(turn: LiveTurn): void {
    turn.giveGrace(this.graceMs, (late) => this.#lose(late));
  }

  /** Ends a sent turn whose end the agent will not report. `failure` is set if the connection was lost. */
  #lose(turn: LiveTurn, failure?: AcpError): void {
    const lost = failure && this.#lostAnswer(turn, failure);
    const error = failure && { code: LOST, message: failure.message };
    this.#parts.turns.lose(turn, error ? { stopReason: "error", error } : { stopReason: "cancelled" });
    turn.finish(lost ? { failure: lost } : { stopReason: "cancelled", agentConfirmed: false });
  }

  /**
   * Returns the error of a turn whose connection was lost: an `OutcomeUnknownError` if the prompt has no answer, otherwise
   * `failure`.
   */
  // P-RETRY-05
  #lostAnswer(turn: LiveTurn, failure: AcpError): unknown {
    const { holdsPrompts, version } = this.#parts.driver.dialect;
    if (holdsPrompts && turn.isAccepted) return failure;
    const { isCancelled, message } = turn;
    const { prompt, _meta } = message;
    const submitted = { prompt, ...(_meta && { _meta }) };
    return outcomeUnknown(failure, { method: "session/prompt", params: message, version, isCancelled, submitted });
  }

  /**
   * Returns the open turn with the key of a prompt.
   *
   * @throws AcpError `state` if its prompt has another content
   */
  // P-IDEM-10, P-IDEM-14
  #openAttempt({ idempotencyKey: key, prompt }: PromptMessage): LiveTurn | undefined {
    if (key === undefined) return undefined;
    const isAttempt = ({ message }: LiveTurn) => message.idempotencyKey === key;
    const open = this.#sent.find(isAttempt) ?? this.#waiting.find(isAttempt);
    if (open === undefined || contentText(open.message.prompt) === contentText(prompt)) return open;
    const text = `Session ${this.feed.sessionId} has an open prompt with the key ${JSON.stringify(key)} and another content. Send this prompt with a key of its own.`;
    throw new AcpError("state", text);
  }

  /** Returns the id of a prompt. A further attempt to send a prompt has the id of the first one. */
  #promptId(key: string | undefined): string {
    const known = key === undefined ? undefined : this.#keyed.get(key);
    if (known !== undefined) return known;
    this.#prompts += 1;
    const promptId = `prompt-${this.#prompts}`;
    if (key !== undefined) this.#keyed.set(key, promptId);
    dropOldest(this.#keyed, MAX_KEYED);
    return promptId;
  }
}
