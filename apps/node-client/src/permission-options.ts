import type { PermissionDecision } from "@turnkit/client";
import type { PermissionOption } from "@turnkit/session";

/** Kinds of options in the order in which they are shown. Options that decide only once come first. */
const order: readonly string[] = ["allow_once", "reject_once", "allow_always", "reject_always"];

/**
 * Returns the options in the order in which they are shown. Only options of the same kind keep the order of the agent,
 * so an agent cannot decide the meaning of the key `1`.
 */
export function inShownOrder(options: readonly PermissionOption[]): readonly PermissionOption[] {
  const rank = ({ kind }: PermissionOption) => {
    const at = order.indexOf(String(kind));
    return at < 0 ? order.length : at;
  };
  return [...options].sort((one, other) => rank(one) - rank(other));
}

/** Reserved answers with the kind of option that they choose. */
const reserved: Readonly<Record<string, string | undefined>> = {
  ...{ y: "allow_once", yes: "allow_once", a: "allow_always", always: "allow_always" },
  ...{ n: "reject_once", no: "reject_once", "0": undefined, c: undefined, cancel: undefined },
};

/**
 * Reads a typed answer, which is the number of an option or a reserved word. The names of options are ignored, because
 * an agent could call an option "No, proceed". Returns `undefined` for other answers, and for an allowing word that
 * does not fit exactly one option.
 */
export function chooseByAnswer(answer: string, options: readonly PermissionOption[]): PermissionDecision | undefined {
  const typed = answer.trim().toLowerCase();
  if (Object.hasOwn(reserved, typed)) {
    const kind = reserved[typed];
    const option = kind === undefined ? undefined : optionOfKind(kind, options);
    if (option !== undefined) return { outcome: "selected", optionId: option.optionId };
    return kind?.startsWith("allow") ? undefined : { outcome: "cancelled" };
  }
  const option = /^\d{1,9}$/.test(typed) ? options[Number(typed) - 1] : undefined;
  return option && decisionOn(option, options);
}

/**
 * Returns the decision for an option that a person chose. If another option has the same id, a refusal becomes a
 * cancel, and all other choices become `undefined`. Otherwise, the agent could confuse the two options.
 */
export function decisionOn(
  { optionId, kind }: PermissionOption,
  options: readonly PermissionOption[],
): PermissionDecision | undefined {
  if (options.filter((one) => one.optionId === optionId).length === 1) return { outcome: "selected", optionId };
  return String(kind).startsWith("reject") ? { outcome: "cancelled" } : undefined;
}

/** Returns the option of a kind. Returns `undefined` if several options have this kind or this id. */
export function optionOfKind(kind: string, options: readonly PermissionOption[]): PermissionOption | undefined {
  const [option, ...others] = options.filter((one) => String(one.kind) === kind);
  const isUnique = options.filter(({ optionId }) => optionId === option?.optionId).length === 1;
  return others.length === 0 && isUnique ? option : undefined;
}
