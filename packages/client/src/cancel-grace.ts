import type { LiveTurn } from "./live-turn.js";

/** The longest that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Gives turns up that their agent does not end in time after a cancel. */
export class CancelGrace {
  readonly #graceMs: number;
  readonly #giveUp: (turn: LiveTurn) => void;
  readonly #timers = new Map<LiveTurn, ReturnType<typeof setTimeout>>();

  constructor(graceMs: number, giveUp: (turn: LiveTurn) => void) {
    this.#graceMs = graceMs;
    this.#giveUp = giveUp;
  }

  /** The agent was told to end these. Who is told again gets no more time. */
  start(turns: readonly LiveTurn[]): void {
    if (this.#graceMs > MAX_TIMER_MS) return;
    for (const turn of turns) {
      if (this.#timers.has(turn) || turn.isOver) continue;
      this.#timers.set(
        turn,
        setTimeout(() => this.#giveUp(turn), this.#graceMs),
      );
    }
  }

  /** The turn is over. */
  stop(turn: LiveTurn): void {
    clearTimeout(this.#timers.get(turn));
    this.#timers.delete(turn);
  }
}
