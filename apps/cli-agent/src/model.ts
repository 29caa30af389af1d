import type { ContentBlock, TokenUsage } from "@turnkit/agent";
import type { Cost } from "./models/cost.js";

/** A tool as the model sees it. `inputSchema` is a JSON Schema of the object that {@link ToolRequest.input} must be. */
export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
};

/** One call that the model wants made. `input` is whatever the model wrote: the tool checks it. */
export type ToolRequest = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Opaque data of the provider, given back with the conversation as it came. */
  readonly providerMetadata?: unknown;
};

/** Why a tool did not do what was asked; the code is for programs, the message for the model and the user. */
export type ToolFailureCode =
  | "not_found"
  | "directory"
  | "binary"
  | "too_large"
  | "outside"
  | "unreadable"
  | "unsupported"
  | "invalid_input"
  | "no_match"
  | "stale"
  | "denied"
  | "cancelled"
  | "failed";

/** What a tool tells the model. */
export type ToolOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "json"; readonly value: unknown }
  | { readonly type: "error"; readonly code: ToolFailureCode; readonly message: string };

/** The output of one call, under the id of its request. */
export type ToolResult = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolOutput;
};

/** Text that the model said. Deltas of one `id` belong together, those of another begin anew. */
type Piece = {
  readonly id?: string;
  readonly text: string;
  /** Opaque, as in {@link ToolRequest}: the signature of a thought, for example. */
  readonly providerMetadata?: unknown;
};

/** A piece of what the model said, in the order in which it said it. */
export type AssistantPart =
  | ({ readonly type: "text" | "reasoning" } & Piece)
  | ({ readonly type: "tool-call" } & ToolRequest);

/**
 * One step of a conversation. Every tool call of an assistant item is answered in the tool item right after it, also
 * when the turn was cancelled: providers refuse conversations with open calls.
 */
export type ConversationItem =
  | { readonly role: "user"; readonly content: readonly ContentBlock[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly content: readonly ToolResult[] };

/** Why the model stopped: it is done, wants tools, ran out of tokens, or its provider refused. */
export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter";

/** A piece of a streamed answer. The names follow the parts of the AI SDK's `streamText`, so an adapter maps one to one. */
export type ModelPart =
  | ({ readonly type: "text-delta" | "reasoning-delta" } & Piece)
  | ({ readonly type: "tool-call" } & ToolRequest)
  /** Nothing was said yet: the provider failed in a way that may pass, and is asked again after a while. */
  | { readonly type: "retry"; readonly reason: string; readonly delayMs: number }
  | {
      readonly type: "finish";
      readonly finishReason: FinishReason;
      readonly usage?: TokenUsage;
      /** What this answer cost; absent where no prices are known. */
      readonly cost?: Cost;
    };

/** What a model is asked. */
export type ModelRequest = {
  readonly conversation: readonly ConversationItem[];
  readonly tools: readonly ToolDefinition[];
  readonly signal: AbortSignal;
  /** What the model should know before the conversation: its role, the folder, the project's own rules. */
  readonly instructions?: string;
  /** How hard to think: one of {@link Model.efforts}. */
  readonly effort?: string;
};

/**
 * Something that continues a conversation: the offline reviewer, or a language model of some provider.
 *
 * The stream ends with a `finish` part, and soon after `signal` aborts. A failure of the provider is thrown.
 */
export interface Model {
  readonly id: string;
  readonly name: string;
  /** How many tokens fit into a request and its answer; absent where nobody knows. */
  readonly contextWindow?: number;
  /** How hard it can be told to think, from least to most; absent where it cannot. */
  readonly efforts?: readonly string[];
  respond(request: ModelRequest): AsyncIterable<ModelPart>;
}
