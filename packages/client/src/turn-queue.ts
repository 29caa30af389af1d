import { AcpError } from "@turnkit/transport";
import type { LiveTurn } from "./live-turn.js";

/** Prompts of one session that may wait, on this side or the agent's; one more is refused. */
const MAX_WAITING_PROMPTS = 100;

/**
 * The open turns of one session. Where the agent holds prompts itself all are sent at once; else one is answered, and the
 * others wait on this side in the order of their prompts. The lists are replaced and never changed.
 */
export class TurnQueue {
  readonly #send: (turn: LiveTurn) => void;
  readonly #atOnce: boolean;
  #sent: readonly LiveTurn[] = [];
  #waiting: readonly LiveTurn[] = [];

  /** @param send sends a prompt now */
  constructor(atOnce: boolean, send: (turn: LiveTurn) => void) {
    this.#atOnce = atOnce;
    this.#send = send;
  }

  /** The agent has these prompts. */
  get sent(): readonly LiveTurn[] {
    return this.#sent;
  }

  get waiting(): readonly LiveTurn[] {
    return this.#waiting;
  }

  /** @throws AcpError `too_many_requests` where too many wait already */
  checkRoom(): void {
    const waiting = this.#atOnce ? this.#sent.filter((turn) => !turn.isAccepted) : this.#waiting;
    if (waiting.length < MAX_WAITING_PROMPTS) return;
    const text = `The prompt was not taken: ${MAX_WAITING_PROMPTS} wait already. Wait for some to end, or cancel them.`;
    throw new AcpError("too_many_requests", text);
  }

  add(turn: LiveTurn): void {
    this.#waiting = [...this.#waiting, turn];
    this.#sendNext();
  }

  remove(turn: LiveTurn): void {
    const others = (other: LiveTurn) => other !== turn;
    this.#sent = this.#sent.filter(others);
    this.#waiting = this.#waiting.filter(others);
    this.#sendNext();
  }

  #sendNext(): void {
    const [next, ...others] = this.#waiting;
    if (next === undefined || (this.#sent.length > 0 && !this.#atOnce)) return;
    this.#sent = [...this.#sent, next];
    this.#waiting = others;
    this.#send(next);
  }
}
