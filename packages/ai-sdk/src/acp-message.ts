import type {
  Diff,
  ErrorObject,
  PendingElicitation,
  PermissionOption,
  PermissionSubject,
  Plan,
  StopReason,
  SubagentState,
  ToolCallContent,
  ToolCallEntry,
} from "@turnkit/session";
import type { UIMessage, UIMessageChunk } from "ai";

/** Metadata of a message of an agent: the end of its turn. */
export type AcpMetadata = {
  /** Reason of the end in the words of the protocol. Absent while the turn continues. */
  readonly stopReason?: StopReason;
  /** Error of the agent. */
  readonly error?: ErrorObject;
  /** Number of tokens of the turn. */
  readonly usage?: { readonly totalTokens: number; readonly inputTokens: number; readonly outputTokens: number };
};

/** Permission question. `settled` means that it needs no answer any more. The part's id is `requestId`. */
export type AcpPermission = {
  readonly status: "asked" | "settled";
  readonly requestId: string;
  /** Tool part that shows the question. */
  readonly toolCallId: string;
  readonly title: string;
  readonly description?: string;
  readonly subject?: PermissionSubject;
  /** Options that the agent offers. To select one, pass its id as the `reason` of the approval. */
  readonly options: readonly PermissionOption[];
};

/** Terminal of a tool call: its newest output, at most 16 384 characters, and its end. The part's id is `terminalId`. */
export type AcpTerminal = {
  readonly terminalId: string;
  readonly command?: string;
  readonly cwd?: string;
  readonly text: string;
  /** True if older output is not in `text`. */
  readonly isCut: boolean;
  readonly exitStatus?: { readonly exitCode?: number | null; readonly signal?: string | null };
};

/**
 * Data parts of a message of an agent, by name without `data-`. A part with the same id replaces the earlier part.
 *
 * - `acp-permission`: question that an approval answers, with its options
 * - `acp-elicitation`: form or URL. The approvals of the AI SDK cannot answer it; call `session.answer`
 * - `acp-plan`: plan, or `null` after its removal
 * - `acp-usage`: tokens of the context, and the cost of the session
 * - `acp-diff`: change of files by a tool call
 * - `acp-terminal`: terminal of a tool call
 * - `acp-subagent`: child session
 * - `acp-content`: block of a message that the AI SDK has no part for
 * - `acp-entry`: any other entry of the timeline, as plain JSON: notices, compactions, prompts of other clients
 */
export type AcpData = {
  "acp-permission": AcpPermission;
  "acp-elicitation": { readonly status: "asked" | "settled"; readonly question: PendingElicitation };
  "acp-plan": Plan | null;
  "acp-usage": {
    readonly used: number;
    readonly size: number;
    readonly cost?: { readonly amount: number; readonly currency: string };
  };
  "acp-diff": Diff & { readonly toolCallId: string };
  "acp-terminal": AcpTerminal;
  "acp-subagent": SubagentState;
  "acp-content": { readonly type: string };
  "acp-entry": { readonly type: string; readonly key: string };
};

/** Output of a tool part. While `preliminary` is true, the call has not ended. */
export type AcpToolOutput = Pick<ToolCallEntry, "kind" | "status" | "locations" | "rawOutput"> & {
  /** Content of the call, without diffs and terminals, which have their own parts. */
  readonly content: readonly ToolCallContent[];
};

/** Message of a chat with an agent. Tool calls are parts of type `dynamic-tool`. */
export type AcpUIMessage = UIMessage<AcpMetadata, AcpData>;

/** Chunk of such a message. */
export type AcpChunk = UIMessageChunk<AcpMetadata, AcpData>;
