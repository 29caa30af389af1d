import { AcpError, type Connection } from "@turnkit/transport";
import type { ClientOptions } from "./client-options.js";
import type { PromptMessage, SessionTurns, TurnOutcome } from "./driver/dialect-rules.js";
import type { Driver } from "./driver/driver.js";
import { LiveTurn, type TurnHost } from "./live-turn.js";
import type { PendingQuestions } from "./pending-questions.js";
import type { SessionFeed } from "./session-feed.js";

/** Parts of a turn queue. */
export type TurnQueueParts = {
  readonly feed: SessionFeed;
  readonly connection: Connection;
  readonly driver: Driver;
  /** Turns of the session by the rules of its dialect. */
  readonly turns: SessionTurns;
  readonly questions: PendingQuestions;
  readonly options: ClientOptions;
};

/** Maximum number of waiting prompts of one session, on either side. */
const MAX_WAITING_PROMPTS = 100;

/** Maximum number of open turns of one session: an agent may take prompts and end none. */
const MAX_OPEN_TURNS = 1_000;

/** Time in milliseconds that an agent has to end a cancelled turn, or a session, unless `cancelGraceMs` is set. */
const CANCEL_GRACE_MS = 30_000;

/** Code of errors that did not come from the agent: JSON-RPC's internal error. */
const LOST = -32603;

/**
 * Open turns of one session. If the agent holds prompts, all are sent at once. Otherwise one is sent, and the others
 * wait on this side in the order of their prompts. Changes replace the lists.
 */
export class TurnQueue implements TurnHost {
  readonly feed: SessionFeed;
  readonly connection: Connection;
  readonly #parts: TurnQueueParts;
  #prompts = 0;
  #sent: readonly LiveTurn[] = [];
  #waiting: readonly LiveTurn[] = [];
  /** True while nothing is sent: during a restore of the session, and after its end. */
  #isHeld = false;

  constructor(parts: TurnQueueParts) {
    this.#parts = parts;
    this.feed = parts.feed;
    this.connection = parts.connection;
  }

  /** Time in milliseconds that the agent has to end something. */
  get graceMs(): number {
    return this.#parts.options.cancelGraceMs ?? CANCEL_GRACE_MS;
  }

  /** True while a prompt is sent, or the agent says that it works. */
  get isAtWork(): boolean {
    return this.#sent.length > 0 || this.feed.state.activity.state !== "idle";
  }

  /**
   * Queues a prompt, and sends it as soon as the rules allow. With an `outcome`, returns a turn that is over.
   *
   * @throws AcpError `too_many_requests` if too many wait already, `state` if it would have to wait and may not
   */
  enter(message: PromptMessage, outcome: TurnOutcome | undefined): LiveTurn {
    this.#checkRoom();
    if (outcome === undefined) this.#admit();
    this.#prompts += 1;
    const turn = new LiveTurn(`prompt-${this.#prompts}`, message, this);
    if (outcome !== undefined) {
      turn.finish(outcome);
    } else {
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

  /** Cancels every turn, and all work of the agent. Settles when all turns have ended. */
  async cancelAll(): Promise<void> {
    const open = [...this.#waiting, ...this.#sent];
    this.#cancelWaiting();
    if (this.isAtWork) this.#cancelWork();
    await Promise.allSettled(open.map((turn) => turn.ended));
  }

  /** Cancels every turn of a closing session, which ends the work of the agent too. Returns true if a turn was sent. */
  close(): boolean {
    this.#cancelWaiting();
    const isStopped = this.#sent.length > 0;
    if (isStopped) this.#workCancelled();
    return isStopped;
  }

  /** Sends no more prompts until {@link release}: a restored session may take the place of this one. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Sends prompts that waited for the end of a restore: it failed, and the session continues. */
  release(): void {
    this.#isHeld = false;
    for (let waiting = this.#waiting.length; waiting > 0; waiting -= 1) this.#sendNext();
  }

  /**
   * Cancels the work if the answer to a prompt ends its turn: the session that replaces this one would not get that
   * answer. In version 2, updates report the end of the work to that session.
   */
  giveWay(): void {
    if (!this.#parts.driver.dialect.holdsPrompts && this.#sent.length > 0) this.#cancelWork();
  }

  /** Ends every turn with its session. A `failure` is the loss of the connection. */
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

  /** Returns true if all work may belong to this turn. An agent may begin before it accepts the prompt. */
  // V2-PRM-10
  #isWorkOf(turn: LiveTurn): boolean {
    return this.#sent.length === 1 && !turn.isBehind;
  }

  #cancelWaiting(): void {
    for (const turn of this.#waiting) this.cancel(turn);
  }

  #cancelWork(): void {
    const { driver } = this.#parts;
    // Sent before the events: a listener of them may send something more.
    driver.cancel(this.feed.sessionId);
    this.#workCancelled();
  }

  /** Cancels work on this side: the state shows it, and questions are dismissed. */
  #workCancelled(): void {
    const { questions, turns } = this.#parts;
    // A listener of `cancel_asked` may prompt again: that turn is not cancelled.
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
    const already = isFull ? `${MAX_WAITING_PROMPTS} wait` : `${MAX_OPEN_TURNS} turns are open`;
    const text = `The prompt was not taken: ${already} already. Wait for some to end, or cancel them.`;
    throw new AcpError("too_many_requests", text);
  }

  #admit(): void {
    if (this.#sent.length + this.#waiting.length === 0) return;
    const { whilePrompting } = this.#parts.options;
    if (whilePrompting === "replace") void this.cancelAll();
    if (whilePrompting !== "reject") return;
    const { sessionId } = this.feed;
    throw new AcpError("state", `Session ${sessionId} is busy with a prompt: wait for its end, or cancel it.`);
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

  /** Ends a sent turn whose end the agent will not report. A `failure` is the loss of the connection. */
  #lose(turn: LiveTurn, failure?: AcpError): void {
    const error = failure && { code: LOST, message: failure.message };
    this.#parts.turns.lose(turn, error ? { stopReason: "error", error } : { stopReason: "cancelled" });
    turn.finish(failure ? { failure } : { stopReason: "cancelled", agentConfirmed: false });
  }
}
