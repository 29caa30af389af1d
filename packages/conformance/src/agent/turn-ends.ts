import { type Entry, updateOf } from "../entry.js";

/** Number of turns without an end after which no further prompt is sent. */
const MISSED = 3;

/** Reason of a check that needs a turn, if the turns of the agent never end. */
export const NO_TURN_ENDS = `The check was not tried: the runner has waited for ${MISSED} turns in vain, and no turn has ended.`;

/** Counts the turns of a run that did not end in time, until the first one ends. All conversations of the run share it. */
export class TurnEnds {
  #missed = 0;
  #hasEnded = false;

  /** Notes an entry of the agent in a conversation that has sent a prompt. An error is not the end of a turn. */
  saw(entry: Entry, turnEnd: "answer" | "idle"): void {
    const isAnswer = entry.kind === "result" && entry.method === "session/prompt";
    if (turnEnd === "answer" ? isAnswer : updateOf(entry)?.state === "idle") this.#hasEnded = true;
  }

  /** Records that a wait for a message of a turn reached its time limit. */
  missed(): void {
    this.#missed += 1;
  }

  /** `true` if a wait for a turn reached its time limit, and no turn has ended. */
  get areLate(): boolean {
    return !this.#hasEnded && this.#missed > 0;
  }

  /** `true` if so many turns did not end that further prompts are not sent. Always `false` after one turn has ended. */
  get areMissing(): boolean {
    return !this.#hasEnded && this.#missed >= MISSED;
  }
}
