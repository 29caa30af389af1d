import { isPackageRunner } from "./package-runner.js";
import { parseCommandLine } from "./parse-command-line.js";

/** Shells that take a command line as an argument, without a folder or in a folder of the system. */
const shells = /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|dash|zsh)$/;

/** Built-in commands that change the effect of the commands after them. */
const changing =
  /^(?:cd|chdir|pushd|popd|exec|trap|hash|read|getopts|mapfile|readarray|wait|umask|disable|unhash|unfunction|functions|zmodload|autoload|vared|zparseopts|printf|print|unset)$/;

/** Built-in commands that evaluate their arguments, or use them to set variables. */
const evaluating = /^(?:let|export|declare|typeset|local|readonly|float|integer|private|nameref)$/;

/** Built-in commands that evaluate the subscript in the name of a variable, as in `test -v 'a[$(id)]'`. */
const subscripted = /^(?:test|\[|printf|print|wait|unset|read|mapfile|readarray)$/;

/**
 * Returns the program and arguments of every command in a command line or list of arguments. `bash -lc LINE` and
 * similar commands count as LINE. Returns `undefined` unless all these conditions hold:
 *
 * - `parseCommandLine` can parse the line, and the line has no redirections and no patterns for file names.
 * - No command changes the effect of the commands after it, as `cd` does.
 * - No built-in command evaluates its arguments, as `let` does.
 *
 * A rule may allow the line if it allows each returned command.
 */
export function commandsIn(command: string | readonly string[]): readonly (readonly string[])[] | undefined {
  if (typeof command !== "string") {
    const [program = "", flag, line, ...rest] = command;
    if (!shells.test(program)) return command.length > 0 ? [command] : undefined;
    return /^-l?c$/.test(flag ?? "") && line !== undefined && rest.length === 0 ? commandsIn(line) : undefined;
  }
  const commands = parseCommandLine(command);
  if (commands === undefined) return undefined;
  const isPlain = commands.every(
    ({ words, redirections }) => redirections.length === 0 && words.every(({ isGlob }) => !isGlob),
  );
  if (!isPlain || commands.some(({ words: [program, ...rest] }) => evaluates(program.text, rest))) return undefined;
  if (commands.length > 1 && commands.some(({ words }) => changing.test(words[0].text))) return undefined;
  return commands.map(({ words }) => words.map(({ text }) => text));
}

function evaluates(program: string, rest: readonly { readonly text: string }[]): boolean {
  return evaluating.test(program) || (subscripted.test(program) && rest.some(({ text }) => text.includes("[")));
}

/**
 * Returns `true` if a command matches a pattern. A word of the pattern matches the same word. `*` matches one argument.
 * A `*` at the end matches any number of arguments, and also none. The program must be equal.
 *
 * If a rule allows, `*` matches no option. A pattern must contain each option that it allows, as in `git log --oneline
 * *`. `*` matches:
 *
 * - words that begin with none of `-`, `+` and `@`, and have no `=`
 * - `--`, and relative names after it
 *
 * @param decision `deny` for a rule that refuses or asks. Its `*` matches every argument.
 *
 * @example
 * fitsCommandPattern(["npm", "test", "--", "a.test.ts"], ["npm", "test", "*"]); // true
 * fitsCommandPattern(["npm", "test", "--", "-u"], ["npm", "test", "*"]); // false
 */
export function fitsCommandPattern(
  command: readonly string[],
  pattern: readonly string[],
  decision: "allow" | "deny" = "allow",
): boolean {
  const isOpen = pattern.length > 1 && pattern.at(-1) === "*";
  const words = isOpen ? pattern.slice(0, -1) : pattern;
  if (words.length === 0 || (isOpen ? command.length < words.length : command.length !== words.length)) return false;
  if (!words.every((word, index) => word === command[index] || (word === "*" && index > 0))) return false;
  return decision === "deny" || mayMatchWildcards(command, words);
}

/** Beginnings of options (`-`), of commands for editors and pagers (`+`), and of files with more arguments (`@`). */
const optionLike = /^[-+@]/;

/** Absolute paths, paths of a user, paths of a drive, and paths that leave the folder. */
const leaving = /^(?:[\\/~]|[a-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/i;

/** Sub-commands of Git that start the program in their arguments. */
const starting = [
  ["bisect", "run"],
  ["submodule", "foreach"],
] as const;

/**
 * Returns `true` if `*` of an allowing pattern may match all words of a command that are not in the pattern. `*`
 * matches no option, because most programs have options that start programs or write files. `*` matches `--` and the
 * plain relative names after it.
 *
 * @param named words of the pattern at the same positions, without a `*` at the end
 */
function mayMatchWildcards(command: readonly string[], named: readonly string[]): boolean {
  const end = command.indexOf("--");
  const isNamed = (word: string, index: number) => word === named[index];
  const areHarmless = command.every((word, index) => {
    if (isNamed(word, index) || (index === end && end > 0)) return true;
    if (optionLike.test(word) || word.includes("=")) return false;
    return end < 0 || index < end || !leaving.test(word);
  });
  if (!areHarmless || command.every(isNamed)) return areHarmless;
  if (isPackageRunner(command) && !isPackageRunner(named)) return false;
  return !/(?:^|[\\/])git(?:\.exe)?$/i.test(command[0] ?? "") || !startsProgram(command, named);
}

function startsProgram(command: readonly string[], named: readonly string[]): boolean {
  return starting.some(([first, second]) => {
    const at = command.indexOf(first);
    const then = at < 0 ? -1 : command.indexOf(second, at + 1);
    return then >= 0 && named[then] !== second;
  });
}
