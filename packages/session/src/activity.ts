import type { Meta, UnknownTag } from "./content.js";

/** Reason why the work of a turn ended. Reasons of extensions begin with `_`. */
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

/** Numbers of tokens that the ended work used. */
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

/** New or changed child session. An absent member is not changed, `null` clears it, and a value replaces it. */
export type SubagentPatch = {
  /** Id of the child session. */
  readonly sessionId: string;
  readonly title?: string | null;
  readonly description?: string | null;
  /** If `cancel` is absent, the client must not cancel the child session. */
  readonly capabilities?: { readonly cancel?: Meta | null; readonly _meta?: Meta | null } | null;
  /** `null` means that the state is unknown. It does not mean idle. */
  readonly state?: SubagentActivity | null;
  readonly cwd?: string | null;
  readonly additionalDirectories?: readonly string[] | null;
  readonly _meta?: Meta | null;
};

/** Current state of a child session. If the directory is absent, it is the directory of the parent. */
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
