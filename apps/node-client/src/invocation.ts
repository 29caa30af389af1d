import type { DialectName } from "@turnkit/session";
import type { OutputFormat } from "./option-values.js";

/** Which agent, and how it is spoken to. Paths are as typed: relative to the directory of the program. */
export type AgentChoice = {
  /** `--agent`. */
  readonly agent?: string;
  /** What stands after `--`. */
  readonly command?: readonly [string, ...string[]];
  /** Absent: the directory of the program. */
  readonly cwd?: string;
  readonly dialects: readonly DialectName[];
  /** Files that name MCP servers. */
  readonly mcp: readonly string[];
  /** Where the wire is written down. */
  readonly trace?: string;
  readonly timeoutMs?: number;
};

/** A conversation: one prompt, or an interactive one where there is no prompt and a terminal on both ends. */
export type RunInvocation = AgentChoice & {
  readonly kind: "run";
  readonly prompt?: string;
  readonly files: readonly string[];
  /** A mode, or the path of a policy file. */
  readonly permissions: string;
  readonly output: OutputFormat;
  /** The session to go on with. */
  readonly session?: string;
};

/** What the command line asks for. */
export type Invocation =
  | RunInvocation
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "agents"; readonly json: boolean }
  | (AgentChoice & { readonly kind: "sessions list"; readonly json: boolean })
  | (AgentChoice & { readonly kind: "sessions show" | "sessions delete"; readonly session: string })
  | { readonly kind: "trace show"; readonly file: string; readonly full: boolean }
  | { readonly kind: "trace replay"; readonly file: string }
  | (AgentChoice & { readonly kind: "doctor"; readonly json: boolean; readonly turn: boolean });
