import { parseArgs } from "node:util";
import { ConfigError } from "../errors.js";
import { type Mode, modes } from "../modes.js";
import { type SandboxMode, sandboxModes } from "../sandbox/sandbox.js";

export type Flags = {
  /** Command; absent if the command line has none. `target` is the word after `login` and `logout`. */
  readonly command?: (typeof commands)[number] | "version";
  readonly target?: string;
  /** Task of one run of `turnkit` with this agent. */
  readonly prompt?: string;
  /** Arguments of that run for the agent, and arguments for `turnkit`. */
  readonly agentWords: readonly string[];
  readonly clientWords: readonly string[];
  readonly model?: string;
  readonly baseURL?: string;
  readonly mode?: Mode;
  readonly effort?: string;
  readonly maxRequests?: number;
  readonly trust?: boolean;
  readonly sandbox?: SandboxMode;
  readonly network?: boolean;
  /** Path of a configuration file that replaces the user's file. */
  readonly config?: string;
  /** Folder of the stored sessions. `false` stores no sessions. */
  readonly sessions?: string | false;
  /** Port on which clients reach the agent, in place of stdin and stdout. */
  readonly listen?: PortChoice;
};

/** Choice of a port, and of the token that its clients need. */
export type PortChoice = {
  /** Name or address of an interface, without brackets. */
  readonly host: string;
  readonly port: number;
  /** File with the token. `false` serves clients without a token. */
  readonly token?: string | false;
};

const options = {
  model: { type: "string", short: "m" },
  "base-url": { type: "string" },
  mode: { type: "string" },
  effort: { type: "string" },
  "max-requests": { type: "string" },
  trust: { type: "boolean" },
  sandbox: { type: "string" },
  network: { type: "boolean" },
  config: { type: "string" },
  sessions: { type: "string" },
  "no-sessions": { type: "boolean" },
  listen: { type: "string" },
  "token-file": { type: "string" },
  "no-token": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
  prompt: { type: "string", short: "p" },
  permissions: { type: "string" },
  output: { type: "string" },
} as const;

/** Options of `turnkit`. They need a prompt. */
const clientOptions = ["permissions", "output"];

const commands = ["serve", "login", "logout", "models", "help"] as const;

/** Words that a user may take for commands. */
const commandWords = [...commands, "--version"] as const;

/**
 * Parses the command line.
 *
 * @throws ConfigError for unknown flags and commands
 */
export function readFlags(args: readonly string[]): Flags {
  const { values, positionals, tokens } = parse(args);
  // A variable that is not set gives an empty value, as in --model=$MODEL. It must not choose something else in silence.
  const empty = Object.entries(values).find(([name, value]) => name !== "prompt" && value?.toString().trim() === "");
  if (empty !== undefined) throw new ConfigError(`--${empty[0]} is empty. Give it a value, or leave it out.`);
  // A client may have the command `turnkit-agent serve`, and append a login to it.
  const given = positionals[0] === "serve" && positionals.length > 1 ? positionals.slice(1) : positionals;
  const [first, target, ...rest] = given;
  const command = commands.find((name) => name === first);
  const takesTarget = command === "login" || command === "logout";
  const extra = command === undefined ? undefined : takesTarget ? rest[0] : target;
  if (extra !== undefined) throw new ConfigError(`\`${command}\` takes no \`${extra}\`.`);
  const prompt = promptOf(values.prompt, command === undefined ? given : []);
  const words = (isForClient: boolean) =>
    tokens.flatMap((token) => {
      if (token.kind !== "option" || token.name === "prompt") return [];
      if (clientOptions.includes(token.name) !== isForClient) return [];
      return token.value === undefined ? [`--${token.name}`] : [`--${token.name}=${token.value}`];
    });
  const clientWords = words(true);
  if (clientWords.length > 0 && prompt === undefined) {
    throw new ConfigError(`${clientWords[0]?.replace(/=.*/s, "")} needs a prompt: see turnkit-agent --help.`);
  }
  if (values.sessions !== undefined && values["no-sessions"]) {
    throw new ConfigError("Give either --sessions or --no-sessions, not both.");
  }
  const mode = oneOf(modes, values.mode, "--mode");
  const sandbox = oneOf(sandboxModes, values.sandbox, "--sandbox");
  const listen = readPort(values);
  if (listen !== undefined && (prompt ?? (command === "serve" ? undefined : command)) !== undefined) {
    throw new ConfigError("--listen serves clients, so it takes no prompt and no other command.");
  }
  return {
    command: values.help ? "help" : values.version ? "version" : command,
    target: takesTarget ? target : undefined,
    prompt,
    agentWords: words(false),
    clientWords,
    model: values.model,
    baseURL: values["base-url"] === undefined ? undefined : requireUrl(values["base-url"], "--base-url"),
    mode,
    effort: values.effort,
    maxRequests: values["max-requests"] === undefined ? undefined : requireCount(values["max-requests"]),
    trust: values.trust,
    sandbox,
    network: values.network,
    config: values.config,
    sessions: values.sessions ?? (values["no-sessions"] ? false : undefined),
    listen,
  };
}

/**
 * Returns the choice of a port.
 *
 * @throws ConfigError for a value that is not a host and a port, and for contradictory options
 */
function readPort(values: ReturnType<typeof parse>["values"]): PortChoice | undefined {
  const { listen, "token-file": file, "no-token": none } = values;
  const option = file === undefined ? "--no-token" : "--token-file";
  if (listen === undefined && (file ?? none) === undefined) return undefined;
  if (listen === undefined) throw new ConfigError(`${option} needs --listen, as in --listen 127.0.0.1:0.`);
  if (file !== undefined && none) throw new ConfigError("Give either --token-file or --no-token, not both.");
  const [, address, name = address, digits = ""] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/i.exec(listen) ?? [];
  const port = Number(digits);
  if (name === undefined || port > 65_535) {
    throw new ConfigError(`--listen is a host and a port, such as 127.0.0.1:0 or [::1]:8040, not \`${listen}\`.`);
  }
  return { host: name, port, token: none ? false : file };
}

/**
 * Returns the prompt of a command line: the value of `--prompt`, or the words that are not a command.
 *
 * @throws ConfigError for both, for an empty prompt, and for one word that resembles a command
 */
function promptOf(option: string | undefined, words: readonly string[]): string | undefined {
  if (option === undefined && words.length === 0) return undefined;
  if (option !== undefined && words.length > 0) {
    throw new ConfigError(`Give the prompt once: with --prompt, or as \`${words.join(" ")}\`.`);
  }
  const prompt = option ?? words.join(" ");
  if (prompt.trim() === "") throw new ConfigError("The prompt is empty. Give the task of the agent.");
  const [word = ""] = words;
  const meant =
    words.length === 1 && /^[a-z]+$/i.test(word)
      ? commandWords.find((name) => isSimilar(word, name.replace("--", "")))
      : undefined;
  if (meant === undefined) return prompt;
  throw new ConfigError(
    `There is no command \`${word}\`. Do you mean \`${meant}\`? For a prompt of one word, use --prompt.`,
  );
}

/** Returns `true` for a word that is probably a misspelled command. */
function isSimilar(word: string, command: string): boolean {
  const lower = word.toLowerCase();
  const sorted = (text: string) => [...text].sort().join("");
  return (
    lower.startsWith(command) || (lower.length > 2 && command.startsWith(lower)) || sorted(lower) === sorted(command)
  );
}

/**
 * Returns `value` if it is the address of a web server.
 *
 * @throws ConfigError for every other value; the message has `name`
 */
export function requireUrl(value: string, name: string): string {
  if (/^https?:\/\/[^/]/.test(value) && URL.canParse(value)) return value;
  throw new ConfigError(`${name} is a URL such as http://127.0.0.1:11434/v1, not \`${value}\`.`);
}

function oneOf<Name extends string>(names: readonly Name[], value: string | undefined, option: string) {
  const found = names.find((name) => name === value);
  if (value === undefined || found !== undefined) return found;
  throw new ConfigError(`${option} is one of ${names.join(", ")}, not \`${value}\`.`);
}

function requireCount(value: string): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new ConfigError(`--max-requests is a number from 1 on, not \`${value}\`.`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
  } catch (error) {
    // The rest of the message is advice about words that begin with a dash. `--prompt` takes such a prompt.
    const [fault = ""] = (error as Error).message.split(/\. |\n/);
    throw new ConfigError(`${fault.replace(/\.$/, "")}: see turnkit-agent --help.`);
  }
}
