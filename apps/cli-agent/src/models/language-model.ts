import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModel, TextStreamPart, ToolSet } from "ai";
import { ModelError } from "../errors.js";
import type { Model, ModelPart, ModelRequest, ToolDefinition } from "../model.js";
import type { ModelSpec } from "./catalogue.js";
import { costOf, toTokenUsage } from "./cost.js";
import { keyAdvice, loadProvider, providerOptions } from "./load-provider.js";
import { markForCache } from "./prompt-cache.js";
import { readProviderError } from "./read-provider-error.js";
import { type Senses, toMessages } from "./to-messages.js";
import { canSearchWeb, toSearchParts, webSearchTool } from "./web-search.js";

/** Source of time and random numbers for retries. Tests replace it. */
export interface Clock {
  now(): number;
  /**
   * Waits for `ms` milliseconds.
   *
   * @throws the signal's reason when it aborts
   */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns a random number from 0 to 1. It prevents many agents from repeating their requests at the same moment. */
  random(): number;
}

type RetryPolicy = {
  /** Largest number of requests, including the first one. */
  readonly attempts: number;
  /** Delay before the second request, in milliseconds. Each further delay is twice as long. */
  readonly firstDelayMs: number;
  /** Longest delay in milliseconds. If the provider asks for a longer delay, the request is not repeated. */
  readonly maxDelayMs: number;
};

/**
 * Default policy: at most five requests within about 30 s. If the provider asks for a delay of at most two minutes,
 * that delay is used instead.
 */
export const defaultRetries: RetryPolicy = { attempts: 5, firstDelayMs: 2_000, maxDelayMs: 120_000 };

const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: Math.random,
};

export type LanguageModelOptions = {
  readonly load?: (spec: ModelSpec) => Promise<LanguageModel>;
  readonly clock?: Clock;
  readonly retries?: RetryPolicy;
};

type StreamPart = TextStreamPart<ToolSet>;

/**
 * Creates a model that uses a provider through the AI SDK. The SDK is loaded with the first request. A request that
 * fails before any output is repeated if a repetition can succeed. A `retry` part announces each repetition.
 *
 * The stream throws {@link ModelError}; after an abort it throws the reason of the signal. The request ends when the
 * consumer stops reading.
 */
export function createLanguageModel(spec: ModelSpec, options: LanguageModelOptions = {}): Model {
  const { load = loadProvider, clock = systemClock, retries = defaultRetries } = options;
  let loading: Promise<LanguageModel> | undefined;
  const asked = { provider: spec.provider.name, key: spec.provider.key, keyAdvice: keyAdvice(spec.provider) };

  async function* ask(request: ModelRequest): AsyncGenerator<ModelPart> {
    loading ??= load(spec);
    loading.catch(() => {
      loading = undefined;
    });
    yield* stream(spec, await loading, request);
  }

  return {
    id: spec.id,
    name: spec.name,
    images: spec.images,
    contextWindow: spec.contextWindow,
    efforts: spec.efforts,
    searches: canSearchWeb(spec),
    async *respond(request) {
      for (let failed = 1; ; failed += 1) {
        let spoke = false;
        try {
          for await (const part of ask(request)) {
            spoke ||= !("text" in part) || part.text !== "";
            yield part;
          }
          return;
        } catch (thrown) {
          request.signal.throwIfAborted();
          const error = readProviderError(thrown, asked, clock.now());
          if (spoke) throw brokenOff(error);
          const delayMs = delayBeforeNext(error, failed, { policy: retries, random: clock.random });
          if (delayMs === undefined) throw error;
          yield { type: "retry", reason: error.message, delayMs };
          await clock.sleep(delayMs, request.signal);
        }
      }
    },
  };
}

async function* stream(spec: ModelSpec, model: LanguageModel, request: ModelRequest): AsyncGenerator<ModelPart> {
  const { streamText, jsonSchema } = await import("ai");
  // The SDK prints warnings about models. The user of this program cannot act on them.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const over = new AbortController();
  const { conversation, instructions, effort, webSearch = false } = request;
  // In strict mode, OpenAI treats optional members as required unless the schema marks them in OpenAI's own way.
  const strict = spec.provider.type === "openai" ? false : undefined;
  const toSdkTool = ({ name, description, inputSchema }: ToolDefinition) =>
    [name, { description, inputSchema: jsonSchema(inputSchema), strict }] as const;
  try {
    const messages = toMessages(conversation, sensesOf(spec, webSearch));
    const prompt = markForCache({ instructions, messages }, spec.provider);
    const tools = {
      ...Object.fromEntries(request.tools.map(toSdkTool)),
      ...(webSearch && (await webSearchTool(spec))),
    };
    const { fullStream } = streamText({
      model,
      ...prompt,
      ...(Object.keys(tools).length > 0 ? { tools } : {}),
      maxOutputTokens: spec.maxOutputTokens,
      providerOptions: providerOptions(spec, effort),
      abortSignal: AbortSignal.any([request.signal, over.signal]),
      maxRetries: 0,
      // Errors also arrive as parts of the stream. The default listener would print them.
      onError() {},
    });
    for await (const part of fullStream) yield* toModelParts(part, spec);
    request.signal.throwIfAborted();
  } finally {
    over.abort();
  }
}

function sensesOf({ images, provider: { type } }: ModelSpec, webSearch: boolean): Senses {
  const pictures = type === "openai-compatible" ? "after results" : "in results";
  return { images, pictures, ...(webSearch && { searchesOf: type }) };
}

/**
 * Converts a part of the SDK's stream.
 *
 * @throws the provider's failure if the part is an error
 */
function* toModelParts(part: StreamPart, spec: ModelSpec): Generator<ModelPart> {
  switch (part.type) {
    case "text-start":
    case "text-end":
      if (part.providerMetadata) yield { type: "text-delta", text: "", ...pieceOf(part) };
      return;
    case "reasoning-start":
    case "reasoning-end":
      if (part.providerMetadata) yield { type: "reasoning-delta", text: "", ...pieceOf(part) };
      return;
    case "text-delta":
    case "reasoning-delta":
      yield { type: part.type, text: part.text, ...pieceOf(part) };
      return;
    case "source":
    case "finish-step":
    case "tool-error":
    case "tool-result":
      yield* toSearchParts(part, spec);
      return;
    case "tool-call": {
      if (part.providerExecuted) {
        yield* toSearchParts(part, spec);
        return;
      }
      const { toolCallId, toolName, input, providerMetadata } = part;
      yield { type: "tool-call", toolCallId, toolName, input, providerMetadata };
      return;
    }
    case "error":
      throw part.error;
    case "finish":
      yield toFinish(part, spec);
  }
}

function pieceOf({ id, providerMetadata }: { readonly id: string; readonly providerMetadata?: unknown }) {
  return { id, providerMetadata };
}

function toFinish(part: Extract<StreamPart, { type: "finish" }>, { prices, provider }: ModelSpec): ModelPart {
  const { finishReason, rawFinishReason } = part;
  // The SDK ends every stream with a `finish` part. Without a reason from the provider, the answer is incomplete.
  if (finishReason === "error" || (finishReason === "other" && rawFinishReason === undefined)) {
    const reason = rawFinishReason ? ` (${rawFinishReason})` : "";
    throw new ModelError(`${provider.name} ended the answer without a reason${reason}.`, {
      code: "connection",
      provider: provider.name,
    });
  }
  const usage = toTokenUsage(part.totalUsage);
  const isPaused = rawFinishReason === "pause_turn";
  const cost = usage && prices && costOf(usage, prices);
  return {
    type: "finish",
    finishReason: isPaused ? "pause" : finishReason === "other" ? "stop" : finishReason,
    usage,
    cost,
  };
}

function brokenOff({ message, provider, status }: ModelError): ModelError {
  return new ModelError(`The answer broke off. ${message}`, { code: "broken_off", provider, status });
}

/**
 * Returns the delay before the next request in milliseconds; `undefined` if the request is not repeated.
 *
 * @param failed number of failed requests; at least 1
 */
function delayBeforeNext(
  error: ModelError,
  failed: number,
  { policy, random }: { readonly policy: RetryPolicy; readonly random: () => number },
): number | undefined {
  if (!error.isTemporary || failed >= policy.attempts) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined) return retryAfterMs <= policy.maxDelayMs ? retryAfterMs : undefined;
  const backoff = policy.firstDelayMs * 2 ** (failed - 1) * (0.75 + random() / 2);
  return Math.round(Math.min(backoff, policy.maxDelayMs));
}
