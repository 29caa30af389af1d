import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ModelRequest } from "../model.js";
import type { ModelSpec } from "./catalogue.js";
import type { ProviderType } from "./known-providers.js";
import { createLanguageModel } from "./language-model.js";
import { providerOptions } from "./load-provider.js";

const asked: { url: string; headers: Headers; body: any }[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", async (url: string | URL, { headers, body }: RequestInit) => {
    asked.push({ url: String(url), headers: new Headers(headers), body: JSON.parse(String(body)) });
    return new Response("{}", { status: 400 });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** Makes one request to a model of that type, which fails. */
async function ask(type: ProviderType, place: Partial<ModelSpec["provider"]>, more: Partial<ModelRequest> = {}) {
  const provider = { id: "mine", name: "Mine", type, needsKey: false, ...place };
  const model = createLanguageModel({ id: "mine/m", name: "M", provider, modelId: "m", images: false });
  const conversation = [{ role: "user", content: [{ type: "text", text: "hi" }] }] as const;
  const parts = model.respond({ conversation, tools: [], signal: new AbortController().signal, ...more });
  await expect(parts[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: "ModelError", status: 400 });
  return asked.at(-1) as (typeof asked)[number];
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

describe("defect P12: the cache of prompts", () => {
  const history = [
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "look", input: {} }] },
    { role: "tool", content: [{ toolCallId: "c", toolName: "look", output: { type: "text", value: "two" } }] },
  ] as const;

  it.each([undefined, "http://proxy.example/anthropic/v1"])(
    "is marked wherever Anthropic's API is served: %s",
    async (baseURL) => {
      const { body } = await ask(
        "anthropic",
        { key: "k", baseURL },
        { conversation: history, instructions: "Be brief." },
      );
      expect(body.system).toEqual([{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }]);
      const marked = body.messages.map(({ content }: any) =>
        content.map(({ cache_control }: any) => cache_control?.type),
      );
      expect(marked).toEqual([["ephemeral"], [undefined], ["ephemeral"]]);
      expect(body).not.toHaveProperty("cache_control");
    },
  );

  it("is not marked with `cache: false`, nor for other APIs", async () => {
    const more = { conversation: history, instructions: "Be brief." };
    expect(JSON.stringify((await ask("anthropic", { key: "k", cache: false }, more)).body)).not.toContain(
      "cache_control",
    );
    expect(
      JSON.stringify((await ask("openai-compatible", { baseURL: "http://x.example/v1" }, more)).body),
    ).not.toContain("cache");
  });
});
