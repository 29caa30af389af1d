import type { PermissionOption } from "@turnkit/session";
import { type AskOptions, openLineDialogue } from "./line-dialogue.js";
import type { PermissionChoice } from "./view.js";

/**
 * Reads the answer to a permission question that is on the screen already. Asks again until the answer fits. The end of
 * the input and a withdrawn question cancel it.
 */
export async function askPerson(options: readonly PermissionOption[], asking: AskOptions): Promise<PermissionChoice> {
  const dialogue = openLineDialogue(asking);
  try {
    for (;;) {
      const line = await dialogue.ask(`Your choice (1–${options.length} or the beginning of a name, 0 for none): `);
      const choice = line === undefined ? ({ outcome: "cancelled" } as const) : chooseByAnswer(line, options);
      if (choice !== undefined) return choice;
    }
  } finally {
    dialogue.close();
  }
}

/**
 * Reads a typed answer: the number of an option, the beginning of its name, or `0` for none of them. Returns
 * `undefined` if it fits no option, or more than one.
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
