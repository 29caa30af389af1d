import type { TokenUsage } from "@turnkit/agent";

/** Money, or another unit in which a provider counts. */
export type Cost = { readonly amount: number; readonly currency: string };

/** What a model costs for each million tokens. Tokens of a kind without a price of its own count as input. */
export type Prices = {
  readonly input: number;
  readonly output: number;
  readonly cachedRead?: number;
  readonly cachedWrite?: number;
  /** `USD` unless said otherwise. */
  readonly currency?: string;
};

/** What one answer cost. */
export function costOf(usage: TokenUsage, prices: Prices): Cost {
  const read = usage.cachedReadTokens ?? 0;
  const written = usage.cachedWriteTokens ?? 0;
  const amount =
    (usage.inputTokens - read - written) * prices.input +
    read * (prices.cachedRead ?? prices.input) +
    written * (prices.cachedWrite ?? prices.input) +
    usage.outputTokens * prices.output;
  return { amount: amount / 1_000_000, currency: prices.currency ?? "USD" };
}
