import type { Command } from "commander";
import { closestWords } from "../closest-words.js";
import { UsageError } from "../exit-code.js";

/** Commands of `turnkit-agent` that this program does not have. */
const AGENT_COMMANDS = ["login", "logout", "models"];

/** Returns the long option that a word may mean. Only the version has no other use as a word, so it may be misspelled. */
function optionsLike(word: string, program: Command): readonly string[] {
  const found = program.options.find(({ long }) => long === `--${word.toLowerCase()}`)?.long;
  if (found !== undefined && found !== null) return [found];
  return closestWords(word, ["version"]).map((name) => `--${name}`);
}

/**
 * Checks that the first word after a group of commands is one of its commands.
 *
 * @throws UsageError with the commands of the group
 */
export function checkNoWords([word]: readonly string[], group: Command): void {
  if (word === undefined) return;
  const names = group.commands.map((command) => command.name());
  const [near] = closestWords(word, names);
  const advice = near === undefined ? `Commands are ${names.join(", ")}.` : `Do you mean ${near}?`;
  throw new UsageError(`There is no command ${JSON.stringify(`${group.name()} ${word}`)}. ${advice}`);
}

/**
 * Checks the words of a prompt. Words that look like a misspelled command are refused, because a prompt may cost money:
 *
 * - the first of them is similar to a command, as in `turnkit sesions list`;
 * - they are one or two words, and the first is a part of a command, as in `turnkit list`;
 * - they are one or two words, and the first is a command of `turnkit-agent`, as in `turnkit login`;
 * - they are one word, which is an option, as in `turnkit version`.
 *
 * A first word with a space in it is always a prompt, so quotes help.
 *
 * @throws UsageError with the command that the words may mean
 */
export function checkPromptWords(words: readonly string[], program: Command): void {
  const [first = "", ...rest] = words;
  if (first === "" || /\s/.test(first)) return;
  const names = program.commands.map((command) => command.name());
  const near = closestWords(first, names).map((name) => [name, ...rest]);
  const inner = program.commands.filter(({ commands }) => commands.some((command) => command.name() === first));
  const nested = rest.length < 2 ? inner.map((command) => [command.name(), ...words]) : [];
  const options = near.length + nested.length + rest.length === 0 ? optionsLike(first, program) : [];
  const ofAgent = rest.length < 2 && AGENT_COMMANDS.includes(first) ? [`turnkit-agent ${words.join(" ")}`] : [];
  const own = [...near, ...nested, ...options.map((option) => [option])].map(
    (command) => `turnkit ${command.join(" ")}`,
  );
  const meant = [...own, ...ofAgent];
  if (meant.length === 0) return;
  const prompt = words.join(" ");
  throw new UsageError(
    `There is no command ${JSON.stringify(first)}. Do you mean ${meant.join(" or ")}? ` +
      `To send these words as a prompt: turnkit -p ${JSON.stringify(prompt)}`,
  );
}
