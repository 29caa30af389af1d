import { dropOldest } from "../oldest.js";

/** Maximum number of keys whose prompts are remembered. A further attempt with an older key counts as another prompt. */
const MAX_KEYS = 100;

/** Function that gets the answer to a prompt, or its error. */
type Settle<A> = (answer: A | undefined, error: object | undefined) => void;

type Attempts<A> = { readonly promptId: string; open: number; isAccepted: boolean; settle: Settle<A> };

const nothing = (): void => undefined;

/** Attempts to send the prompts of one session, by key. All attempts with one key are one prompt. */
// P-IDEM-14
export class WatchedAttempts<A> {
  readonly #byKey = new Map<string, Attempts<A>>();

  /**
   * Begins an attempt, and returns the function that settles it.
   *
   * @param send applies the prompt under an id, and returns the function that settles the prompt. It is not called while another
   *   attempt is open, and after an attempt was accepted
   */
  begin(key: string | undefined, promptId: string, send: (promptId: string) => Settle<A>): Settle<A> {
    if (key === undefined) return send(promptId);
    const attempts = this.#byKey.get(key) ?? this.#add(key, promptId);
    if (attempts.isAccepted) return nothing;
    attempts.open += 1;
    if (attempts.open === 1) attempts.settle = send(attempts.promptId);
    return (answer, error) => {
      attempts.open -= 1;
      // Another attempt may still be accepted.
      if (attempts.isAccepted || (error !== undefined && attempts.open > 0)) return;
      attempts.isAccepted = error === undefined;
      attempts.settle(answer, error);
    };
  }

  #add(key: string, promptId: string): Attempts<A> {
    const attempts = { promptId, open: 0, isAccepted: false, settle: nothing };
    this.#byKey.set(key, attempts);
    dropOldest(this.#byKey, MAX_KEYS);
    return attempts;
  }
}
