import { commandsIn } from "@turnkit/session/command";

/** Command of a question, as its input tells it. */
export type CommandFacts = {
  /** Program and arguments, if the input separates them. */
  readonly argv?: readonly string[];
  /** Command line for a shell. Do not search it for words. */
  readonly commandLine?: string;
  /**
   * Programs with their arguments, in the order of the line, if that is all it does. A rule may allow the line if it allows
   * each of them. Absent for what the parser refuses: `commandsIn` of `@turnkit/session/command`.
   */
  readonly commands?: readonly (readonly string[])[];
  /** Folder in which the command runs. */
  readonly cwd?: string;
};

/** Levels and values that an input may have. */
const maxDepth = 64;
const maxValues = 10_000;

/** Members that name a command, without case and separators. */
const naming =
  /^(?:command|commands|commandline|commandstring|cmd|cmdline|argv|shellcommand|shell|script|exec|program|executable)$/;

/** Members beside a command that change nothing of what runs. */
const remarks = new Set([
  "description",
  "timeout",
  "timeout_ms",
  "timeoutMs",
  "run_in_background",
  "call_id",
  "turn_id",
]);
const folders = ["cwd", "workdir", "directory"];

/**
 * Returns the command of an input; an empty object if it has none. Returns `undefined` for an input that nobody can rely
 * on: contradictory members, members of unknown meaning beside a command, a command in another place, too deep or wide.
 */
export function commandIn(input: unknown): CommandFacts | undefined {
  if (typeof input !== "object" || input === null) return {};
  if (Array.isArray(input)) return undefined;
  const own = input as Readonly<Record<string, unknown>>;
  if (!hasBounds(own)) return undefined;
  const { command, argv, args, commandLine, cmd } = own;
  const told = [command, argv, commandLine, cmd].filter((value) => value !== undefined);
  if (told.length === 0) return namesCommand(own) ? undefined : {};
  const known = ["command", "argv", "args", "commandLine", "cmd", ...folders];
  const isKnown = Object.entries(own).every(
    ([name, value]) => known.includes(name) || (remarks.has(name) && typeof value !== "object"),
  );
  const first = withArguments(told[0], args);
  if (!isKnown || first === undefined || !told.every((value) => agrees(withArguments(value, args), first)))
    return undefined;
  const places = folders.map((name) => own[name]).filter((value) => value !== undefined);
  const [cwd] = places;
  if (places.some((place) => typeof place !== "string" || place !== cwd)) return undefined;
  return { ...commandFacts(first), ...(typeof cwd === "string" && { cwd }) };
}

/** Returns the facts of a command line or of a list of arguments. */
export function commandFacts(command: string | readonly string[]): CommandFacts {
  const commands = commandsIn(command);
  const told = typeof command === "string" ? { commandLine: command } : { argv: command };
  return { ...told, ...(commands !== undefined && { commands }) };
}

type Command = string | readonly string[];

/** Returns a command with its separate arguments. A list has them already, and must then end with the same. */
function withArguments(value: unknown, args: unknown): Command | undefined {
  if (args !== undefined && !isTexts(args)) return undefined;
  if (typeof value === "string") return args === undefined ? value : [value, ...args];
  if (!isTexts(value) || value.length === 0) return undefined;
  const isSame = args === undefined || JSON.stringify(value.slice(1)) === JSON.stringify(args);
  return isSame ? value : undefined;
}

/** Returns true if two members name one command: the same text, or a text and a list of the same words. */
function agrees(one: Command | undefined, other: Command): boolean {
  if (one === undefined) return false;
  if (JSON.stringify(one) === JSON.stringify(other)) return true;
  const [left, right] = [commandsIn(one), commandsIn(other)];
  return left?.length === 1 && JSON.stringify(left) === JSON.stringify(right) && typeof one !== typeof other;
}

function hasBounds(input: object): boolean {
  let values = 0;
  let level: readonly unknown[] = [input];
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > maxDepth || values > maxValues) return false;
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  return true;
}

/** Returns true if a member of any level has the name of a command. The input has bounds. */
function namesCommand(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => naming.test(name.replace(/[-_\s]/g, "").toLowerCase()) || namesCommand(member),
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
