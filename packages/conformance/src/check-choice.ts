import { checkArgument, type OptionTypes } from "@turnkit/transport";
import type { CheckFacts } from "./check.js";
import type { DialectName } from "./dialects/dialect.js";

/** Choice of checks. */
export type CheckChoice = {
  /**
   * Protocol of the run: version 1, the Preview of version 2, or its draft of June 2026.
   *
   * @defaultValue 1
   */
  readonly protocol?: 1 | 2 | "seed";
  /**
   * `quick` has the checks that find most faults.
   *
   * @defaultValue `full`
   */
  readonly suite?: "quick" | "full";
  /** Ids of checks to run, in place of a suite. */
  readonly only?: readonly string[];
};

/** Types of the options that choose checks. */
export const CHOICE: OptionTypes<CheckChoice> = { protocol: "any", suite: ["quick", "full"], only: "any" };

/**
 * Returns the chosen checks, in their order. `kind` names the checks in the error for an unknown id.
 *
 * @throws RangeError for an id in `only` that no check of the protocol has
 * @throws TypeError for an unknown protocol
 */
export function chosen<C extends CheckFacts>(checks: readonly C[], choice: CheckChoice, kind: string): readonly C[] {
  const { protocol = 1, suite = "full", only } = choice;
  const name = dialectOf(protocol);
  const all = checks.filter(({ dialects }) => dialects.includes(name));
  if (only === undefined) return suite === "full" ? all : all.filter(({ quick }) => quick);
  const unknown = only.find((id) => !all.some((check) => check.id === id));
  if (unknown !== undefined) throw new RangeError(`No ${kind} of protocol ${protocol} has the id ${unknown}.`);
  return all.filter(({ id }) => only.includes(id));
}

/** Returns the name of the dialect of a protocol. */
export function dialectOf(protocol: 1 | 2 | "seed"): DialectName {
  const isKnown = ([1, 2, "seed"] as readonly unknown[]).includes(protocol);
  checkArgument(isKnown, "protocol", { got: protocol, remedy: 'pass 1, 2 or "seed"' });
  return protocol === "seed" ? "seed" : `v${protocol}`;
}
