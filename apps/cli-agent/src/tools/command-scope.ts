/** A command as it is asked for: the line, and its words where no shell is needed to find them. */
export type CommandWords = { readonly line: string; readonly argv?: readonly string[] };

/** Which commands an answer covers: those that begin with `prefix`, or exactly the one of `line`. */
export type CommandScope = { readonly name: string } & (
  | { readonly prefix: readonly string[] }
  | { readonly line: string }
);

/** One word of a line that every shell reads as it stands there, or a quoted text in which nothing is expanded. */
const WORD = /(?:[\w@%+:,./-][\w@%+=:,./-]*|'[^']*'|"[^"$`\\!]*")+/y;

/** What only a shell can do, although it looks like a program. */
const BUILT_INS = new Set(
  "alias bg break cd command continue eval exec exit export fg hash jobs read readonly return set shift source times trap type ulimit umask unalias unset wait .".split(
    " ",
  ),
);

/** Programs whose first argument says what they do, so that an answer may cover it whatever follows. */
const WITH_SUBCOMMANDS = new Set(
  "npm pnpm yarn git gh cargo go make just task mvn gradle dotnet pip pip3 poetry pdm composer bundle rake mix swift sbt".split(
    " ",
  ),
);

/** Programs that only check or test, whatever their arguments. */
const CHECKERS = new Set("pytest jest vitest mocha ava tsc ctest phpunit rspec mypy ruff".split(" "));

/** Sub-commands that run whatever follows. */
const RUNNING_SUBCOMMANDS = new Set(["exec", "x", "dlx", "eval", "alias", "extension"]);

/** A first argument that names what a program is to do: `test`, `status`, `build:all`. */
const SUBCOMMAND = /^[a-z][\w:-]*$/i;

/**
 * The words of a command line that needs no shell: plain or quoted words, nothing to expand, to pipe or to assign.
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
  // An assignment in front would be a variable, and a built-in is no program.
  if (program === undefined || program === "" || program.includes("=") || BUILT_INS.has(program)) return undefined;
  return [program, ...rest];
}

/**
 * How far an answer for this command reaches: of well-known tools to everything with the same sub-command (`npm test`,
 * `git status`, `npm run build`), of all others to this very line. `rm old` must not stand for `rm old -rf /`.
 */
export function commandScope({ line, argv }: CommandWords): CommandScope {
  const prefix = argv && prefixOf(argv);
  return prefix ? { name: `\`${prefix.join(" ")} …\``, prefix } : { name: `\`${shorten(line)}\``, line };
}

/** Whether an answer of that scope covers the command. */
export function isInScope({ line, argv }: CommandWords, scope: CommandScope): boolean {
  if ("line" in scope) return scope.line === line;
  return argv !== undefined && scope.prefix.every((word, index) => argv[index] === word);
}

function prefixOf([program = "", first, second]: readonly string[]): readonly string[] | undefined {
  if (CHECKERS.has(program)) return [program];
  if (!WITH_SUBCOMMANDS.has(program) || first === undefined || !SUBCOMMAND.test(first)) return undefined;
  if (RUNNING_SUBCOMMANDS.has(first)) return undefined;
  if (first !== "run") return [program, first];
  return second !== undefined && SUBCOMMAND.test(second) ? [program, first, second] : undefined;
}

function shorten(line: string): string {
  const flat = line.replace(/\s+/g, " ");
  return flat.length > 60 ? `${flat.slice(0, 60)}…` : flat;
}
