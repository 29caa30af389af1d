import type { PermissionOption } from "@turnkit/session";

/** What `--permissions` may say. */
export const permissionModes = ["ask", "allow", "deny"] as const;

/** How permission questions are answered. */
export type PermissionMode = (typeof permissionModes)[number];

/** An answer: one of the offered options, or none of them. */
export type PermissionChoice = { readonly select: string } | { readonly cancel: true };

/**
 * Reads what a person typed: the number of an option as listed, the beginning of its name, or `0` for none of them.
 * `undefined` means that it fits no option, or more than one, so the question has to be put again.
 */
export function chooseByAnswer(answer: string, options: readonly PermissionOption[]): PermissionChoice | undefined {
  const typed = answer.trim().toLowerCase();
  if (typed === "") return undefined;
  if (/^\d+$/.test(typed)) {
    const number = Number(typed);
    if (number === 0) return { cancel: true };
    const option = options[number - 1];
    return option === undefined ? undefined : { select: option.optionId };
  }
  const fitting = options.filter(({ name }) => name.toLowerCase().startsWith(typed));
  // "Allow" fits "Allow" and "Allow always": the exact name wins.
  const option = fitting.length === 1 ? fitting[0] : fitting.find(({ name }) => name.toLowerCase() === typed);
  if (option !== undefined) return { select: option.optionId };
  return fitting.length === 0 && "cancel".startsWith(typed) ? { cancel: true } : undefined;
}
