import type { SessionState } from "@turnkit/session";
import { matchCandidates } from "@turnkit/web/match-files";
import { mentionBefore, mentionOf, type TypedMention } from "@turnkit/web/mentions";
import { commandsOf, completions } from "./commands.js";
import { inputOf, type TextInput } from "./text-input.js";
import type { Ui } from "./ui.js";

/** Row of the list below the prompt: a command or a file. */
export type Offer = {
  /** Text that the row shows, as the person would type it. */
  readonly label: string;
  readonly description: string;
  /** Prompt with the completed text. */
  readonly input: TextInput;
};

const MAX_FILES = 100;

/** Returns the commands or the files that complete the text before the cursor. */
export function offersFor(ui: Ui, state: SessionState): readonly Offer[] {
  if (ui.completionClosed) return [];
  const { input, files } = ui;
  const mention = typedMention(input);
  if (mention !== undefined) return files === undefined ? [] : mentionOffers(input, mention, files);
  return completions(input.text, commandsOf(state)).map(({ name, description, hint }) => ({
    label: `/${name}`,
    description: `${description}${hint === undefined ? "" : `  <${hint}>`}`,
    input: inputOf(`/${name}${hint === undefined ? "" : " "}`),
  }));
}

/** Returns the mention that the person types. A command line of the shell has none. */
export function typedMention(input: TextInput): TypedMention | undefined {
  return input.text.startsWith("!") ? undefined : mentionBefore(input);
}

let last: { readonly files: readonly string[]; readonly path: string; readonly found: readonly string[] } | undefined;

function mentionOffers(input: TextInput, { start, path }: TypedMention, files: readonly string[]): readonly Offer[] {
  // Each frame asks for the same files again.
  if (last?.files !== files || last.path !== path)
    last = { files, path, found: matchCandidates(files, path, MAX_FILES) };
  const { text, cursor } = input;
  return last.found.flatMap((one) => {
    const label = mentionOf(one);
    if (label === undefined) return [];
    // After a folder, the person can type the names inside it. The quotes of a folder therefore stay open.
    const isFolder = one.endsWith("/");
    const added = isFolder ? label.replace(/(["'])$/, "") : `${label} `;
    return [
      {
        ...{ label, description: isFolder ? "folder" : "" },
        input: { text: text.slice(0, start) + added + text.slice(cursor), cursor: start + added.length },
      },
    ];
  });
}
