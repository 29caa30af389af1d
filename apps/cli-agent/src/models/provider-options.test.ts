import { describe, expect, it } from "vitest";
import type { ModelSpec, ProviderType } from "./model-spec.js";
import { providerOptions } from "./provider-options.js";

const spec = (type: ProviderType, modelId: string, baseURL?: string): ModelSpec => ({
  id: `p/${modelId}`,
  name: modelId,
  provider: { id: "p", name: "P", type, baseURL, needsKey: false },
  modelId,
  images: true,
});

describe("how hard to think, in each provider's words", () => {
  it.each<[ProviderType, string, object]>([
    ["openai", "gpt-6.1-sol", { openai: { store: false, reasoningEffort: "high", reasoningSummary: "auto" } }],
    ["anthropic", "claude-sonnet-4-5", { anthropic: { thinking: { type: "enabled", budgetTokens: 24_576 } } }],
    ["anthropic", "claude-opus-4-20250514", { anthropic: { thinking: { type: "enabled", budgetTokens: 24_576 } } }],
    ["anthropic", "claude-sonnet-5-5", { anthropic: { thinking: { type: "adaptive" }, effort: "high" } }],
    ["anthropic", "claude-opus-4-6", { anthropic: { thinking: { type: "adaptive" }, effort: "high" } }],
    ["google", "gemini-2.5-pro", { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 24_576 } } }],
    ["google", "gemini-pro-latest", { google: { thinkingConfig: { includeThoughts: true, thinkingLevel: "high" } } }],
    ["openai-compatible", "qwen3", { openaiCompatible: { reasoningEffort: "high" } }],
  ])("%s %s", (type, model, options) => {
    expect(providerOptions(spec(type, model), "high")).toMatchObject(options);
  });

  it("is left to the provider where nobody chose", () => {
    expect(providerOptions(spec("openai", "gpt-6.1-sol"), undefined)).toEqual({ openai: { store: false } });
    expect(providerOptions(spec("openai-compatible", "qwen3"), undefined)).toEqual({});
    expect(providerOptions(spec("google", "gemini-2.0-flash"), undefined)).toEqual({ google: {} });
  });
});

it("the conversation is cached at Anthropic, and not asked for at those who stand in for it", () => {
  const cached = { anthropic: { cacheControl: { type: "ephemeral" } } };
  expect(providerOptions(spec("anthropic", "claude-sonnet-5-5"), undefined)).toEqual(cached);
  expect(providerOptions(spec("anthropic", "claude-sonnet-5-5", "http://proxy.example"), undefined)).toEqual({
    anthropic: {},
  });
});
