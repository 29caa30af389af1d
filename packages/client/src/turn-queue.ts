import { AcpError } from "@turnkit/transport";
import type { ClientOptions } from "./client.js";
import type { Driver, PromptMessage } from "./driver/driver.js";
import type { LiveSession } from "./live-session.js";
import { LiveTurn } from "./live-turn.js";

/** What the prompts of a session need beside it. */
export type TurnQueueParts = { readonly driver: Driver; readonly options: ClientOptions };

/** Prompts of one session that may wait, on this side or the agent's; one more is refused. */
const MAX_WAITING_PROMPTS = 100;

/** Turns of one session that may be open at a time, where an agent takes prompts and tells no end of them. */
const MAX_OPEN_TURNS = 1_000;

/** How long an agent may take to end a turn that was cancelled, or a session, unless it is said otherwise. */
const CANCEL_GRACE_MS = 30_000;

/** Of errors that did not come from the agent (JSON-RPC's internal error). */
const LOST = -32603;

/**
 * The open turns of one session. Where the agent holds prompts itself all are sent at once; else one is answered, and the
 * others wait on this side in the order of their prompts. The lists are replaced and never changed.
 */
export class TurnQueue {
  readonly #session: LiveSession;
  readonly #parts: TurnQueueParts;
  #prompts = 0;
  #sent: readonly LiveTurn[] = [];
  #waiting: readonly LiveTurn[] = [];
  /** Whether a prompt was sent since the agent last said something: nearly always it said much in between. */
  #unheard = false;

  constructor(session: LiveSession, parts: TurnQueueParts) {
    this.#session = session;
    this.#parts = parts;
  }

  /** How long the agent may take to end something, in milliseconds. */
  get graceMs(): number {
    return this.#parts.options.cancelGraceMs ?? CANCEL_GRACE_MS;
  }

  /** The agent has these prompts. */
  get sent(): readonly LiveTurn[] {
    return this.#sent;
  }

  get waiting(): readonly LiveTurn[] {
    return this.#waiting;
  }

  /**
   * Takes a prompt, and sends it as soon as it may be; with a `failure` its turn is over.
   *
   * @throws AcpError `too_many_requests` where too many wait already, `state` where it would have to and is not to
   */
  enter(message: PromptMessage, failure: AcpError | undefined): LiveTurn {
    this.#checkRoom();
    if (failure === undefined) this.#admit();
    this.#prompts += 1;
    const turn = new LiveTurn(`prompt-${this.#prompts}`, message, this.#session);
    if (failure !== undefined) {
      turn.finish({ failure });
    } else {
      this.#waiting = [...this.#waiting, turn];
      this.#sendNext();
    }
    return turn;
  }

  /** The agent said something about the session. */
  heard(): void {
    if (!this.#unheard) return;
    this.#unheard = false;
    for (const turn of this.#sent) {
      if (!turn.isAccepted) this.#parts.driver.signOfLife(this.#session, turn);
    }
  }

  cancel(turn: LiveTurn): void {
    if (!this.#sent.includes(turn)) turn.finish({ stopReason: "cancelled", agentConfirmed: true });
    else if (this.#isWorkOf(turn) || !this.#parts.driver.withdraw(turn)) this.#session.cancelWork();
    else this.#giveGrace(turn);
  }

  /** What was not sent never is. */
  cancelWaiting(): void {
    for (const turn of this.#waiting) this.cancel(turn);
  }

  /** The agent was told to end all its work, which is of these turns. */
  cancelled(turns: readonly LiveTurn[]): void {
    for (const turn of turns) this.#giveGrace(turn);
  }

  /** The session is over; with a `failure`, because the connection is. */
  end(failure: AcpError | undefined): void {
    for (const turn of this.#waiting)
      turn.finish(failure ? { failure } : { stopReason: "cancelled", agentConfirmed: true });
    for (const turn of this.#sent) this.#lose(turn, failure);
  }

  /** The turn is over. */
  remove(turn: LiveTurn): void {
    const others = (other: LiveTurn) => other !== turn;
    this.#sent = this.#sent.filter(others);
    this.#waiting = this.#waiting.filter(others);
    this.#sendNext();
  }

  /** All that goes on may be of this turn: an agent may begin before it takes the prompt (V2-PRM-10). */
  #isWorkOf(turn: LiveTurn): boolean {
    return this.#sent.length === 1 && !turn.isBehind;
  }

  #checkRoom(): void {
    const { holdsPrompts } = this.#parts.driver;
    const waiting = holdsPrompts ? this.#sent.filter((turn) => !turn.isAccepted) : this.#waiting;
    const isFull = waiting.length >= MAX_WAITING_PROMPTS;
    if (!isFull && this.#sent.length < MAX_OPEN_TURNS) return;
    const already = isFull ? `${MAX_WAITING_PROMPTS} wait` : `${MAX_OPEN_TURNS} turns are open`;
    const text = `The prompt was not taken: ${already} already. Wait for some to end, or cancel them.`;
    throw new AcpError("too_many_requests", text);
  }

  #admit(): void {
    if (this.#sent.length + this.#waiting.length === 0) return;
    const { whilePrompting } = this.#parts.options;
    if (whilePrompting === "replace") void this.#session.cancel();
    if (whilePrompting !== "reject") return;
    throw new AcpError("state", `Session ${this.#session.id} is busy with a prompt: wait for its end, or cancel it.`);
  }

  #sendNext(): void {
    const { driver } = this.#parts;
    const [next, ...others] = this.#waiting;
    if (next === undefined || (this.#sent.length > 0 && !driver.holdsPrompts)) return;
    this.#sent = [...this.#sent, next];
    this.#waiting = others;
    this.#unheard = true;
    driver.prompt(this.#session, next);
    next.sent();
  }

  #giveGrace(turn: LiveTurn): void {
    turn.giveGrace(this.graceMs, (late) => this.#lose(late));
  }

  /** A turn that was sent, and whose end nobody will tell; with a `failure`, because the connection is lost. */
  #lose(turn: LiveTurn, failure?: AcpError): void {
    const error = failure && { code: LOST, message: failure.message };
    this.#parts.driver.lose(this.#session, turn, error ? { stopReason: "error", error } : { stopReason: "cancelled" });
    turn.finish(failure ? { failure } : { stopReason: "cancelled", agentConfirmed: false });
  }
}
