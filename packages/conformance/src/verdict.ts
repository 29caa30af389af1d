import { type Entry, labelOf, show } from "./entry.js";

/** Reason why a check failed, with the entries that show it. It is not an `Error`, because its stack is not needed. */
export class CheckFailed {
  readonly message: string;
  readonly entries: readonly Entry[];
  /** Tier of this failure, if it is not the one of the check. */
  readonly tier: "advisory" | undefined;

  constructor(message: string, entries: readonly (Entry | undefined)[], tier?: "advisory") {
    this.message = message;
    this.tier = tier;
    this.entries = entries.filter((entry) => entry !== undefined);
  }
}

/** Reason why a check says nothing about this agent. Like {@link CheckFailed}, it is not an `Error`. */
export class CheckSkipped {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Ends a check as failed. */
export function fail(reason: string, ...entries: readonly (Entry | undefined)[]): never {
  throw new CheckFailed(reason, entries);
}

/** Ends a check without a verdict. */
export function skip(reason: string): never {
  throw new CheckSkipped(reason);
}

/** Fails unless the condition holds. */
export function expect(
  condition: boolean,
  reason: string,
  ...entries: readonly (Entry | undefined)[]
): asserts condition {
  if (!condition) fail(reason, ...entries);
}

/** Fails unless an answer is a result. */
export function expectResult(answer: Entry): void {
  expect(
    answer.kind === "result",
    `${labelOf(answer)} came, not a result: ${show(answer.frame)}`,
    answer.request,
    answer,
  );
}

/** Fails unless an answer is an error with one of the codes. Without codes, any error fits. */
export function expectError(answer: Entry, ...codes: readonly number[]): void {
  const wanted = codes.length === 0 ? "an error" : `an error ${codes.join(" or ")}`;
  const { error } = answer.frame as { readonly error?: { readonly code?: unknown } };
  const fits = answer.kind === "error" && (codes.length === 0 || codes.includes(error?.code as number));
  expect(
    fits,
    `expected ${wanted} for ${answer.method ?? "the request"}, got ${show(answer.frame)}`,
    answer.request,
    answer,
  );
}
