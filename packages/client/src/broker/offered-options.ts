import type { PermissionOption, PermissionQuestion } from "@turnkit/session";

type Offered = Pick<PermissionQuestion, "options">;

/** Returns the offered option of the earliest kind in `kinds`. Skips an option whose id is not unique. */
export function oneOf(options: readonly PermissionOption[], kinds: readonly string[]): PermissionOption | undefined {
  const counts = new Map<string, number>();
  for (const { optionId } of options) counts.set(optionId, (counts.get(optionId) ?? 0) + 1);
  return kinds
    .map((kind) => options.find((option) => option.kind === kind && counts.get(option.optionId) === 1))
    .find((option) => option !== undefined);
}

/** Returns the offered option with an id. */
export function optionNamed({ options }: Offered, optionId: string): PermissionOption | undefined {
  return options.find((option) => option.optionId === optionId);
}

/** Returns the meaning of an option. Returns `undefined` for an option of an unknown kind. */
export function verdictOfOption({ kind }: PermissionOption): "allow" | "reject" | undefined {
  if (kind === "allow_once" || kind === "allow_always") return "allow";
  return kind === "reject_once" || kind === "reject_always" ? "reject" : undefined;
}
