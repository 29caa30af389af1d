import { type Session, seedDialect, v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { createProject, said, startCodingAgent, type WireName } from "./coding-agent.js";
import { frames, type ReceivedRequest, type Step, say } from "./step.js";

const HOSTILE = "Docs\u001b[2J\u202e of \u0007it\n# Obey";
const page = "https://example.com/docs";
const bad = ["javascript:alert(1)", "file:///etc/passwd", `https://example.com/${"x".repeat(3_000)}`, "not a url"];

/** Searches in the form of Anthropic. The first answer pauses, and an answer after the pause has no parts of its own. */
const anthropic: readonly Step[] = [
  frames([
    {
      type: "message_start",
      message: {
        ...{ id: "msg_1", type: "message", role: "assistant", model: "coder", content: [], stop_reason: null },
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
    },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"query":"turn' } },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: 'kit docs"}' } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: [page, page, ...bad].map((url) => ({
          ...{ type: "web_search_result", url, title: HOSTILE, encrypted_content: "sealed-result", page_age: null },
        })),
      },
    },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "pause_turn", stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ]),
  [say("It is documented.")],
  [say("As found.")],
];

const openai: readonly Step[] = [
  frames([
    { type: "response.created", response: { id: "resp_1", object: "response", created_at: 1, model: "coder" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "web_search_call", id: "ws_1", status: "in_progress" },
    },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: {
        ...{ type: "web_search_call", id: "ws_1", status: "completed" },
        action: {
          ...{ type: "search", query: "turnkit docs", queries: ["turnkit docs"] },
          sources: [page, page, ...bad].map((url) => ({ type: "url", url })),
        },
      },
    },
    {
      type: "response.output_item.added",
      output_index: 1,
      item: { type: "message", id: "item_1", role: "assistant", status: "in_progress", content: [] },
    },
    {
      ...{ type: "response.output_text.delta", item_id: "item_1", output_index: 1, content_index: 0 },
      delta: "It is documented.",
    },
    {
      ...{ type: "response.output_text.annotation.added", item_id: "item_1", output_index: 1, annotation_index: 0 },
      annotation: { type: "url_citation", url: page, title: HOSTILE, start_index: 0, end_index: 2 },
    },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: {
        ...{ type: "message", id: "item_1", role: "assistant", status: "completed" },
        content: [{ type: "output_text", text: "It is documented.", annotations: [] }],
      },
    },
    {
      type: "response.completed",
      response: {
        ...{ id: "resp_1", object: "response", created_at: 1, model: "coder", status: "completed", output: [] },
        usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      },
    },
  ]),
  [say("As found.")],
];

const candidate = (parts: readonly object[], more: object = {}) => ({
  candidates: [{ index: 0, content: { role: "model", parts }, ...more }],
});

const google: readonly Step[] = [
  frames([
    candidate([{ toolCall: { toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["turnkit docs"] }, id: "gs_1" } }]),
    candidate([
      { toolResponse: { toolType: "GOOGLE_SEARCH_WEB", response: { search_suggestions: "<b>no</b>" }, id: "gs_1" } },
    ]),
    candidate([{ text: "It is documented." }]),
    {
      ...candidate([{ text: "" }], {
        finishReason: "STOP",
        groundingMetadata: {
          webSearchQueries: ["turnkit docs"],
          groundingChunks: [page, page, ...bad].map((uri) => ({ web: { uri, title: HOSTILE } })),
        },
      }),
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    },
  ]),
  [say("As found.")],
];

/** Wires with the form of their tool, of a search that goes back, and the script. */
const wires: readonly [WireName, string, object, object, readonly Step[]][] = [
  [
    "anthropic",
    "claude-coder",
    { type: "web_search_20250305", name: "web_search", max_uses: 8 },
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "turnkit docs" } },
    anthropic,
  ],
  [
    "openai",
    "gpt-6-coder",
    { type: "web_search" },
    { type: "web_search_call", id: "ws_1", status: "completed" },
    openai,
  ],
  [
    "google",
    "gemini-3-coder",
    { googleSearch: {} },
    { toolCall: { toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["turnkit docs"] }, id: "gs_1" } },
    google,
  ],
];

const searchesOf = ({ state: { timeline } }: Session) =>
  [...timeline].flatMap((entry) => {
    if (entry.type !== "tool_call") return [];
    const content = entry.content.toArray().map((item) => (item.type === "content" ? item.content : item.type));
    return [{ title: entry.title, kind: entry.kind, status: entry.status, content }];
  });

/** Searches in the provider's own form, in any depth of a request. */
function holds(value: unknown, part: object): boolean {
  if (typeof value !== "object" || value === null) return false;
  const has = Object.entries(part).every(
    ([key, member]) => JSON.stringify((value as Record<string, unknown>)[key]) === JSON.stringify(member),
  );
  return has || Object.values(value).some((member) => holds(member, part));
}

const count = (request: ReceivedRequest | undefined, text: string) =>
  JSON.stringify(request?.body).split(text).length - 1;

const start = (wire: WireName, model: string, options: Partial<Parameters<typeof startCodingAgent>[0]>) =>
  startCodingAgent({
    wire,
    script: [[say("Hello.")]],
    model: { contextWindow: 100_000 },
    args: ["--model", `stand-in/${model}`],
    ...options,
  });

describe("web search through the provider's own tool", () => {
  it.each(wires)(
    "%s: is shown with query and links, and goes back as it came",
    async (wire, model, tool, part, script) => {
      const shared = { config: { webSearch: true }, env: { XDG_STATE_HOME: await createProject({}) } };
      const first = await start(wire, model, { ...shared, script });
      const { session, server } = first;
      expect(await session.prompt("Is it documented?").ended).toMatchObject({ stopReason: "end_turn" });
      expect(said(session.state)).toBe("It is documented.");
      expect(holds(server.requests[0]?.body.tools, tool)).toBe(true);
      expect(server.requests[0]?.tools).toContain("read_file");
      const shown = [
        {
          ...{ title: "Search the web for “turnkit docs”", kind: "search", status: "completed" },
          content: [{ type: "resource_link", uri: page, name: "Docs [2J of it # Obey" }],
        },
      ];
      expect(searchesOf(session)).toMatchObject(shown);

      await session.prompt("Sure?").ended;
      expect(holds(server.requests.at(-1)?.body, part)).toBe(true);
      expect(count(server.requests.at(-1), "It is documented.")).toBe(1);

      // The search survives the end of the agent. Without the tool, the model gets a note.
      await first.client.close();
      const second = await start(wire, model, { ...shared, script: [[say("Yes.")], [say("Still.")]] });
      const outcome = await second.client.restore(session.id, { cwd: first.folder });
      if (outcome.status !== "replayed") throw new Error(`The session is ${outcome.status}.`);
      await outcome.session.prompt("Once more?").ended;
      expect(holds(second.server.requests[0]?.body, part)).toBe(true);
      await outcome.session.setConfigOption("web_search", "off");
      await outcome.session.prompt("And now?").ended;
      const last = second.server.requests[1];
      expect([holds(last?.body, part), holds(last?.body.tools, tool)]).toEqual([false, false]);
      expect(count(last, "[The web was searched")).toBe(1);
      expect(searchesOf(outcome.session)).toMatchObject(shown);
    },
  );

  it.each(wires)("%s: is off by default and in the mode review, and on by an option", async (wire, model, tool) => {
    const { session, server } = await start(wire, model, { script: () => [say("Hello.")] });
    const offered = async (prompt: string) => {
      await session.prompt(prompt).ended;
      return holds(server.requests.at(-1)?.body.tools, tool);
    };
    expect(await offered("Hi")).toBe(false);
    await session.setConfigOption("web_search", "on");
    expect(await offered("Hi")).toBe(true);
    expect(await offered("/plan a cart")).toBe(false);
    await session.setConfigOption("mode", "review");
    expect(await offered("Hi")).toBe(false);
  });

  it("is not offered for chat completions, and for older models of Google", async () => {
    for (const [wire, model] of [
      ["openai-compatible", "coder"],
      ["google", "gemini-2.5-pro"],
    ] as const) {
      const { session, server } = await start(wire, model, { config: { webSearch: true } });
      await session.prompt("Hi").ended;
      expect(JSON.stringify(server.requests[0]?.body.tools)).not.toMatch(/web_search|googleSearch/);
      expect(session.state.configOptions?.map(({ configId }) => configId)).not.toContain("web_search");
    }
  });

  it.each([
    ["v1", v1Dialect],
    ["v2", v2Dialect],
    ["seed", seedDialect],
  ])("a failed search fails in %s, and the turn goes on", async (_, dialect) => {
    const [begin, block, query, more, stop] = JSON.parse(
      `[${(anthropic[0] as { frames: string }).frames
        .match(/\{.*\}$/gm)
        ?.slice(0, 5)
        .join()}]`,
    );
    const content = { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" };
    const { session } = await start("anthropic", "claude-coder", {
      dialects: [dialect],
      config: { webSearch: true },
      script: [
        frames([
          ...[begin, block, query, more, stop],
          {
            ...{ type: "content_block_start", index: 1 },
            content_block: { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content },
          },
          { type: "content_block_stop", index: 1 },
          { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
          { type: "message_stop" },
        ]),
        [say("I do not know.")],
      ],
    });
    expect(await session.prompt("Is it documented?").ended).toMatchObject({ stopReason: "end_turn" });
    expect(searchesOf(session)).toMatchObject([{ status: "failed", kind: "search" }]);
  });
});
