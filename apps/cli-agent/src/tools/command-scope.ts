/** Word that every shell reads literally, or a quoted text without expansion. */
const WORD = /(?:[\w@%+:,./-][\w@%+=:,./-]*|'[^']*'|"[^"$`\\!]*")+/y;

/** Built-ins of shells: they look like programs and are none. */
const BUILT_INS = new Set(
  "alias bg break cd command continue eval exec exit export fg hash jobs read readonly return set shift source times trap type ulimit umask unalias unset wait .".split(
    " ",
  ),
);

/** Programs whose first argument says what they do. An answer may cover it with any further arguments. */
const WITH_SUBCOMMANDS = new Set(
  "npm pnpm yarn git gh cargo go make just task mvn gradle dotnet pip pip3 poetry pdm composer bundle rake mix swift sbt".split(
    " ",
  ),
);

/** Programs that only check or test, with any arguments. */
const CHECKERS = new Set("pytest jest vitest mocha ava tsc ctest phpunit rspec mypy ruff".split(" "));

/** Sub-commands that run their arguments. */
const RUNNING_SUBCOMMANDS = new Set(["exec", "x", "dlx", "eval", "alias", "extension"]);

/** Sub-command: `test`, `status`, `build:all`. */
const SUBCOMMAND = /^[a-z][\w:-]*$/i;

/**
 * Splits a command line that needs no shell: plain or quoted words, without expansions, pipes or assignments. Returns
 * `undefined` for every other line.
 */
export function readCommandLine(line: string): readonly [string, ...string[]] | undefined {
  const words: string[] = [];
  let at = 0;
  const text = line.trim();
  while (at < text.length) {
    WORD.lastIndex = at;
    const [word] = WORD.exec(text) ?? [];
    if (word === undefined) return undefined;
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
    at += word.length;
    const [space] = /^[ \t]*/.exec(text.slice(at)) ?? [""];
    if (space === "" && at < text.length) return undefined;
    at += space.length;
  }
  const [program, ...rest] = words;
  // A leading assignment sets a variable, and a built-in is no program.
  if (program === undefined || program === "" || program.includes("=") || BUILT_INS.has(program)) return undefined;
  return [program, ...rest];
}

/**
 * Returns the commands that an answer for this one covers. For well-known tools these are all with the same sub-command
 * (`npm test`, `git status`, `npm run build`); for others only this very line. `rm old` must not allow `rm old -rf /`.
 */
export function commandScope({ line, argv }: { readonly line: string; readonly argv?: readonly string[] }): {
  readonly name: string;
  /** Equal for exactly the commands of one scope. */
  readonly key: string;
} {
  const prefix = argv && prefixOf(argv)?.join(" ");
  if (prefix) return { name: `\`${prefix} …\``, key: `command ${prefix} …` };
  const flat = line.replace(/\s+/g, " ");
  return { name: `\`${flat.length > 60 ? `${flat.slice(0, 60)}…` : flat}\``, key: `line ${line}` };
}

function prefixOf([program = "", first, second]: readonly string[]): readonly string[] | undefined {
  if (CHECKERS.has(program)) return [program];
  if (!WITH_SUBCOMMANDS.has(program) || first === undefined || !SUBCOMMAND.test(first)) return undefined;
  if (RUNNING_SUBCOMMANDS.has(first)) return undefined;
  if (first !== "run") return [program, first];
  return second !== undefined && SUBCOMMAND.test(second) ? [program, first, second] : undefined;
}
