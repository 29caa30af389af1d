import type { PermissionOption, PermissionOutcome, PermissionQuestion } from "@turnkit/session";

/** How the user, or a policy of the client, answered. */
export type PermissionAnswer = {
  /** Whether an offered option of an allowing kind was selected. Everything else is no. */
  readonly allowed: boolean;
  /** What was selected; absent when the question was cancelled, dismissed or failed. */
  readonly option?: PermissionOption;
};

/** The four usual options: once and always, allow and reject. */
export const defaultPermissionOptions: readonly PermissionOption[] = /* @__PURE__ */ Object.freeze([
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
  { optionId: "reject_always", name: "Always reject", kind: "reject_always" },
] as const);

/** Reads an outcome safely: unknown outcomes and options that were not offered are never an approval (V1-PERM-07). */
export function readAnswer(question: PermissionQuestion, outcome: PermissionOutcome): PermissionAnswer {
  if (outcome.outcome !== "selected") return { allowed: false };
  const option = question.options.find(({ optionId }) => optionId === outcome.optionId);
  if (option === undefined) return { allowed: false };
  return { allowed: option.kind === "allow_once" || option.kind === "allow_always", option };
}
