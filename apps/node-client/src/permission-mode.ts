import type { PermissionDecision } from "@turnkit/client";
import type { PermissionOption } from "@turnkit/session";
import { type Judge, readPolicyFile } from "./setup/policy-file.js";
import { UsageError } from "./usage-error.js";

/** What `--permissions` may say beside the path of a policy file. */
export const permissionModes = ["ask", "allow", "allow-reads", "deny"] as const;

/** One of the words in {@link permissionModes}. */
export type PermissionMode = (typeof permissionModes)[number];

/** How each mode decides. What it leaves open is asked. */
export const judges: Readonly<Record<PermissionMode, Judge>> = {
  ask: () => undefined,
  allow: () => "allow",
  "allow-reads": ({ kind, place }) =>
    (kind === "read" || kind === "search") && place === "inside" ? "allow" : undefined,
  deny: () => "reject",
};

/**
 * Who decides, by the value of `--permissions`: a mode, or the path of a policy file.
 *
 * @throws UsageError for another word, and for a file that is missing or makes no sense
 */
export async function readPermissions(value: string): Promise<Judge> {
  const mode = permissionModes.find((known) => known === value);
  if (mode !== undefined) return judges[mode];
  if (/[\\/]|\.json$/.test(value)) return readPolicyFile(value);
  throw new UsageError(`--permissions is ${permissionModes.join(", ")} or a policy file (.json), not "${value}".`);
}

/** An answer: one of the offered options, or none of them. */
export type PermissionChoice = PermissionDecision;

/**
 * Reads what a person typed: the number of an option as listed, the beginning of its name, or `0` for none of them.
 * `undefined` means that it fits no option, or more than one, so the question has to be put again.
 */
export function chooseByAnswer(answer: string, options: readonly PermissionOption[]): PermissionChoice | undefined {
  const typed = answer.trim().toLowerCase();
  if (typed === "") return undefined;
  if (/^\d+$/.test(typed)) {
    const number = Number(typed);
    if (number === 0) return { outcome: "cancelled" };
    const option = options[number - 1];
    return option === undefined ? undefined : { outcome: "selected", optionId: option.optionId };
  }
  const fitting = options.filter(({ name }) => name.toLowerCase().startsWith(typed));
  // "Allow" fits "Allow" and "Allow always": the exact name wins.
  const option = fitting.length === 1 ? fitting[0] : fitting.find(({ name }) => name.toLowerCase() === typed);
  if (option !== undefined) return { outcome: "selected", optionId: option.optionId };
  return fitting.length === 0 && "cancel".startsWith(typed) ? { outcome: "cancelled" } : undefined;
}
