import type { PermissionOption } from "@turnkit/session";
import { type AskOptions, openLineDialogue } from "./line-dialogue.js";
import { chooseByAnswer, type PermissionChoice } from "./permission-mode.js";

/**
 * Reads the answer to a permission question that stands on the screen already. Asks again until the answer fits; the end
 * of the input and a withdrawn question choose nothing.
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
