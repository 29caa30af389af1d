import type { ContentBlock } from "@turnkit/session";
import { AcpError } from "@turnkit/transport";
import type { LiveTurn } from "./live-turn.js";

/** Prompts of one session that may wait on this side; one more is refused. */
const MAX_WAITING_PROMPTS = 100;

type Waiting = { readonly turn: LiveTurn; readonly content: readonly ContentBlock[] };

/** The open turns of one session: one is answered, the others wait on this side in the order of their prompts. */
export class TurnQueue {
  readonly #send: (turn: LiveTurn, content: readonly ContentBlock[]) => void;
  #running: LiveTurn | undefined;
  #waiting: readonly Waiting[] = [];

  /** @param send sends a prompt now */
  constructor(send: (turn: LiveTurn, content: readonly ContentBlock[]) => void) {
    this.#send = send;
  }

  get running(): LiveTurn | undefined {
    return this.#running;
  }

  get waiting(): readonly LiveTurn[] {
    return this.#waiting.map(({ turn }) => turn);
  }

  /** @throws AcpError `too_many_requests` where too many wait already */
  checkRoom(): void {
    if (this.#waiting.length < MAX_WAITING_PROMPTS) return;
    const text = `The prompt was not taken: ${MAX_WAITING_PROMPTS} wait already. Wait for some to end, or cancel them.`;
    throw new AcpError("too_many_requests", text);
  }

  add(turn: LiveTurn, content: readonly ContentBlock[]): void {
    this.#waiting = [...this.#waiting, { turn, content }];
    this.#sendNext();
  }

  remove(turn: LiveTurn): void {
    if (this.#running === turn) this.#running = undefined;
    else this.#waiting = this.#waiting.filter((other) => other.turn !== turn);
    this.#sendNext();
  }

  #sendNext(): void {
    const [next, ...others] = this.#waiting;
    if (this.#running !== undefined || next === undefined) return;
    this.#running = next.turn;
    this.#waiting = others;
    this.#send(next.turn, next.content);
  }
}
