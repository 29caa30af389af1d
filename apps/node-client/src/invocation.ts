import type { DialectName } from "@turnkit/session";
import { UsageError } from "./exit-code.js";

/** The agent, and how this program connects to it. Paths are as typed: relative to the directory of the program. */
export type AgentChoice = {
  /** Value of `--agent`. */
  readonly agent?: string;
  /** Words after `--`. */
  readonly command?: readonly [string, ...string[]];
  /** Directory of the session. Absent: the directory of the program. */
  readonly cwd?: string;
  readonly dialects: readonly DialectName[];
  /** Files that name MCP servers. */
  readonly mcp: readonly string[];
  readonly trace?: string;
  readonly timeoutMs?: number;
  /** `true` to write no files for the agent. */
  readonly readOnly?: boolean;
  /** `true` to run no commands for the agent. */
  readonly noTerminals?: boolean;
};

/** Conversation: one prompt, or an interactive one if there is no prompt and both ends are a terminal. */
export type RunInvocation = AgentChoice & {
  readonly kind: "run";
  readonly prompt?: string;
  readonly files: readonly string[];
  /** Mode, or path of a policy file. */
  readonly permissions: string;
  readonly output: OutputFormat;
  /** Session to continue. */
  readonly session?: string;
};

export type Invocation =
  | RunInvocation
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "agents"; readonly json: boolean }
  | (AgentChoice & { readonly kind: "sessions list"; readonly json: boolean })
  | (AgentChoice & { readonly kind: "sessions show" | "sessions delete"; readonly session: string })
  | { readonly kind: "trace show"; readonly file: string; readonly full: boolean }
  | { readonly kind: "trace replay"; readonly file: string }
  | (AgentChoice & { readonly kind: "doctor"; readonly json: boolean; readonly turn: boolean });

/** Values of `--output`. */
export const outputFormats = ["text", "json", "ndjson"] as const;

/** Output format: text for people, one document at the end, or one line for each event. */
export type OutputFormat = (typeof outputFormats)[number];

/** Values of `--protocol`, with their dialects in the order of preference. */
const spoken: Readonly<Record<string, readonly DialectName[]>> = {
  auto: ["v1", "v2", "seed"],
  "1": ["v1"],
  v1: ["v1"],
  "2": ["v2"],
  v2: ["v2"],
  seed: ["seed"],
};

/**
 * Returns the dialects for a value of `--protocol`; all of them without a value.
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
 * Reads a time such as `90` (seconds), `90s`, `1.5m`, `2h` or `500ms`, in milliseconds.
 *
 * @throws UsageError that names the option
 */
export function readDuration(option: string, text: string): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text.trim()) ?? [];
  const ms = Number(number) * (milliseconds[unit] ?? 0);
  if (ms > 0 && ms <= MAX_MS) return ms;
  throw new UsageError(`${option} is a time such as 90, 90s, 5m or 1h, up to 24 days, not "${text}".`);
}
