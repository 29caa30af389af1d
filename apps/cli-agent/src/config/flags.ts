import { parseArgs } from "node:util";
import { ConfigError } from "../errors.js";
import { type Mode, modes } from "../modes.js";
import { type SandboxMode, sandboxModes } from "../sandbox/sandbox-mode.js";

export type Flags = {
  /** Command; `serve` if the command line has no command. `target` is the word after `login` and `logout`. */
  readonly command: "serve" | "login" | "logout" | "models" | "help" | "version";
  readonly target?: string;
  readonly model?: string;
  readonly baseURL?: string;
  readonly mode?: Mode;
  readonly effort?: string;
  readonly maxRequests?: number;
  /** Trusts every folder that a session opens. */
  readonly trust?: boolean;
  readonly sandbox?: SandboxMode;
  /** `true` allows the network for all commands in the sandbox. */
  readonly network?: boolean;
  /** Path of a configuration file that replaces the user's file. */
  readonly config?: string;
  /** Folder of the stored sessions. `false` stores no sessions. */
  readonly sessions?: string | false;
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
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

const commands = ["login", "logout", "models", "help"] as const;

/**
 * Parses the command line.
 *
 * @throws ConfigError for unknown flags and commands
 */
export function readFlags(args: readonly string[]): Flags {
  const { values, positionals } = parse(args);
  const [first, target, ...rest] = positionals;
  const command = commands.find((name) => name === first);
  if (first !== undefined && !command) {
    throw new ConfigError(`There is no command \`${first}\`; there are ${commands.join(", ")}.`);
  }
  const extra = command === "models" || command === "help" ? target : rest[0];
  if (extra !== undefined) throw new ConfigError(`\`${command}\` takes no \`${extra}\`.`);
  if (values.sessions !== undefined && values["no-sessions"]) {
    throw new ConfigError("Give either --sessions or --no-sessions, not both.");
  }
  const mode = values.mode === undefined ? undefined : modes.find((name) => name === values.mode);
  if (values.mode !== undefined && !mode) {
    throw new ConfigError(`--mode is one of ${modes.join(", ")}, not \`${values.mode}\`.`);
  }
  const sandbox = values.sandbox === undefined ? undefined : sandboxModes.find((name) => name === values.sandbox);
  if (values.sandbox !== undefined && !sandbox) {
    throw new ConfigError(`--sandbox is one of ${sandboxModes.join(", ")}, not \`${values.sandbox}\`.`);
  }
  return {
    command: values.help ? "help" : values.version ? "version" : (command ?? "serve"),
    target,
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
  };
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

function requireCount(value: string): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new ConfigError(`--max-requests is a number from 1 on, not \`${value}\`.`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The rest of the message is advice about files whose names begin with a dash. This program takes no file names.
    const [fault = ""] = (error as Error).message.split(/\. |\n/);
    throw new ConfigError(`${fault.replace(/\.$/, "")}: see turnkit-agent --help.`);
  }
}
