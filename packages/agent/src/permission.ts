import type { PermissionOption, PermissionOutcome, PermissionQuestion } from "@turnkit/session";

/** Answer of the user, or of a policy of the client. */
export type PermissionAnswer = {
  /** True if an offered option of an allowing kind was selected. Everything else is no. */
  readonly allowed: boolean;
  /** Selected option; absent if the question was cancelled, dismissed or failed. */
  readonly option?: PermissionOption;
};

/** Default options of a question: allow and reject, once and always. */
export const defaultPermissionOptions: readonly PermissionOption[] = /* @__PURE__ */ Object.freeze([
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
  { optionId: "reject_always", name: "Always reject", kind: "reject_always" },
] as const);

// V1-PERM-07
/** Returns the answer of an outcome. Unknown outcomes and options that were not offered allow nothing. */
export function readAnswer(question: PermissionQuestion, outcome: PermissionOutcome): PermissionAnswer {
  if (outcome.outcome !== "selected") return { allowed: false };
  const option = question.options.find(({ optionId }) => optionId === outcome.optionId);
  if (option === undefined) return { allowed: false };
  return { allowed: option.kind === "allow_once" || option.kind === "allow_always", option };
}
