import { commandsIn } from "@turnkit/session/command";

/** Command of a question, read from the input of its tool. */
export type CommandFacts = {
  /** Program and arguments, if the input has them as separate values. */
  readonly argv?: readonly string[];
  /** Command line for a shell. A search for words in the line is not a safe rule; use `commands`. */
  readonly commandLine?: string;
  /**
   * Programs with their arguments, in the order of the command line. Present only if the line runs these programs and does
   * nothing else. A rule may allow the line if the rule allows each of the programs. Absent for lines that `commandsIn` of
   * `@turnkit/session/command` refuses.
   */
  readonly commands?: readonly (readonly string[])[];
  /** Folder in which the command runs. */
  readonly cwd?: string;
  /** Access that the command gets in addition to that of other commands of its agent. Absent if there is none. */
  readonly access?: readonly CommandAccess[];
};

/** Access of a command: the network, or everything that the sandbox of other commands forbids. */
export type CommandAccess = "network" | "outside_sandbox";

/** Maximum number of levels and values of an input. */
const maxDepth = 64;
const maxValues = 10_000;

/** Members that contain a command. Names are compared without case and separators. */
const naming =
  /^(?:command|commands|commandline|commandstring|cmd|cmdline|argv|shellcommand|shell|script|exec|program|executable)$/;

/** Members that may stand beside a command and do not change the command. */
const remarks = new Set([
  "description",
  "timeout",
  "timeout_ms",
  "timeoutMs",
  "timeout_seconds",
  "background",
  "run_in_background",
  "call_id",
  "turn_id",
]);
const folders = ["cwd", "workdir", "directory", "path"];
const accesses: readonly CommandAccess[] = ["network", "outside_sandbox"];

/**
 * Returns the command of an input, or an empty object if the input has no command. Returns `undefined` for an input without
 * a reliable command:
 *
 * - The members of the input contradict each other.
 * - Members of unknown meaning stand beside a command.
 * - The command is not at the top level of the input.
 * - The input has too many levels or values.
 */
export function commandIn(input: unknown): CommandFacts | undefined {
  if (typeof input !== "object" || input === null) return {};
  if (Array.isArray(input)) return undefined;
  const own = input as Readonly<Record<string, unknown>>;
  if (!hasBounds(own)) return undefined;
  const { command, argv, args, commandLine, cmd } = own;
  const values = [command, argv, commandLine, cmd].filter((value) => value !== undefined);
  if (values.length === 0) return namesCommand(own) ? undefined : {};
  const known = ["command", "argv", "args", "commandLine", "cmd", ...folders];
  const isAccess = (name: string): boolean => (accesses as readonly string[]).includes(name);
  const isKnown = Object.entries(own).every(
    ([name, value]) =>
      known.includes(name) ||
      (remarks.has(name) && typeof value !== "object") ||
      (isAccess(name) && typeof value === "boolean"),
  );
  const first = withArguments(values[0], args);
  if (!isKnown || first === undefined || !values.every((value) => agrees(withArguments(value, args), first)))
    return undefined;
  const places = folders.map((name) => own[name]).filter((value) => value !== undefined);
  const [cwd] = places;
  if (places.some((place) => typeof place !== "string" || place !== cwd)) return undefined;
  const access = accesses.filter((name) => own[name] === true);
  return {
    ...commandFacts(first),
    ...(typeof cwd === "string" && { cwd }),
    ...(access.length > 0 && { access }),
  };
}

/** Returns the facts of a command line or of a list of arguments. */
export function commandFacts(command: string | readonly string[]): CommandFacts {
  const commands = commandsIn(command);
  const line = typeof command === "string" ? { commandLine: command } : { argv: command };
  return { ...line, ...(commands !== undefined && { commands }) };
}

type Command = string | readonly string[];

/**
 * Returns a command with its separate arguments. If the command is a list, the list must already end with these arguments.
 */
function withArguments(value: unknown, args: unknown): Command | undefined {
  if (args !== undefined && !isTexts(args)) return undefined;
  if (typeof value === "string") return args === undefined ? value : [value, ...args];
  if (!isTexts(value) || value.length === 0) return undefined;
  const isSame = args === undefined || JSON.stringify(value.slice(1)) === JSON.stringify(args);
  return isSame ? value : undefined;
}

/** Returns true if two members contain the same command: either equal texts, or a text and a list of the same words. */
function agrees(one: Command | undefined, other: Command): boolean {
  if (one === undefined) return false;
  if (JSON.stringify(one) === JSON.stringify(other)) return true;
  const [left, right] = [commandsIn(one), commandsIn(other)];
  return left?.length === 1 && JSON.stringify(left) === JSON.stringify(right) && typeof one !== typeof other;
}

function hasBounds(input: object): boolean {
  let values = 1;
  let level: readonly unknown[] = [input];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
      // A list that is too long is not even copied.
      values += members.length;
      if (values > maxValues) return false;
      next.push(...members);
    }
    level = next;
  }
  return true;
}

/** Returns true if a member at any level has a name for commands. The caller has checked the size of the input. */
function namesCommand(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => naming.test(name.replace(/[-_\s]/g, "").toLowerCase()) || namesCommand(member),
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
