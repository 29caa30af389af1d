import type { PermissionQuestion } from "@turnkit/session";

/** Answer to a permission question: one of its options, or a dismissal. The words are the protocol's. */
export type PermissionDecision =
  | { readonly outcome: "selected"; readonly optionId: string }
  | { readonly outcome: "cancelled" };

type Options = Pick<PermissionQuestion, "options">;

/**
 * Selects the option of kind `allow_once`. Cancels the question if there is none, or more than one: only a person can
 * choose between several.
 *
 * @example
 * const permissions: PermissionPolicy = (question) => allowOnce(question);
 */
export function allowOnce({ options }: Options): PermissionDecision {
  return onlyOption(options, "allow_once");
}

/** Selects the option of kind `reject_once`. Cancels the question if there is none, or more than one. */
export function rejectOnce({ options }: Options): PermissionDecision {
  return onlyOption(options, "reject_once");
}

function onlyOption(options: Options["options"], kind: string): PermissionDecision {
  const fitting = options.filter((option) => option.kind === kind);
  const [option] = fitting;
  // An id that two options share would select the other one too.
  const isClear = fitting.length === 1 && options.filter(({ optionId }) => optionId === option?.optionId).length === 1;
  return option && isClear ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
}
