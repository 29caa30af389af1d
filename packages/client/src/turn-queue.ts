import { AcpError } from "@turnkit/transport";
import type { LostTurn, PromptMessage } from "./driver/driver.js";
import type { LiveTurn } from "./live-turn.js";

/** Prompts of one session that may wait, on this side or the agent's; one more is refused. */
const MAX_WAITING_PROMPTS = 100;

/** Of errors that did not come from the agent (JSON-RPC's internal error). */
const LOST = -32603;

type Waiting = { readonly turn: LiveTurn; readonly message: PromptMessage };

/**
 * The open turns of one session. Where the agent holds prompts itself all are sent at once; else one is answered, and the
 * others wait on this side in the order of their prompts.
 */
export class TurnQueue {
  readonly #send: (turn: LiveTurn, message: PromptMessage) => void;
  readonly #atOnce: boolean;
  #sent: readonly LiveTurn[] = [];
  #waiting: readonly Waiting[] = [];

  /** @param send sends a prompt now */
  constructor(atOnce: boolean, send: (turn: LiveTurn, message: PromptMessage) => void) {
    this.#atOnce = atOnce;
    this.#send = send;
  }

  /** The agent has these prompts. */
  get sent(): readonly LiveTurn[] {
    return this.#sent;
  }

  get waiting(): readonly LiveTurn[] {
    return this.#waiting.map(({ turn }) => turn);
  }

  /** @throws AcpError `too_many_requests` where too many wait already */
  checkRoom(): void {
    const waiting = this.#atOnce ? this.#sent.filter((turn) => !turn.isAccepted) : this.#waiting;
    if (waiting.length < MAX_WAITING_PROMPTS) return;
    const text = `The prompt was not taken: ${MAX_WAITING_PROMPTS} wait already. Wait for some to end, or cancel them.`;
    throw new AcpError("too_many_requests", text);
  }

  add(turn: LiveTurn, message: PromptMessage): void {
    this.#waiting = [...this.#waiting, { turn, message }];
    this.#sendNext();
  }

  remove(turn: LiveTurn): void {
    if (this.#sent.includes(turn)) this.#sent = this.#sent.filter((other) => other !== turn);
    else this.#waiting = this.#waiting.filter((other) => other.turn !== turn);
    this.#sendNext();
  }

  /** The session is over; with a `failure`, because the connection is. `lose` tells it of those that were sent. */
  end(failure: AcpError | undefined, lose: (turn: LiveTurn, how: LostTurn) => void): void {
    const { sent, waiting } = this;
    for (const turn of waiting) turn.finish(failure ? { failure } : { stopReason: "cancelled", confirmed: true });
    for (const turn of sent) {
      const error = failure && { code: LOST, message: failure.message };
      lose(turn, error ? { stopReason: "error", error } : { stopReason: "cancelled" });
      turn.finish(failure ? { failure } : { stopReason: "cancelled", confirmed: false });
    }
  }

  #sendNext(): void {
    const [next, ...others] = this.#waiting;
    if (next === undefined || (this.#sent.length > 0 && !this.#atOnce)) return;
    this.#sent = [...this.#sent, next.turn];
    this.#waiting = others;
    this.#send(next.turn, next.message);
  }
}
