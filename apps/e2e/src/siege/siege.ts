import { type Scale, Target } from "./attack.js";
import { forgeries } from "./forgeries.js";
import { loadAttacks } from "./load-attacks.js";

/** Outcome of one attack. */
export type Outcome = { readonly name: string; readonly expected: string; readonly outcome: string };

/** Makes every attack on a port, one after the other. `ended` is called after each. */
export async function besiege(port: number, scale: Scale, ended: (one: Outcome) => unknown = () => {}) {
  const outcomes: Outcome[] = [];
  for (const { name, expected, run } of [...forgeries, ...loadAttacks]) {
    const target = new Target(port, scale);
    const outcome = await run(target).catch((error: Error) => `fails: ${error.message}`);
    target.end();
    outcomes.push({ name, expected, outcome });
    await ended({ name, expected, outcome });
  }
  return outcomes;
}
