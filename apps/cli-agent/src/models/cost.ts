import type { Cost, TokenUsage } from "@turnkit/agent";
import type { LanguageModelUsage } from "ai";
import type { ModelConfig } from "../config/config.js";

export type Spent = { readonly usage?: TokenUsage; readonly cost?: Cost };

/**
 * Prices of a model for a million tokens. Tokens of a kind without a price are charged as input tokens. `upTo` is the number
 * of input tokens of the longest request with these prices.
 */
export type Prices = NonNullable<ModelConfig["prices"]> & { readonly upTo?: number };

/**
 * Returns the cost of a request. The first prices that apply to the length of the request count. Returns `undefined` if
 * no prices apply.
 */
export function costOf(usage: TokenUsage, tiers: Prices | readonly Prices[]): Cost | undefined {
  const prices = [tiers].flat().find(({ upTo = Number.POSITIVE_INFINITY }) => usage.inputTokens <= upTo);
  if (prices === undefined) return undefined;
  const read = usage.cachedReadTokens ?? 0;
  const written = usage.cachedWriteTokens ?? 0;
  const amount =
    (usage.inputTokens - read - written) * prices.input +
    read * (prices.cachedRead ?? prices.input) +
    written * (prices.cachedWrite ?? prices.input) +
    usage.outputTokens * prices.output;
  return { amount: amount / 1_000_000, currency: prices.currency ?? "USD" };
}

/**
 * Converts the usage of an answer to the form of the protocol. Returns `undefined` if the provider reports no usage.
 */
export function toTokenUsage(usage: LanguageModelUsage): TokenUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    totalTokens: usage.totalTokens ?? (inputTokens ?? 0) + (outputTokens ?? 0),
    thoughtTokens: outputTokenDetails?.reasoningTokens,
    cachedReadTokens: inputTokenDetails?.cacheReadTokens,
    cachedWriteTokens: inputTokenDetails?.cacheWriteTokens,
  };
}

export function addUsage(sum: TokenUsage | undefined, more: TokenUsage | undefined): TokenUsage | undefined {
  if (!sum || !more) return sum ?? more;
  return {
    totalTokens: sum.totalTokens + more.totalTokens,
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    thoughtTokens: (sum.thoughtTokens ?? 0) + (more.thoughtTokens ?? 0),
    cachedReadTokens: (sum.cachedReadTokens ?? 0) + (more.cachedReadTokens ?? 0),
    cachedWriteTokens: (sum.cachedWriteTokens ?? 0) + (more.cachedWriteTokens ?? 0),
  };
}
