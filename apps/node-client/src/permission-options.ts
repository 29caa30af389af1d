import type { PermissionOption } from "@turnkit/session";

/** Kinds of options in the order in which they are shown. Options that decide only once come first. */
const order: readonly string[] = ["allow_once", "reject_once", "allow_always", "reject_always"];

/**
 * Returns the options in the order in which they are shown. The order of the agent counts only among options of the same
 * kind, so an agent does not decide what the key `1` means.
 */
export function inShownOrder(options: readonly PermissionOption[]): readonly PermissionOption[] {
  const rank = ({ kind }: PermissionOption) => {
    const at = order.indexOf(String(kind));
    return at < 0 ? order.length : at;
  };
  return [...options].sort((one, other) => rank(one) - rank(other));
}
