import type { DialectName } from "@turnkit/session";
import type { OutputFormat } from "./option-values.js";

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
  /** Path of a log of the wire. */
  readonly trace?: string;
  readonly timeoutMs?: number;
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

/** Parsed command line. */
export type Invocation =
  | RunInvocation
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "agents"; readonly json: boolean }
  | (AgentChoice & { readonly kind: "sessions list"; readonly json: boolean })
  | (AgentChoice & { readonly kind: "sessions show" | "sessions delete"; readonly session: string })
  | { readonly kind: "trace show"; readonly file: string; readonly full: boolean }
  | { readonly kind: "trace replay"; readonly file: string }
  | (AgentChoice & { readonly kind: "doctor"; readonly json: boolean; readonly turn: boolean });
