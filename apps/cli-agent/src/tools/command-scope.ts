import { parseCommandLine } from "@turnkit/session/command";
import { createPathCheck, type PathCheck } from "@turnkit/session/paths";

/** Commands that are built into shells. They are not programs, although their command lines look the same. */
const BUILT_INS = new Set(
  "alias bg break cd command continue eval exec exit export fg hash jobs read readonly return set shift source times trap type ulimit umask unalias unset wait .".split(
    " ",
  ),
);

/**
 * Form of the commands that one answer can cover. None of these commands runs a program, or writes a file, that the
 * caller can choose.
 */
type Family = {
  /** Flags that may follow, separated by spaces. A flag that ends with `=` may have any value. */
  readonly flags: string;
  /**
   * Other words that may follow:
   * - `paths`: revisions and relative paths
   * - `packages`: packages of the folder (`./…`)
   * - `none`: no words
   */
  readonly words: "paths" | "packages" | "none";
  /** Flags of which at least one must be present. */
  readonly needs?: string;
};

/** Flags with which Git lists changes without the content of files. The content could be secret. */
const SUMMARY_FLAGS = "--stat --shortstat --numstat --summary --name-only --name-status";

const DIFF_FLAGS = `-- -w -b --cached --staged --no-color --color=never --ignore-all-space --no-ext-diff --no-textconv --diff-filter= ${SUMMARY_FLAGS}`;
const LOG_FLAGS =
  "-n -1 -2 -3 -5 -10 -20 -50 --oneline --graph --all --decorate --no-decorate --first-parent --merges --no-merges --follow " +
  "--max-count= --skip= --since= --until= --after= --before= --author= --grep= --format= --pretty= --date= --reverse";

/** Families by program and sub-command. A program has no family if its arguments can name a program to run. */
const FAMILIES: ReadonlyMap<string, Family> = new Map(
  Object.entries<Family>({
    "git status": {
      words: "paths",
      flags: "-- -s -b -sb -u -uno --short --branch --porcelain --porcelain= --long --ignored",
    },
    "git log": { words: "paths", flags: `${DIFF_FLAGS} ${LOG_FLAGS}` },
    "git diff": { words: "paths", flags: DIFF_FLAGS, needs: SUMMARY_FLAGS },
    "git ls-files": { words: "paths", flags: "-- -m -o -d -c --modified --others --cached --exclude-standard" },
    "git rev-parse": { words: "paths", flags: "--short --abbrev-ref --show-toplevel --verify" },
    "cargo test": {
      words: "none",
      flags: "--release --workspace --all --all-features --lib --bins --tests --doc --locked --offline",
    },
    "cargo check": {
      words: "none",
      flags: "--release --workspace --all --all-features --all-targets --locked --offline",
    },
    "go test": { words: "packages", flags: "-v -race -short -cover -count= -run= -timeout=" },
    "go vet": { words: "packages", flags: "-v" },
    "go build": { words: "packages", flags: "-v -race" },
    pytest: { words: "paths", flags: "-v -vv -q -x -s -l --lf --ff --no-header --maxfail= --tb=" },
    "vitest run": { words: "paths", flags: "--reporter=verbose --reporter=dot --bail= --run" },
    "tsc --noEmit": { words: "none", flags: "--pretty" },
  }),
);

/**
 * Splits a command line that needs no shell. Its words are plain or quoted, without expansions, pipes or assignments.
 * Returns `undefined` for every other line.
 */
export function readCommandLine(line: string): readonly [string, ...string[]] | undefined {
  // `sh` reads an escape or a history mark literally. Other shells and people may read it differently.
  const commands = /[\\!]/.test(line) ? undefined : parseCommandLine(line);
  const [command, ...others] = commands ?? [];
  if (command === undefined || others.length > 0 || command.redirections.length > 0) return undefined;
  if (command.words.some(({ isGlob }) => isGlob)) return undefined;
  const [program, ...rest] = command.words.map(({ text }) => text);
  if (program === undefined || program === "" || program.includes("=") || BUILT_INS.has(program)) return undefined;
  return [program, ...rest];
}

/**
 * Returns the commands that an answer "always" covers. They run in the same folder.
 *
 * - If all flags and words of the line are in the table of its family: the commands with the same program,
 *   sub-command and allowed words.
 * - For every other line: only exactly the same line.
 */
export function commandScope({ line, argv, cwd, check, programs = [] }: ScopedCommand): {
  readonly name: string;
  /** Key of the scope. Two commands have equal keys if one answer covers both. */
  readonly key: string;
} {
  const family = argv && familyOf(argv, check);
  return family === undefined
    ? { name: "exactly this line", key: JSON.stringify(["line", cwd, line, programs]) }
    : { name: `\`${family} …\` with harmless flags`, key: JSON.stringify(["family", cwd, family, programs]) };
}

/** Command line with the real path of its folder. `argv` is absent if the line needs a shell. */
export type ScopedCommand = {
  readonly line: string;
  readonly argv?: readonly string[];
  readonly cwd: string;
  /**
   * Programs that settings of the folder start with the command. An answer covers only commands with the same programs.
   */
  readonly programs?: readonly string[];
  /** Rules for secret files. An answer for a command that names a secret file covers only the same line. */
  readonly check?: Pick<PathCheck, "secretBy">;
};

/** Maximum number of words of a command with a family. An answer about a longer command covers only the same line. */
const MAX_WORDS = 1_000;

const defaultCheck = createPathCheck();

function familyOf(
  [program = "", first = "", ...rest]: readonly string[],
  check: Pick<PathCheck, "secretBy"> = defaultCheck,
): string | undefined {
  const two = `${program} ${first}`;
  const [name, words] = FAMILIES.has(two) ? [two, rest] : [program, [first, ...rest].filter((word) => word !== "")];
  const family = FAMILIES.get(name);
  if (family === undefined || words.length > MAX_WORDS) return undefined;
  const flags = new Set(family.flags.split(" "));
  const needed = family.needs?.split(" ");
  const end = words.indexOf("--");
  if (needed && !words.slice(0, end < 0 ? words.length : end).some((word) => needed.includes(word))) return undefined;
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

/** Returns `true` for a revision, or for a path inside the folder that matches no rule for secrets. */
function isHarmless(word: string, kind: Family["words"], { secretBy }: Pick<PathCheck, "secretBy">): boolean {
  if (kind === "none" || (kind === "packages" && !/^\.(?:\/|$)/.test(word))) return false;
  // `HEAD:.env` names a file too. In Git, a leading `:` begins a pattern, which could match any file.
  const paths = [word, ...word.split(":")];
  // Several programs read `@file` as a file with arguments.
  const leadsOut = /^(?:[\\/~:@-]|[a-z]:[\\/])|(?:^|[\\/:])\.\.(?:[\\/]|$)|[*?[\]]/i.test(word);
  return !leadsOut && paths.every((path) => secretBy(path) === undefined);
}
