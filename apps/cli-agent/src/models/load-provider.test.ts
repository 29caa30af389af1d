import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ModelSpec, ProviderType } from "./catalogue.js";
import { createLanguageModel } from "./language-model.js";
import { providerOptions } from "./load-provider.js";

const asked: { url: string; headers: Headers }[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", async (url: string | URL, { headers }: RequestInit) => {
    asked.push({ url: String(url), headers: new Headers(headers) });
    return new Response("{}", { status: 400 });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** Makes one request to a model of that type, which fails. */
async function ask(type: ProviderType, place: { baseURL?: string; key?: string; headers?: Record<string, string> }) {
  const provider = { id: "mine", name: "Mine", type, needsKey: false, ...place };
  const model = createLanguageModel({ id: "mine/m", name: "M", provider, modelId: "m", images: false });
  const conversation = [{ role: "user", content: [{ type: "text", text: "hi" }] }] as const;
  const parts = model.respond({ conversation, tools: [], signal: new AbortController().signal });
  await expect(parts[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: "ModelError", status: 400 });
  return asked[0];
}

describe("a request", () => {
  it.each<[ProviderType, string, string]>([
    ["openai", "https://api.openai.com/v1/responses", "authorization"],
    ["anthropic", "https://api.anthropic.com/v1/messages", "x-api-key"],
    [
      "google",
      "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse",
      "x-goog-api-key",
    ],
  ])("goes to %s itself with the key it was given, whatever the environment says", async (type, url, header) => {
    for (const name of ["OPENAI", "ANTHROPIC", "GOOGLE_GENERATIVE_AI"]) {
      vi.stubEnv(`${name}_BASE_URL`, "https://elsewhere.example/v1");
      vi.stubEnv(`${name}_API_KEY`, "of-somebody-else");
    }
    const request = await ask(type, { key: "mine" });
    expect(request?.url).toBe(url);
    expect(request?.headers.get(header)).toMatch(/^(Bearer )?mine$/);
    expect(JSON.stringify([...(request?.headers ?? [])])).not.toContain("of-somebody-else");
  });

  it("goes where the configuration says, with its headers, and without a key where there is none", async () => {
    const baseURL = "http://127.0.0.1:8000/v1";
    const request = await ask("openai-compatible", { baseURL, headers: { "x-team": "editor" } });
    expect(request?.url).toBe(`${baseURL}/chat/completions`);
    expect(request?.headers.get("x-team")).toBe("editor");
    expect(request?.headers.has("authorization")).toBe(false);
  });
});

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
