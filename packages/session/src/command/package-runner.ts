import { parseCommandLine } from "./parse-command-line.js";

/** Programs that fetch the packages they start, whatever their arguments are. */
const always = /^(?:npx|pnpx|bunx|uvx|dnx|pip-run)$/;

/** Sub-commands by which a program fetches what it starts, or prefers the packages of its folder. */
const subCommands: Readonly<Record<string, readonly string[]>> = {
  npm: ["exec", "x", "init", "innit", "create"],
  pnpm: ["dlx", "exec", "create"],
  yarn: ["dlx", "exec", "create"],
  yarnpkg: ["dlx", "exec", "create"],
  bun: ["x", "create", "c"],
  uv: ["tool"],
  pipx: ["run"],
  pixi: ["exec"],
  gem: ["exec"],
  nix: ["run", "shell"],
  dotnet: ["tool"],
};

/** Flags of package managers with a value in the next word. */
const valued =
  /^(?:--(?:prefix|cache|userconfig|globalconfig|registry|loglevel|workspace|filter|dir|cwd|reporter|directory|project|config-file|cache-dir|store-dir|color)|-C|-w|-F)$/;

/** Flags of package managers without a value. */
const single =
  /^(?:-[ysqdvg]+|-ws|--(?:yes|silent|quiet|verbose|global|offline|online|prefer-offline|prefer-online|recursive|bun|workspaces|include-workspace-root|workspace-root|parallel|stream|no-.*|ignore-.*))$/;

/** Sub-commands that start scripts of the folder. Their arguments name no package. */
const scripts = /^(?:run|run-script|rum|urn|test|t|tst|start|stop|restart|install|i|ci|add|build|exec-env)$/;

/** Programs that start the command in their arguments. */
const wrappers =
  /^(?:env|nice|ionice|nohup|setsid|timeout|time|stdbuf|sudo|doas|exec|command|xargs|chrt|taskset|unshare|script|corepack|busybox|winpty|start|proxychains4?|firejail|bwrap|strace|volta|mise|asdf|direnv|op|dotenvx?)$/;

/** Programs that run the file or module that their first argument names. */
const interpreters = /^(?:node|nodejs|tsx|bun|electron|python[\d.]*|py|pythonw)$/;

const shells = /^(?:sh|bash|dash|zsh|ksh|mksh|ash|fish|cmd|powershell|pwsh)$/;
const shellFlag = /^(?:-[a-z]*c|-command|--command|\/[ck])$/i;

/** Names of runners in a line that cannot be parsed. */
const mentioned =
  /(?:^|[^\w-])(?:npx|pnpx|bunx|uvx|dnx|pip-run|dlx|(?:npm|pnpm|yarn|bun|uv|pipx|corepack)(?:\.\w+)?\s(?:[^|;&\n]{0,200}\s)?(?:exec|x|init|create|tool|run))(?![\w-])/;

/** Longest command whose words are looked at. A longer one counts as a package runner. */
const maxWords = 1_000;

/**
 * Returns true if a command starts a package runner such as `npx`. Runners fetch packages from the network, and prefer the
 * packages and the settings of the folder they start in. The runner may be behind `env`, `corepack`, a shell with `-c`,
 * and the like.
 *
 * @example
 * isPackageRunner(["sh", "-c", "exec npx -y some-agent"]); // true
 * isPackageRunner(["npm", "run", "x"]); // false
 */
export function isPackageRunner(command: readonly string[]): boolean {
  return command.length > maxWords || runs(command, 0);
}

/** Depth of shells and wrappers below which a command counts as a runner. */
const maxDepth = 8;

function runs([program = "", ...args]: readonly string[], depth: number): boolean {
  if (depth > maxDepth) return true;
  const name = nameOf(program);
  if (always.test(name)) return true;
  const words = subCommands[name];
  if (words !== undefined && hasSubCommand(args, words)) return true;
  if (name === "deno") return args.some((word) => /^(?:npm|jsr|https?):/.test(word));
  if (name === "go") return args[0] === "run" && args.some((word) => /^[\w.-]+\.\w+\/.*@/.test(word));
  if (shells.test(name)) return runsInShell(args, depth);
  if (interpreters.test(name)) return runsFile(args, depth);
  // The words before the command are flags and variables, which differ by wrapper.
  return wrappers.test(name) && startsOf(args).some((from) => runs(args.slice(from), depth + 1));
}

/** Returns the places at which a wrapped command may begin. `env -S` has it in one word. */
function startsOf(args: readonly string[]): readonly number[] {
  return args.flatMap((word, index) => (/^-|^\w+=/.test(word) && !/\s/.test(word) ? [] : [index]));
}

function nameOf(program: string): string {
  const words = program.trim().split(/\s+/);
  // A whole line in one word: `env -S "npx -y x"`.
  const first = words.length > 1 && !/[\\/]/.test(program) ? (words[0] ?? "") : program;
  const name = first.slice(Math.max(first.lastIndexOf("/"), first.lastIndexOf("\\")) + 1).toLowerCase();
  // `corepack pnpm@9 dlx` has a version, and npm's own files are called `npx-cli.js`.
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
  // `cmd /c npx x` has the words apart.
  if (runs(rest, depth + 1)) return true;
  const commands = parseCommandLine(line);
  // The line may also run its arguments: `sh -c 'exec "$@"' x npx`.
  const runsArguments = /\$[@*\d{]/.test(line) && startsOf(rest).some((from) => runs(rest.slice(from), depth + 1));
  if (commands === undefined) return mentioned.test(line) || runsArguments;
  return commands.some(({ words }) =>
    runs(
      words.map(({ text }) => text),
      depth + 1,
    ),
  );
}

/** `node …/npx-cli.js` and `python -m pipx` are runners too. */
function runsFile(args: readonly string[], depth: number): boolean {
  const module = args.indexOf("-m");
  const from = module >= 0 ? module + 1 : args.findIndex((word) => !word.startsWith("-"));
  return from >= 0 && runs(args.slice(from), depth + 1);
}
