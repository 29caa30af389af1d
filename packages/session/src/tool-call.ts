import type { ContentBlock, Meta, UnknownTag } from "./content.js";

/** Kind of work that a tool does. It is a hint for the choice of an icon. Show an unknown kind as `other`. */
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

/** Status of a tool call. `completed`, `failed` and `cancelled` are final. An unknown status counts as running. */
export type ToolCallStatus = "pending" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | UnknownTag;

/** Location in a file on which a tool works. */
export type ToolCallLocation = {
  /** Absolute path. */
  readonly path: string;
  /** Line number; the first line is 1. */
  readonly line?: number | null;
  readonly _meta?: Meta | null;
};

/** Change of one file in a {@link Diff}. */
export type DiffChange = {
  readonly operation: "add" | "modify" | "delete" | "move" | "copy" | UnknownTag;
  /** Absolute path after the change. For a deleted file, the path before the deletion. */
  readonly path: string;
  /** Path of the file before a move or copy. */
  readonly oldPath?: string;
  /** Whole text before the change, if it is known. Version 1 sends texts. Version 2 sends a patch instead. */
  readonly oldText?: string | null;
  /** Whole text after the change, if it is known. */
  readonly newText?: string | null;
  readonly fileType?: string | null;
  readonly mimeType?: string | null;
  readonly _meta?: Meta | null;
};

/** Change of files, in one form for every protocol version. */
export type Diff = {
  readonly type: "diff";
  readonly changes: readonly DiffChange[];
  readonly patch?: { readonly format: string; readonly text: string } | null;
  readonly _meta?: Meta | null;
};

/** Item of the content of a tool call. */
export type ToolCallContent =
  | { readonly type: "content"; readonly content: ContentBlock; readonly _meta?: Meta | null }
  | Diff
  | { readonly type: "terminal"; readonly terminalId: string; readonly _meta?: Meta | null }
  /** Link to another session, only for display. */
  | { readonly type: "session"; readonly sessionId: string; readonly _meta?: Meta | null }
  | { readonly type: UnknownTag };

/** Operations on a tool call that the agent offers to the client. */
export type ToolCallCapabilities = { readonly cancel?: Meta | null; readonly _meta?: Meta | null };

/**
 * New or changed tool call.
 *
 * - an absent member: no change
 * - `null`: the member is reset
 * - any other value: the member is replaced as a whole
 * - `[]`: the list is emptied
 *
 * The first patch with an id creates the call.
 */
export type ToolCallPatch = {
  readonly toolCallId: string;
  /** Name of the tool for the model. */
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
