import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLanguageModel } from "./language-model.js";
import type { ProviderType } from "./model-spec.js";

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

/** Asks a model of that type once, and lets it fail. */
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
