import type { LanguageModel, TextStreamPart, ToolSet } from "ai";
import type { Model, ModelPart, ModelRequest, ToolDefinition } from "../model.js";
import { costOf } from "./cost.js";
import { loadProvider } from "./load-provider.js";
import { ModelError } from "./model-error.js";
import type { ModelSpec } from "./model-spec.js";
import { providerOptions } from "./provider-options.js";
import { readProviderError } from "./read-provider-error.js";
import { type Clock, delayBeforeNext, type RetryPolicy, usualRetries } from "./retry.js";
import { systemClock } from "./system-clock.js";
import { toMessages } from "./to-messages.js";
import { toTokenUsage } from "./token-usage.js";

/** What can be replaced in tests. */
export type LanguageModelOptions = {
  readonly load?: (spec: ModelSpec) => Promise<LanguageModel>;
  readonly clock?: Clock;
  readonly retries?: RetryPolicy;
};

type StreamPart = TextStreamPart<ToolSet>;

/**
 * A model of a provider, through the AI SDK. Nothing of the SDK is loaded before the first request. A request that
 * fails before anything was said is repeated where that may help; each repetition is told by a `retry` part.
 *
 * Its stream throws {@link ModelError}, and after an abort the signal's reason. Whoever stops listening ends the request.
 */
export function createLanguageModel(spec: ModelSpec, options: LanguageModelOptions = {}): Model {
  const { load = loadProvider, clock = systemClock, retries = usualRetries } = options;
  let loading: Promise<LanguageModel> | undefined;
  const asked = { provider: spec.provider.name, key: spec.provider.key };

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
    ...(spec.contextWindow === undefined ? {} : { contextWindow: spec.contextWindow }),
    ...(spec.efforts === undefined ? {} : { efforts: spec.efforts }),
    async *respond(request) {
      for (let failed = 1; ; failed += 1) {
        let spoke = false;
        try {
          for await (const part of ask(request)) {
            spoke ||= part.type === "finish" || part.type === "tool-call" || ("text" in part && part.text !== "");
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

/** One request, as the parts that came of it. */
async function* stream(spec: ModelSpec, model: LanguageModel, request: ModelRequest): AsyncGenerator<ModelPart> {
  const { streamText, jsonSchema } = await import("ai");
  // What the SDK has to say about a model belongs to nobody who uses this program.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const over = new AbortController();
  const { conversation, tools, instructions, effort } = request;
  // OpenAI would make every member of an input mandatory that is not said to be optional in its own way.
  const strict = spec.provider.type === "openai" ? false : undefined;
  const toSdkTool = ({ name, description, inputSchema }: ToolDefinition) =>
    [name, { description, inputSchema: jsonSchema(inputSchema), strict }] as const;
  try {
    const { fullStream } = streamText({
      model,
      messages: toMessages(conversation, spec),
      ...(instructions ? { system: instructions } : {}),
      ...(tools.length > 0 ? { tools: Object.fromEntries(tools.map(toSdkTool)) } : {}),
      ...(spec.maxOutputTokens === undefined ? {} : { maxOutputTokens: spec.maxOutputTokens }),
      providerOptions: providerOptions(spec, effort),
      abortSignal: AbortSignal.any([request.signal, over.signal]),
      maxRetries: 0,
      // Errors come as parts; without this they are printed as well.
      onError() {},
    });
    for await (const part of fullStream) yield* toModelParts(part, spec);
    request.signal.throwIfAborted();
  } finally {
    over.abort();
  }
}

/** @throws the provider's failure, whatever it is, if that is what the part holds */
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
    case "tool-call": {
      const { toolCallId, toolName, input, providerMetadata } = part;
      yield { type: "tool-call", toolCallId, toolName, input, ...(providerMetadata && { providerMetadata }) };
      return;
    }
    case "error":
      throw part.error;
    case "finish":
      yield toFinish(part, spec);
  }
}

function pieceOf({ id, providerMetadata }: { readonly id: string; readonly providerMetadata?: unknown }) {
  return { id, ...(providerMetadata === undefined ? {} : { providerMetadata }) };
}

function toFinish(part: Extract<StreamPart, { type: "finish" }>, { prices, provider }: ModelSpec): ModelPart {
  const { finishReason, rawFinishReason } = part;
  // The SDK ends its stream in any case; without a reason of the provider's the answer is not whole.
  if (finishReason === "error" || (finishReason === "other" && rawFinishReason === undefined)) {
    const reason = rawFinishReason ? ` (${rawFinishReason})` : "";
    throw new ModelError(`${provider.name} ended the answer without saying why${reason}.`, {
      code: "connection",
      provider: provider.name,
    });
  }
  const usage = toTokenUsage(part.totalUsage);
  return {
    type: "finish",
    finishReason: finishReason === "other" ? "stop" : finishReason,
    ...(usage && { usage }),
    ...(usage && prices && { cost: costOf(usage, prices) }),
  };
}

function brokenOff({ message, provider, status }: ModelError): ModelError {
  return new ModelError(`The answer broke off. ${message}`, {
    code: "broken_off",
    provider,
    ...(status === undefined ? {} : { status }),
  });
}
