import type { Evidence } from "./evidence.js";

/** Fault of an agent. */
export type Finding = {
  /** `problem`: breaks the protocol or a client. `hint`: could be better. */
  readonly severity: "problem" | "hint";
  readonly seen: string;
  readonly advice: string;
};

/** One row of the doctor's table. */
export type Check = Pick<Finding, "severity" | "advice"> & {
  /** Stable, for scripts. */
  readonly id: string;
  /** Statement that holds if nothing is found. */
  readonly title: string;
  /** Returns `false` if the examination did not get so far, or the agent does not offer the feature. */
  readonly tested: (evidence: Evidence) => boolean;
  /** Returns the fault that was seen, with another severity or advice where the row's does not fit. */
  readonly seen: (evidence: Evidence) => string | (Partial<Finding> & Pick<Finding, "seen">) | undefined;
};

/** Applies one check to the evidence; `undefined` means no fault. */
export function look({ severity, advice, tested, seen }: Check, evidence: Evidence): Finding | "untested" | undefined {
  if (!tested(evidence)) return "untested";
  const found = seen(evidence);
  if (found === undefined) return undefined;
  return { severity, advice, ...(typeof found === "string" ? { seen: found } : found) };
}

/** Counts faults and quotes the first; `undefined` without any. `many` is the plural of `one`. */
export function counted(things: readonly string[], one: string, many = `${one}s`): string | undefined {
  const [first] = things;
  if (first === undefined) return undefined;
  const quoted = first.length > 200 ? `${first.slice(0, 200)}…` : first;
  return things.length === 1 ? `one ${one}: ${quoted}` : `${things.length} ${many}, the first: ${quoted}`;
}
