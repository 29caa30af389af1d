import type { AvailableCommand } from "@turnkit/agent";
import type { Markdown } from "./frontmatter.js";

const MAX_DESCRIPTION = 1_024;

/**
 * Maximum length of the text that replaces the placeholders of a command, in characters. Further placeholders stay
 * empty.
 */
const MAX_FILLED = 1_048_576;

/** Command or skill that a Markdown file of the user or of a project describes. */
export type OwnCommand = {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  readonly body: string;
  /** Folder of a skill, which may contain further files. Absent for a command. */
  readonly folder?: string;
  /** Path of the folder after its links, when the skill was read. */
  readonly realFolder?: string;
  /** `true` if the user can call it as a slash command. */
  readonly isForUser: boolean;
  /** `true` if the model can decide to use it. Only skills are for models. */
  readonly isForModel: boolean;
};

/** Returns the command of a file. A description or a hint in the header is used only if it is text. */
export function toOwnCommand(
  name: string,
  { header, body }: Markdown,
  { folder, realFolder }: Pick<OwnCommand, "folder" | "realFolder"> = {},
): OwnCommand {
  const text = (key: string) => (typeof header[key] === "string" ? header[key].trim() : "");
  const firstLine = body.split("\n", 1)[0]?.replace(/^#+\s*/, "") ?? "";
  const hint = text("argument-hint");
  return {
    name,
    description: withSingleSpaces(text("description") || firstLine, MAX_DESCRIPTION),
    ...(hint !== "" && { hint: hint.slice(0, 200) }),
    body,
    ...(folder !== undefined && { folder, realFolder }),
    isForUser: header["user-invocable"] !== false,
    isForModel: folder !== undefined && header["disable-model-invocation"] !== true,
  };
}

export function toOffer({ name, description, hint, folder }: OwnCommand): AvailableCommand {
  return {
    type: "command",
    name,
    description,
    input: { type: "text", hint: hint ?? (folder ? "what to do" : "input") },
  };
}

/** Returns the first `most` characters of a text with single spaces. The rest of the text is not read. */
function withSingleSpaces(text: string, most: number): string {
  let short = "";
  for (const [part] of text.matchAll(/\s+|\S+/g)) {
    short += part.trim() === "" ? " " : part;
    if (short.length >= most) break;
  }
  return short.slice(0, most);
}

/** Returns the first nine words of an input, which have the placeholders `$1` to `$9`. */
function firstWords(input: string): readonly string[] {
  const words: string[] = [];
  for (const [, double, single, bare] of input.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
    words.push(double ?? single ?? bare ?? "");
    if (words.length === 9) break;
  }
  return words;
}

/**
 * Returns the prompt of a command with the text after it:
 *
 * - `$ARGUMENTS` is the whole text, and `$1` to `$9` are its words; quotes join words.
 * - Without a placeholder, the text follows at the end.
 * - All placeholders together get at most 1 Mi characters. Further placeholders stay empty, and a note says so.
 * - Commands for a shell in the text are not run. The model can run them like any other command.
 */
export function expandOwnCommand({ body, folder }: OwnCommand, input: string): string {
  const words = firstWords(input);
  let isUsed = false;
  let room = MAX_FILLED;
  const filled = body.replace(/\$ARGUMENTS\b|\$([1-9])(?!\d)/g, (_, place?: string) => {
    isUsed = true;
    const text = place === undefined ? input : (words[Number(place) - 1] ?? "");
    room -= text.length;
    return room < 0 ? "" : text;
  });
  return [
    filled,
    ...(isUsed || input === "" ? [] : [`Input: ${input}`]),
    ...(room < 0 ? ["Some places of this command are empty, because its input is too long for all of them."] : []),
    ...(/!`[^`\n]+`/.test(body)
      ? ["Where this text has !`command`, nothing was run. Use run_command if you need the output."]
      : []),
    ...(folder === undefined ? [] : [`The files of this skill are in ${folder}; read them with the tool skill.`]),
  ].join("\n\n");
}
