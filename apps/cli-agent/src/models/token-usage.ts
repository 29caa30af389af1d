import type { TokenUsage } from "@turnkit/agent";
import type { LanguageModelUsage } from "ai";

/** What an answer cost in the protocol's terms; `undefined` where the provider does not tell. */
export function toTokenUsage(usage: LanguageModelUsage): TokenUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const known = {
    thoughtTokens: outputTokenDetails?.reasoningTokens,
    cachedReadTokens: inputTokenDetails?.cacheReadTokens,
    cachedWriteTokens: inputTokenDetails?.cacheWriteTokens,
  };
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    totalTokens: usage.totalTokens ?? (inputTokens ?? 0) + (outputTokens ?? 0),
    ...Object.fromEntries(Object.entries(known).filter(([, tokens]) => tokens !== undefined)),
  };
}

/** The sum of two. */
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
