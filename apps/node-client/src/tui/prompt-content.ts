import { type Folds, foldsIn, withPastes } from "./model/folds.js";

/** Maximum number of characters of a command's output that the agent gets. The newest ones are sent. */
const MAX_OUTPUT = 64 * 1024;

/**
 * Returns the content of a prompt: the text with pastes in full, followed by the output of each attached command.
 */
export function promptContent(text: string, folds: Folds): string {
  const outputs = foldsIn(text, folds).flatMap((fold) => {
    if (fold.type !== "output") return [];
    const cut = fold.text.slice(-MAX_OUTPUT).replace(/^[\udc00-\udfff]/, "");
    const which = cut.length < fold.text.length ? `the last ${cut.length} characters of its output` : "its output";
    const fence = fenceFor(`${fold.command}${cut}`);
    return [
      `I ran this command, and ${which} follows:\n\n${fence}sh\n${fold.command}\n${fence}\n\n${fence}\n${cut.trimEnd()}\n${fence}`,
    ];
  });
  return [withPastes(text, folds), ...outputs].join("\n\n");
}

/** Returns a fence of Markdown that the text does not contain. */
function fenceFor(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return "`".repeat(longest + 1);
}
