import type { ContentBlock, TokenUsage } from "@turnkit/agent";
import type { ToolFailureCode } from "./errors.js";
import type { Cost } from "./models/cost.js";

/** Definition of a tool for the model. `inputSchema` is a JSON Schema of the object {@link ToolRequest.input}. */
export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
};

/** Call that the model wants. `input` is unchecked: the tool checks it. */
export type ToolRequest = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Opaque data of the provider, returned unchanged with the conversation. */
  readonly providerMetadata?: unknown;
};

export type ToolOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "json"; readonly value: unknown }
  | { readonly type: "error"; readonly code: ToolFailureCode; readonly message: string };

/** Output of one call, under the id of its request. */
export type ToolResult = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolOutput;
};

/** Text of the model. Deltas of one `id` belong together. */
type Piece = {
  readonly id?: string;
  readonly text: string;
  /** Opaque, as in {@link ToolRequest}; for example the signature of a thought. */
  readonly providerMetadata?: unknown;
};

/** Part of an answer, in the order of arrival. */
export type AssistantPart =
  | ({ readonly type: "text" | "reasoning" } & Piece)
  | ({ readonly type: "tool-call" } & ToolRequest);

/**
 * Step of a conversation. The item after an assistant item with tool calls answers all of them, also after a cancel:
 * providers refuse conversations with open calls.
 */
export type ConversationItem =
  | { readonly role: "user"; readonly content: readonly ContentBlock[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly content: readonly ToolResult[] };

/** Reason for the end of an answer: done, tools wanted, out of tokens, or refused by the provider. */
export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter";

/** Part of a streamed answer. The names are those of the AI SDK's `streamText`, so an adapter maps one to one. */
export type ModelPart =
  | ({ readonly type: "text-delta" | "reasoning-delta" } & Piece)
  | ({ readonly type: "tool-call" } & ToolRequest)
  /** Announces another request after a failure that may pass. No text was streamed before it. */
  | { readonly type: "retry"; readonly reason: string; readonly delayMs: number }
  | {
      readonly type: "finish";
      readonly finishReason: FinishReason;
      readonly usage?: TokenUsage;
      /** Cost of this answer; absent without known prices. */
      readonly cost?: Cost;
    };

export type ModelRequest = {
  readonly conversation: readonly ConversationItem[];
  readonly tools: readonly ToolDefinition[];
  readonly signal: AbortSignal;
  /** Role, folder and project rules, in front of the conversation. */
  readonly instructions?: string;
  readonly effort?: string;
};

/**
 * Source of answers: the offline reviewer, or a language model of a provider.
 *
 * The stream ends with a `finish` part, and soon after `signal` aborts. A failure of the provider is thrown.
 */
export interface Model {
  readonly id: string;
  readonly name: string;
  /** Number of tokens for a request and its answer together; absent if unknown. */
  readonly contextWindow?: number;
  /** Levels of effort, from least to most; absent for a model without them. */
  readonly efforts?: readonly string[];
  respond(request: ModelRequest): AsyncIterable<ModelPart>;
}
