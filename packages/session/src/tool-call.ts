import type { ContentBlock, Meta, UnknownTag } from "./content.js";

/** Kind of work that a tool does, as a hint for icons. Unknown kinds are kept, and drawn as `other`. */
export type ToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "switch_mode"
  | "other"
  | UnknownTag;

/** Status of a tool call. `completed`, `failed` and `cancelled` are final; an unknown status counts as running. */
export type ToolCallStatus = "pending" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | UnknownTag;

/** A place in a file that a tool works on. */
export type ToolCallLocation = {
  /** Absolute. */
  readonly path: string;
  /** 1-based. */
  readonly line?: number | null;
  readonly _meta?: Meta | null;
};

/** Change of one file in a {@link Diff}. */
export type DiffChange = {
  readonly operation: "add" | "modify" | "delete" | "move" | "copy" | UnknownTag;
  /** Absolute path after the change. For a deleted file, the path before it. */
  readonly path: string;
  /** Path of the file before a move or copy. */
  readonly oldPath?: string;
  /** Whole text before the change, if known. Version 1 sends it; version 2 sends a patch instead. */
  readonly oldText?: string | null;
  /** Whole text after the change, if known. */
  readonly newText?: string | null;
  readonly fileType?: string | null;
  readonly mimeType?: string | null;
  readonly _meta?: Meta | null;
};

/** A change to files, in one form for every protocol version. */
export type Diff = {
  readonly type: "diff";
  readonly changes: readonly DiffChange[];
  readonly patch?: { readonly format: string; readonly text: string } | null;
  readonly _meta?: Meta | null;
};

/** One item of the content of a tool call. */
export type ToolCallContent =
  | { readonly type: "content"; readonly content: ContentBlock; readonly _meta?: Meta | null }
  | Diff
  | { readonly type: "terminal"; readonly terminalId: string; readonly _meta?: Meta | null }
  /** Link to another session, only for display. */
  | { readonly type: "session"; readonly sessionId: string; readonly _meta?: Meta | null }
  | { readonly type: UnknownTag };

/** Controls that a tool call offers to its client. */
export type ToolCallCapabilities = { readonly cancel?: Meta | null; readonly _meta?: Meta | null };

/**
 * A change to one tool call. An absent member stays as it is, `null` resets it, a value replaces it whole, `[]` empties
 * a list. The first patch for an id makes the call.
 */
export type ToolCallPatch = {
  readonly toolCallId: string;
  /** The tool's name as the model knows it. */
  readonly name?: string | null;
  /** Title of the call, for people. */
  readonly title?: string | null;
  readonly kind?: ToolKind | null;
  readonly status?: ToolCallStatus | null;
  readonly content?: readonly ToolCallContent[] | null;
  readonly locations?: readonly ToolCallLocation[] | null;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly capabilities?: ToolCallCapabilities | null;
  readonly _meta?: Meta | null;
};
