import type { DialectName } from "@turnkit/session";
import { UsageError } from "./exit-code.js";

/**
 * Choice of the agent and of the connection to it. Paths are as the user typed them, and relative to the current
 * directory.
 */
export type AgentChoice = {
  /** Value of `--agent`. */
  readonly agent?: string;
  /** Words after `--`. */
  readonly command?: readonly [string, ...string[]];
  /** Address of an agent. A choice with an address has no command. */
  readonly url?: string;
  /** Private file with the token for the address. */
  readonly tokenFile?: string;
  /** `true` if a remote agent may use files and commands of this machine. */
  readonly share?: boolean;
  /** Directory of the session. If absent, the current directory is used. */
  readonly cwd?: string;
  readonly dialects: readonly DialectName[];
  /** JSON files with MCP servers. */
  readonly mcp: readonly string[];
  readonly trace?: string;
  readonly timeoutMs?: number;
  /** `true` if the client writes no files for the agent. */
  readonly readOnly?: boolean;
  /** `true` if the client runs no commands for the agent. */
  readonly noTerminals?: boolean;
  /** `true` if the client runs commands with variables of unknown effect without a question. */
  readonly anyVariables?: boolean;
};

/** Session to continue. `latest` is the session of this folder that was used last. */
export type SessionWish = { readonly id: string } | "latest";

/** Value of an option of the agent, as the user typed it. */
export type SettingWish = {
  readonly by: "--model" | "--mode" | "--set";
  /** Id or name of the option, or its category. */
  readonly option: string;
  readonly value: string;
};

/**
 * Conversation with one prompt. Without a prompt, and if stdin and stdout are terminals, the conversation is
 * interactive.
 */
export type RunInvocation = AgentChoice & {
  readonly kind: "run";
  /** Words of the command line that are not options. Together they are the prompt. `-` is standard input. */
  readonly words: readonly string[];
  /** Value of `--prompt`. */
  readonly prompt?: string;
  /** Files of the prompt. */
  readonly files: readonly string[];
  /** Permission mode, or path of a policy file. */
  readonly permissions: string;
  /** If absent, the format depends on whether the streams are terminals. */
  readonly output?: OutputFormat;
  readonly session?: SessionWish;
  readonly settings: readonly SettingWish[];
};

/** Servers of NATS that store the sessions of several gateways, as the user typed them. */
export type NatsChoice = {
  /** Addresses, separated by commas. They may contain secrets. */
  readonly servers: string;
  /** File with the credentials of a user. */
  readonly credsFile?: string;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly streamCount?: number;
  readonly replicas?: number;
  readonly takeoverMs?: number;
};

export type Invocation =
  | RunInvocation
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "agents"; readonly json: boolean }
  | (AgentChoice & { readonly kind: "setup"; readonly name?: string; readonly yes: boolean })
  | (AgentChoice & { readonly kind: "sessions list"; readonly json: boolean; readonly all: boolean })
  | (AgentChoice & { readonly kind: "sessions show" | "sessions delete"; readonly session: string })
  | { readonly kind: "permissions list"; readonly cwd?: string; readonly json: boolean }
  | { readonly kind: "permissions revoke"; readonly cwd?: string; readonly ids: readonly string[] }
  | { readonly kind: "permissions clear"; readonly cwd?: string }
  | { readonly kind: "mcp list"; readonly cwd?: string; readonly json: boolean }
  | {
      readonly kind: "mcp add";
      readonly name: string;
      /** Members of the server, except the members of its command. */
      readonly members: Readonly<Record<string, unknown>>;
      readonly command?: readonly [string, ...string[]];
    }
  | { readonly kind: "mcp remove"; readonly names: readonly string[] }
  | { readonly kind: "mcp trust" | "mcp distrust"; readonly cwd?: string; readonly yes: boolean }
  | { readonly kind: "trace show"; readonly file: string; readonly full: boolean }
  | { readonly kind: "trace replay"; readonly file: string }
  | (AgentChoice & {
      readonly kind: "serve";
      readonly host: string;
      readonly port: number;
      /** Storage that several machines share. If absent, sessions are files. */
      readonly nats?: NatsChoice;
    })
  | (AgentChoice & {
      readonly kind: "doctor";
      readonly json: boolean;
      readonly turn: boolean;
      readonly only?: readonly string[];
    });

/** Values of `--output`. */
export const outputFormats = ["text", "quiet", "json", "ndjson"] as const;

/**
 * Output format: `text` for people, `quiet` for the answer alone, `json` for one document at the end, `ndjson` for one
 * line per event.
 */
export type OutputFormat = (typeof outputFormats)[number];

/** Dialects for each value of `--protocol`, in the order of preference. */
const spoken: Readonly<Record<string, readonly DialectName[]>> = {
  auto: ["v1", "v2", "seed"],
  "1": ["v1"],
  v1: ["v1"],
  "2": ["v2"],
  v2: ["v2"],
  seed: ["seed"],
};

/**
 * Returns the dialects for a value of `--protocol`. Without a value, returns all dialects.
 *
 * @throws UsageError with a sentence for the user.
 */
export function readProtocol(value = "auto"): readonly DialectName[] {
  const dialects = Object.hasOwn(spoken, value) ? spoken[value] : undefined;
  if (dialects === undefined) throw new UsageError(`--protocol is auto, 1, 2 or seed, not "${value}".`);
  return dialects;
}

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, "": 1000, m: 60_000, h: 3_600_000 };
/** Longest delay of a timer, in milliseconds. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Parses a duration such as `90` (seconds), `90s`, `1.5m`, `2h` or `500ms`. Returns milliseconds.
 *
 * @throws UsageError with the name of the option
 */
export function readDuration(
  option: string,
  text: string,
  { least = 1, most = MAX_MS, range = "up to 24 days" } = {},
): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text.trim()) ?? [];
  const ms = Number(number) * (milliseconds[unit] ?? 0);
  if (ms > 0 && ms >= least && ms <= most) return ms;
  throw new UsageError(`${option} is a time such as 90, 90s, 5m or 1h, ${range}, not "${text}".`);
}

/**
 * Parses a value of `--set`, such as `thinking=high`.
 *
 * @throws UsageError for a text without an option or a value
 */
export function readSetting(text: string): SettingWish {
  const at = text.indexOf("=");
  const [option, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && option !== "" && value !== "") return { by: "--set", option, value };
  throw new UsageError(`--set needs an option and a value, as in --set thinking=high, not ${JSON.stringify(text)}.`);
}
