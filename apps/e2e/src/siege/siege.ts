import { type Place, type Scale, Target } from "./attack.js";
import { forgeries } from "./forgeries.js";
import { loadAttacks } from "./load-attacks.js";
import { memoryAttacks } from "./memory-attacks.js";

/** Outcome of one attack. */
export type Outcome = { readonly name: string; readonly expected: string; readonly outcome: string };

/** Makes every attack on a server, one after the other. `ended` is called after each. */
export async function besiege(place: Place, scale: Scale, ended: (one: Outcome) => unknown = () => {}) {
  const outcomes: Outcome[] = [];
  for (const { name, expected, run } of [...forgeries, ...loadAttacks, ...memoryAttacks]) {
    const target = new Target(place, scale);
    const outcome = await run(target).catch((error: Error) => `fails: ${error.message}`);
    target.end();
    outcomes.push({ name, expected, outcome });
    await ended({ name, expected, outcome });
  }
  return outcomes;
}
