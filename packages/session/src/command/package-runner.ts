import { parseCommandLine } from "./parse-command-line.js";

/** Programs that always fetch the packages that they start. */
const always = /^(?:npx|pnpx|bunx|uvx|dnx|pip-run)$/;

/** Sub-commands with which a program fetches the package that it starts, or prefers the packages of its folder. */
const subCommands: ReadonlyMap<string, readonly string[]> = /* @__PURE__ */ new Map([
  ["npm", ["exec", "x", "init", "innit", "create"]],
  ["pnpm", ["dlx", "exec", "create"]],
  ["yarn", ["dlx", "exec", "create"]],
  ["yarnpkg", ["dlx", "exec", "create"]],
  ["bun", ["x", "create", "c"]],
  ["uv", ["tool"]],
  ["pipx", ["run"]],
  ["pixi", ["exec"]],
  ["gem", ["exec"]],
  ["nix", ["run", "shell"]],
  ["dotnet", ["tool"]],
]);

/** Flags of package managers whose value is the next word. */
const valued =
  /^(?:--(?:prefix|cache|userconfig|globalconfig|registry|loglevel|workspace|filter|dir|cwd|reporter|directory|project|config-file|cache-dir|store-dir|color)|-C|-w|-F)$/;

/** Flags of package managers without a value. */
const single =
  /^(?:-[ysqdvg]+|-ws|--(?:yes|silent|quiet|verbose|global|offline|online|prefer-offline|prefer-online|recursive|bun|workspaces|include-workspace-root|workspace-root|parallel|stream|no-.*|ignore-.*))$/;

/** Sub-commands that start scripts of the folder. Their arguments are not packages. */
const scripts = /^(?:run|run-script|rum|urn|test|t|tst|start|stop|restart|install|i|ci|add|build|exec-env)$/;

/** Programs that start the command in their arguments. */
const wrappers =
  /^(?:env|nice|ionice|nohup|setsid|timeout|time|stdbuf|sudo|doas|exec|command|xargs|chrt|taskset|unshare|script|corepack|busybox|winpty|start|proxychains4?|firejail|bwrap|strace|volta|mise|asdf|direnv|op|dotenvx?)$/;

/** Programs that run the file or module in their first argument. */
const interpreters = /^(?:node|nodejs|tsx|bun|electron|python[\d.]*|py|pythonw)$/;

const shells = /^(?:sh|bash|dash|zsh|ksh|mksh|ash|fish|cmd|powershell|pwsh)$/;
const shellFlag = /^(?:-[a-z]*c|-command|--command|\/[ck])$/i;

/** Pattern for names of package runners in a line that cannot be parsed. */
const mentioned =
  /(?:^|[^\w-])(?:npx|pnpx|bunx|uvx|dnx|pip-run|dlx|(?:npm|pnpm|yarn|bun|uv|pipx|corepack)(?:\.\w+)?\s(?:[^|;&\n]{0,200}\s)?(?:exec|x|init|create|tool|run))(?![\w-])/;

/** Maximum number of words of a command that are examined. A longer command counts as a package runner. */
const maxWords = 1_000;

/** Maximum length of a line for a shell that is examined, in UTF-16 units. A longer line counts as a package runner. */
const maxLine = 131_072;

/**
 * Returns `true` if a command starts a package runner such as `npx`. Package runners fetch packages from the network,
 * and prefer the packages and settings of their current folder. The runner may come after `env`, `corepack`, a shell
 * with `-c` and similar programs.
 *
 * @example
 * isPackageRunner(["sh", "-c", "exec npx -y some-agent"]); // true
 * isPackageRunner(["npm", "run", "x"]); // false
 */
export function isPackageRunner(command: readonly string[]): boolean {
  return command.length > maxWords || runs(command, 0);
}

/** Number of nested shells and wrappers above which a command counts as a package runner. */
const maxDepth = 8;

function runs([program = "", ...args]: readonly string[], depth: number): boolean {
  if (depth > maxDepth) return true;
  const name = nameOf(program);
  if (always.test(name)) return true;
  const words = subCommands.get(name);
  if (words !== undefined && hasSubCommand(args, words)) return true;
  if (name === "deno") return args.some((word) => /^(?:npm|jsr|https?):/.test(word));
  if (name === "go") return args[0] === "run" && args.some((word) => /^[\w.-]+\.\w+\/.*@/.test(word));
  if (shells.test(name)) return runsInShell(args, depth);
  if (interpreters.test(name)) return runsFile(args, depth);
  // The words before the command are flags and variables, which are different for each wrapper.
  return wrappers.test(name) && startsOf(args).some((from) => runs(args.slice(from), depth + 1));
}

/** Returns the positions at which a wrapped command may begin. With `env -S`, the whole command is one word. */
function startsOf(args: readonly string[]): readonly number[] {
  return args.flatMap((word, index) => (/^-|^\w+=/.test(word) && !/\s/.test(word) ? [] : [index]));
}

function nameOf(program: string): string {
  const words = program.trim().split(/\s+/);
  // A single word may be a whole line, as in `env -S "npx -y x"`.
  const first = words.length > 1 && !/[\\/]/.test(program) ? (words[0] ?? "") : program;
  const name = first.slice(Math.max(first.lastIndexOf("/"), first.lastIndexOf("\\")) + 1).toLowerCase();
  // `corepack pnpm@9 dlx` contains a version, and npm's own file has the name `npx-cli.js`.
  return name
    .replace(/\.(?:exe|cmd|bat|ps1|com|[cm]?js)$/, "")
    .replace(/-cli$/, "")
    .replace(/@[^@]*$/, "");
}

function hasSubCommand(args: readonly string[], words: readonly string[]): boolean {
  let mayBeValue = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word.startsWith("-")) {
      if (valued.test(word)) at++;
      mayBeValue = !valued.test(word) && !single.test(word) && !word.includes("=");
    } else if (words.includes(word)) return true;
    else if (scripts.test(word) || !mayBeValue) return false;
    else mayBeValue = false;
  }
  return false;
}

function runsInShell(args: readonly string[], depth: number): boolean {
  const flag = args.findIndex((word) => shellFlag.test(word));
  if (flag < 0) return false;
  const rest = args.slice(flag + 1);
  const line = rest[0] ?? "";
  // In `cmd /c npx x`, the command is several words.
  if (runs(rest, depth + 1)) return true;
  if (line.length > maxLine) return true;
  const commands = parseCommandLine(line);
  // The line may also run its arguments, as in `sh -c 'exec "$@"' x npx`.
  const runsArguments = /\$[@*\d{]/.test(line) && startsOf(rest).some((from) => runs(rest.slice(from), depth + 1));
  if (commands === undefined) return mentioned.test(line) || runsArguments;
  return commands.some(({ words }) =>
    runs(
      words.map(({ text }) => text),
      depth + 1,
    ),
  );
}

/** Returns `true` for `node …/npx-cli.js` and `python -m pipx`, which are package runners too. */
function runsFile(args: readonly string[], depth: number): boolean {
  const module = args.indexOf("-m");
  const from = module >= 0 ? module + 1 : args.findIndex((word) => !word.startsWith("-"));
  return from >= 0 && runs(args.slice(from), depth + 1);
}
