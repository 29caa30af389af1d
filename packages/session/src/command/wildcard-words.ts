import { isPackageRunner } from "./package-runner.js";

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
export function mayMatchWildcards(command: readonly string[], named: readonly string[]): boolean {
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
