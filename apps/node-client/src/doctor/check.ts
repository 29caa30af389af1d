import type { Evidence } from "./evidence.js";

/** Something that an agent does wrong. */
export type Finding = {
  /** `problem`: it breaks the protocol, or a client will stumble over it. `hint`: it could be better. */
  readonly severity: "problem" | "hint";
  readonly seen: string;
  readonly advice: string;
};

/** One thing that is looked at. */
export type Check = {
  /** Stable, for scripts. */
  readonly id: string;
  /** What is fine when nothing was found. */
  readonly title: string;
  /** `untested` where the examination did not get so far, or the agent does not offer it. */
  look(evidence: Evidence): Finding | "untested" | undefined;
};

/** Several things with how many they are, the first of them quoted; `many` is what more than one are called. */
export function counted(things: readonly string[], one: string, many = `${one}s`): string {
  const [first = ""] = things;
  const quoted = first.length > 200 ? `${first.slice(0, 200)}…` : first;
  return things.length === 1 ? `one ${one}: ${quoted}` : `${things.length} ${many}, the first: ${quoted}`;
}
