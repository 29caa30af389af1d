/** Options with which the caller chooses what a program starts, writes or reads, or its folder. */
type Steering = {
  /** Long options. Most programs accept abbreviations, so each beginning of an option counts. */
  readonly long?: string;
  /** Short options, with or without a value after them. */
  readonly short?: RegExp;
  /** Other arguments, such as variables of `make`. */
  readonly words?: RegExp;
};

const packageManager: Steering = {
  long:
    "prefix dir cwd script-shell node-options userconfig globalconfig global-prefix config shell-emulator registry " +
    "import require loader preload node-arg experimental-loader env-file ignore-workspace pnpmfile use-yarnrc",
  short: /^-[Crcgi]/,
};
const scriptRunner: Steering = {
  long:
    "config require import loader global-setup globalSetup setup-files setupFilesAfterEnv reporter environment runner " +
    "root rootDir dir transform resolver plugin rulesdir resolve-plugins-relative-to parser format output-file project",
  short: /^-[rcpofd]/,
};

const byProgram: Readonly<Record<string, Steering>> = {
  git: {
    long:
      "output ext-diff textconv open-files-in-pager exec exec-path upload-pack receive-pack config config-env template " +
      "no-index contents file git-dir work-tree namespace attr-source show-signature recurse-submodules global system",
    short: /^-[Ox]/,
  },
  npm: packageManager,
  pnpm: packageManager,
  yarn: packageManager,
  bun: packageManager,
  jest: scriptRunner,
  mocha: scriptRunner,
  vitest: scriptRunner,
  eslint: scriptRunner,
  tsc: scriptRunner,
  node: { long: "eval print require import loader experimental-loader env-file test-reporter", short: /^-[eprC]/ },
  cargo: { long: "config manifest-path target-dir", short: /^-[CZ]/ },
  go: { short: /^--?(?:exec|toolexec|vettool|overlay|modfile|o|C|outputdir|\w*profile|trace|ldflags|gcflags)(?:=|$)/ },
  make: { long: "eval file makefile directory include-dir", short: /^-[fCIE]/, words: /=/ },
  pytest: { long: "rootdir confcutdir override-ini basetemp junit-xml log-file pdbcls import-mode", short: /^-[pco]/ },
  find: { short: /^-(?:exec|ok|delete|fprint|fls)/ },
  rg: { long: "pre hostname-bin search-zip file ignore-file", short: /^-[fz]/ },
  sort: { long: "output compress-program files0-from temporary-directory", short: /^-[oT]/ },
};

/** Options of npm that select scripts of the same folder. */
const harmlessNpm = /^(?:-s|--silent|--if-present|-ws|--workspaces|--no-color|--)$/;

/**
 * Returns `true` if the caller chooses with an argument what the program starts, writes or reads. Arguments after `--`
 * do not count, except for `git`, which accepts options in other places.
 */
export function isSteering(command: readonly string[], index: number): boolean {
  const [path = "", ...args] = command;
  const program = path.replace(/^.*[\\/]/, "").replace(/\.(?:exe|cmd|bat)$/i, "");
  const rules = Object.hasOwn(byProgram, program) ? byProgram[program] : undefined;
  const word = command[index] ?? "";
  const end = args.indexOf("--");
  if (rules === undefined || (end >= 0 && index > end + 1)) return false;
  if (program === "npm" && word.startsWith("-")) return !harmlessNpm.test(word);
  // Options of git itself come before its command.
  if (program === "git" && word.startsWith("-") && args.slice(0, index - 1).every((one) => one.startsWith("-")))
    return true;
  if (word.startsWith("--") && rules.long !== undefined) {
    const [name = ""] = word.slice(2).split("=");
    return name !== "" && rules.long.split(" ").some((one) => one.startsWith(name) || name.startsWith(`${one}.`));
  }
  return rules.short?.test(word) === true || rules.words?.test(word) === true;
}
