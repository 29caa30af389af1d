import type { ContentBlock, Cost, TokenUsage } from "@turnkit/agent";
import type { ToolFailureCode } from "./errors.js";

/** Definition of a tool for the model. `inputSchema` is a JSON Schema of the object {@link ToolRequest.input}. */
export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
};

/** Tool call that the model requests. `input` is not validated yet; the tool validates it. */
export type ToolRequest = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Opaque data of the provider. It goes back to the provider unchanged, with the conversation. */
  readonly providerMetadata?: unknown;
};

export type ToolOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "json"; readonly value: unknown }
  /** Picture, with a text for a model that cannot see it. `data` is base64. */
  | { readonly type: "picture"; readonly mimeType: string; readonly data: string; readonly text: string }
  | { readonly type: "error"; readonly code: ToolFailureCode; readonly message: string };

export type ToolResult = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolOutput;
};

/** Piece of the model's text. Pieces with the same `id` form one text. */
type Piece = {
  readonly id?: string;
  readonly text: string;
  /** Opaque data of the provider, for example the signature of a thought. See {@link ToolRequest}. */
  readonly providerMetadata?: unknown;
};

/**
 * Start or end of work on the web that the provider itself did: a search, or the opening of a page. `input` and
 * `output` are in the form of this type of provider, and go back to the provider unchanged. `output` is `null` if it
 * was too large to keep.
 */
export type SearchPart = {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Type of the provider. */
  readonly provider: string;
  readonly providerMetadata?: unknown;
} & (
  | { readonly type: "search-call"; readonly input: unknown }
  | { readonly type: "search-result"; readonly output: unknown; readonly isError: boolean }
);

export type WebLink = { readonly url: unknown; readonly title?: unknown };

/** Part of an answer, in the order of arrival. */
export type AssistantPart =
  | ({ readonly type: "text" | "reasoning" } & Piece)
  | ({ readonly type: "tool-call" } & ToolRequest)
  | SearchPart;

/**
 * Item of a conversation. An assistant item with tool calls is followed by an item with the results of all these calls,
 * even after a cancel. Providers refuse conversations with open calls.
 */
export type ConversationItem =
  /** `promptId` is the id of the user's message. A summary has none. */
  | { readonly role: "user"; readonly content: readonly ContentBlock[]; readonly promptId?: string }
  | { readonly role: "assistant"; readonly content: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly content: readonly ToolResult[] };

/**
 * Reason for the end of an answer:
 * - `stop`: the answer is complete
 * - `tool-calls`: the model requests tool calls
 * - `length`: the limit of tokens was reached
 * - `content-filter`: the provider refused the content, or the reviewer found nothing to review
 * - `pause`: the provider needs more time, and continues the answer with the next request
 */
export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "pause";

/**
 * Part of a streamed answer. The names are the same as in `streamText` of the AI SDK, so an adapter maps each part to
 * one part.
 */
export type ModelPart =
  | ({ readonly type: "text-delta" | "reasoning-delta" } & Piece)
  | ({ readonly type: "tool-call" } & ToolRequest)
  | SearchPart
  /** Queries and pages of searches, from a provider that sends no parts for its searches. */
  | { readonly type: "sources"; readonly queries?: readonly unknown[]; readonly links: readonly WebLink[] }
  /**
   * Announces that a failed request will be repeated after `delayMs` milliseconds. No text was streamed before this
   * part.
   */
  | { readonly type: "retry"; readonly reason: string; readonly delayMs: number }
  | {
      readonly type: "finish";
      readonly finishReason: FinishReason;
      readonly usage?: TokenUsage;
      /** Cost of this answer; absent if the prices are unknown. */
      readonly cost?: Cost;
    };

export type ModelRequest = {
  readonly conversation: readonly ConversationItem[];
  readonly tools: readonly ToolDefinition[];
  readonly signal: AbortSignal;
  /** System prompt: the role, the folder and the project rules. */
  readonly instructions?: string;
  readonly effort?: string;
  readonly webSearch?: boolean;
};

/**
 * Source of answers: the offline reviewer or a language model.
 *
 * The last part of the stream is `finish`. The stream also ends soon after `signal` aborts. A failure of the provider
 * is thrown.
 */
export interface Model {
  readonly id: string;
  readonly name: string;
  /** Largest number of tokens of a request together with its answer; absent if unknown. */
  readonly contextWindow?: number;
  readonly images?: boolean;
  /** Levels of effort, from lowest to highest; absent if the model has no levels. */
  readonly efforts?: readonly string[];
  /** `true` if the provider has its own tool for searching the web. */
  readonly searches?: boolean;
  respond(request: ModelRequest): AsyncIterable<ModelPart>;
}
