import { describe, expect, it, onTestFinished } from "vitest";
import { createModelServer, type Script } from "./model-server.js";
import { call, cut, fail, finish, say, think } from "./step.js";

async function serve(script: Script) {
  const server = await createModelServer(script);
  onTestFinished(() => server.close());
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${server.origin}${path}`, { method: "POST", body: JSON.stringify(body), headers });
  return { server, post };
}

const user = { role: "user", content: "Hi." };
const parts = [think("Hm."), say("One two."), call("look", { at: 1 }, "id-1")];

/** Each format: where and what to ask, and where its parts are in an answer that is no stream. */
const formats: readonly [string, string, object, string, (answer: any) => unknown][] = [
  [
    "chat-completions",
    "/v1/chat/completions",
    { model: "m", messages: [user] },
    "authorization",
    ({ choices: [{ message, finish_reason }] }) => [
      message.content,
      message.tool_calls[0].function.name,
      message.tool_calls[0].function.arguments,
      finish_reason,
    ],
  ],
  [
    "openai-responses",
    "/v1/responses",
    { model: "m", input: [user] },
    "authorization",
    ({ output: [, said, called], status }) => [said.content[0].text, called.name, called.arguments, status],
  ],
  [
    "anthropic-messages",
    "/v1/messages",
    { model: "m", messages: [user] },
    "x-api-key",
    ({ content: [, said, called], stop_reason }) => [said.text, called.name, JSON.stringify(called.input), stop_reason],
  ],
  [
    "google-generate-content",
    "/v1beta/models/m:generateContent",
    { contents: [{ role: "user", parts: [{ text: "Hi." }] }] },
    "x-goog-api-key",
    ({ candidates: [{ content, finishReason }] }) => [
      content.parts[1].text,
      content.parts[2].functionCall.name,
      JSON.stringify(content.parts[2].functionCall.args),
      finishReason,
    ],
  ],
];

describe("the stand-in for a provider", () => {
  it.each(formats)(
    "answers at once who wants no stream, and understands what was asked: %s",
    async (wire, path, body, header, read) => {
      const { server, post } = await serve([parts]);
      const answer = await post(path, body, { [header]: header === "authorization" ? "Bearer k" : "k" });
      expect(read(await answer.json())).toEqual([
        "One two.",
        "look",
        '{"at":1}',
        expect.stringMatching(/tool|STOP|completed/),
      ]);
      expect(server.requests).toMatchObject([
        { wire, model: "m", streams: false, prompt: "Hi.", key: "k", results: [] },
      ]);
      expect(await server.requests[0]?.over).toBe("answered");
    },
  );

  it("streams words as events, and cuts the connection where the script says so", async () => {
    const { post } = await serve([[say("One two."), finish("length")], [say("One"), cut], [cut]]);
    const ask = () => post("/v1/chat/completions", { model: "m", messages: [user], stream: true });
    const events = (await (await ask()).text()).split("\n\n").filter(Boolean);
    expect(events.at(-1)).toBe("data: [DONE]");
    const deltas = events
      .slice(0, -1)
      .map((event) => JSON.parse(event.slice("data: ".length)).choices[0]?.delta.content);
    expect(deltas).toEqual(["", "One ", "two.", undefined, undefined]);
    await expect(ask().then((answer) => answer.text())).rejects.toThrow("terminated");
    await expect(ask()).rejects.toThrow("fetch failed");
  });

  it("fails as a provider does, and where its script has no step", async () => {
    const { post } = await serve([fail(429, "Slow down.", "3")]);
    const refused = await post("/v1/messages", { model: "m", messages: [user] });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await refused.json()).toMatchObject({
      type: "error",
      error: { type: "rate_limit_error", message: "Slow down." },
    });
    expect((await post("/v1/messages", { model: "m", messages: [user] })).status).toBe(501);
    expect((await post("/v1/embeddings", {})).status).toBe(404);
  });
});
