import type { Meta, UnknownTag } from "./content.js";

/** Why the work of a turn ended. Custom reasons begin with `_`. */
export type StopReason =
  | "end_turn"
  | "max_tokens"
  | "max_turn_requests"
  | "refusal"
  | "cancelled"
  | "error"
  | UnknownTag;

/** A JSON-RPC error object. */
export type ErrorObject = { readonly code: number; readonly message: string; readonly data?: unknown };

/** Tokens spent by the work that just ended. */
export type TokenUsage = {
  readonly totalTokens: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly thoughtTokens?: number | null;
  readonly cachedReadTokens?: number | null;
  readonly cachedWriteTokens?: number | null;
};

/** Work that continues while the session is idle. */
export type BackgroundWork =
  | { readonly type: "terminal"; readonly terminalId: string; readonly _meta?: Meta | null }
  | { readonly type: "tool_call"; readonly toolCallId: string; readonly _meta?: Meta | null }
  | { readonly type: "subagent"; readonly sessionId: string; readonly _meta?: Meta | null }
  | { readonly type: UnknownTag };

/** Activity of a child session, as its parent reports it. */
export type SubagentActivity = {
  readonly state: "running" | "idle" | "requires_action" | UnknownTag;
  readonly background?: readonly BackgroundWork[] | null;
  readonly stopReason?: StopReason | null;
  readonly error?: ErrorObject | null;
  readonly usage?: TokenUsage | null;
  readonly _meta?: Meta | null;
};

/** Child session, new or changed. An absent member stays, `null` clears it, a value replaces it. */
export type SubagentPatch = {
  /** Id of the child session. */
  readonly sessionId: string;
  readonly title?: string | null;
  readonly description?: string | null;
  /** Without `cancel` the client changes nothing about the child. */
  readonly capabilities?: { readonly cancel?: Meta | null; readonly _meta?: Meta | null } | null;
  /** `null` means unknown, not idle. */
  readonly state?: SubagentActivity | null;
  readonly cwd?: string | null;
  readonly additionalDirectories?: readonly string[] | null;
  readonly _meta?: Meta | null;
};

/** Current state of a child session. An absent directory is that of the parent. */
export type SubagentState = {
  readonly sessionId: string;
  readonly title?: string;
  readonly description?: string;
  readonly capabilities?: { readonly cancel?: Meta | null; readonly _meta?: Meta | null };
  readonly activity?: SubagentActivity;
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[];
  readonly _meta?: Meta;
};
