import { parseCommandLine } from "@turnkit/session/command";
import { createPathCheck, type PathCheck } from "@turnkit/session/paths";

/** Built-ins of shells: they look like programs and are none. */
const BUILT_INS = new Set(
  "alias bg break cd command continue eval exec exit export fg hash jobs read readonly return set shift source times trap type ulimit umask unalias unset wait .".split(
    " ",
  ),
);

/** Form of commands that one answer may cover, since none of them runs or writes something of the caller's choice. */
type Family = {
  /** Flags that may follow. One with `=` at its end stands for any value. */
  readonly flags: string;
  /** Further words: revisions and relative paths, packages of the folder (`./…`), or none. */
  readonly words: "paths" | "packages" | "none";
};

const DIFF_FLAGS =
  "-- -p -u -w -b --patch --stat --shortstat --numstat --summary --name-only --name-status --cached --staged --no-color " +
  "--color=never --word-diff --ignore-all-space --no-ext-diff --no-textconv --unified= -U0 -U1 -U3 -U5 -U10 --diff-filter=";
const LOG_FLAGS =
  "-n -1 -2 -3 -5 -10 -20 -50 --oneline --graph --all --decorate --no-decorate --first-parent --merges --no-merges --follow " +
  "--max-count= --skip= --since= --until= --after= --before= --author= --grep= --format= --pretty= --date= --reverse";

/** Families by program and sub-command. Programs that run what their arguments name have none. */
const FAMILIES: ReadonlyMap<string, Family> = new Map<string, Family>([
  [
    "git status",
    { flags: "-- -s -b -sb -u -uno --short --branch --porcelain --porcelain= --long --ignored", words: "paths" },
  ],
  ["git log", { flags: `${DIFF_FLAGS} ${LOG_FLAGS}`, words: "paths" }],
  ["git show", { flags: `${DIFF_FLAGS} --format= --pretty= --date=`, words: "paths" }],
  ["git diff", { flags: DIFF_FLAGS, words: "paths" }],
  ["git blame", { flags: "-- -w -M -C --date= --porcelain", words: "paths" }],
  ["git ls-files", { flags: "-- -m -o -d -c --modified --others --cached --exclude-standard", words: "paths" }],
  ["git rev-parse", { flags: "--short --abbrev-ref --show-toplevel --verify", words: "paths" }],
  [
    "cargo test",
    {
      flags: "--release --workspace --all --all-features --lib --bins --tests --doc --locked --offline",
      words: "none",
    },
  ],
  [
    "cargo check",
    { flags: "--release --workspace --all --all-features --all-targets --locked --offline", words: "none" },
  ],
  ["go test", { flags: "-v -race -short -cover -count= -run= -timeout=", words: "packages" }],
  ["go vet", { flags: "-v", words: "packages" }],
  ["go build", { flags: "-v -race", words: "packages" }],
  ["pytest", { flags: "-v -vv -q -x -s -l --lf --ff --no-header --maxfail= --tb=", words: "paths" }],
  ["vitest run", { flags: "--reporter=verbose --reporter=dot --bail= --run", words: "paths" }],
  ["tsc --noEmit", { flags: "--pretty", words: "none" }],
]);

/**
 * Splits a command line that needs no shell: plain or quoted words, without expansions, pipes or assignments. Returns
 * `undefined` for every other line.
 */
export function readCommandLine(line: string): readonly [string, ...string[]] | undefined {
  // An escape or a history mark is plain to `sh`; other shells and a person may read it differently.
  const commands = /[\\!]/.test(line) ? undefined : parseCommandLine(line);
  const [command, ...others] = commands ?? [];
  if (command === undefined || others.length > 0 || command.redirections.length > 0) return undefined;
  if (command.words.some(({ isGlob }) => isGlob)) return undefined;
  const [program, ...rest] = command.words.map(({ text }) => text);
  if (program === undefined || program === "" || program.includes("=") || BUILT_INS.has(program)) return undefined;
  return [program, ...rest];
}

/**
 * Returns the commands that an answer for this one covers, in its folder alone:
 *
 * - those of the same program and sub-command, if all flags and words are of the family's table
 * - for every other command exactly this line
 */
export function commandScope({ line, argv, cwd, check }: ScopedCommand): {
  readonly name: string;
  /** Equal for exactly the commands of one scope. */
  readonly key: string;
} {
  const family = argv && familyOf(argv, check);
  return family === undefined
    ? { name: "exactly this line", key: JSON.stringify(["line", cwd, line]) }
    : { name: `\`${family} …\` with harmless flags`, key: JSON.stringify(["family", cwd, family]) };
}

/** Command line in its real folder. `argv` is absent for a line that needs a shell. */
export type ScopedCommand = {
  readonly line: string;
  readonly argv?: readonly string[];
  readonly cwd: string;
  /** Rules of secret files, which no answer for several commands covers. */
  readonly check?: Pick<PathCheck, "secretBy">;
};

const usualCheck = createPathCheck();

function familyOf(
  [program = "", first = "", ...rest]: readonly string[],
  check: Pick<PathCheck, "secretBy"> = usualCheck,
): string | undefined {
  const two = `${program} ${first}`;
  const [name, words] = FAMILIES.has(two) ? [two, rest] : [program, [first, ...rest].filter((word) => word !== "")];
  const family = FAMILIES.get(name);
  if (family === undefined) return undefined;
  const flags = new Set(family.flags.split(" "));
  let isPath = false;
  for (const word of words) {
    if (!isPath && word.startsWith("-")) {
      const equals = word.indexOf("=");
      if (!flags.has(word) && (equals < 0 || !flags.has(word.slice(0, equals + 1)))) return undefined;
      isPath = word === "--";
    } else if (!isHarmless(word, family.words, check)) return undefined;
  }
  return name;
}

/** Returns `true` for a revision or a path inside the folder that holds no secrets. */
function isHarmless(word: string, kind: Family["words"], { secretBy }: Pick<PathCheck, "secretBy">): boolean {
  if (kind === "none" || (kind === "packages" && !/^\.(?:\/|$)/.test(word))) return false;
  // `HEAD:.env` names a file too. A leading `:` begins a pattern of Git, which could name any file.
  const paths = [word, ...word.split(":")];
  // `@file` is a list of arguments in a file, to several programs.
  const leadsOut = /^(?:[\\/~:@-]|[a-z]:[\\/])|(?:^|[\\/:])\.\.(?:[\\/]|$)|[*?[\]]/i.test(word);
  return !leadsOut && paths.every((path) => secretBy(path) === undefined);
}
