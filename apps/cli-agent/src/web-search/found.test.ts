import { describe, expect, it } from "vitest";
import type { ConversationItem, SearchPart } from "../model.js";
import { toMessages } from "../models/to-messages.js";
import { noteOf, readFound, readLinks } from "./found.js";

const page = "https://example.com/a";

describe("what a search of the web found", () => {
  it("is read in the forms of the three providers, and in no other", () => {
    expect(readFound({ query: "one" })).toEqual({ queries: ["one"], links: [] });
    expect(readFound([{ url: page, title: "A" }])).toEqual({ queries: [], links: [{ url: page, title: "A" }] });
    expect(
      readFound({ action: { type: "search", query: "old", queries: ["one", "two"] }, sources: [{ url: page }] }),
    ).toEqual({ queries: ["one", "two"], links: [{ url: page, title: "example.com" }] });
    expect(readFound({ action: { type: "openPage", url: page } })).toMatchObject({ page });
    for (const odd of [null, 7, "x", { queries: 7, sources: {} }, { action: [] }, [null, 7, { url: 7 }]]) {
      expect(readFound(odd)).toEqual({ queries: [], links: [] });
    }
  });

  it("has bounds: addresses of the web only, 20 links, and texts without control characters", () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      url: `${page}${at}`,
      title: `T\u001b[31m${"\ud800".repeat(2)}`,
    }));
    const found = readLinks([
      { url: "javascript:x" },
      { url: "data:text/html,x" },
      { url: `${page}${"x".repeat(2_000)}` },
      ...many,
    ]);
    expect(found).toHaveLength(20);
    expect(found[0]).toEqual({ url: `${page}0`, title: "T [31m" });
    const { queries } = readFound({ queries: Array(1_000).fill("\u202ex".repeat(1_000_000)) });
    expect(queries).toHaveLength(1);
    expect(queries[0]).toBe(`${"x ".repeat(100).trim()}…`);
    expect(noteOf({ queries: [], links: [] }, true)).toBe("[The web was searched, and the search failed.]");
  });
});

describe("a search in a conversation", () => {
  const id = { toolCallId: "s", toolName: "web_search", provider: "anthropic" };
  const asked: SearchPart = { type: "search-call", ...id, input: { query: "one" } };
  const found: SearchPart = { type: "search-result", ...id, output: [{ url: page, title: "A" }], isError: false };
  const item = (...content: SearchPart[]): ConversationItem => ({ role: "assistant", content });
  const read = (items: readonly ConversationItem[], searchesOf?: string) =>
    toMessages(items, { images: true, ...(searchesOf && { searchesOf }) }).flatMap(({ content }) =>
      typeof content === "string" ? [] : content.map((part) => (part.type === "text" ? part.text : part.type)),
    );
  const note = "[The web was searched.\nA: https://example.com/a]";

  it("goes back to its provider, and is a note for another one", () => {
    expect(read([item(asked, found)], "anthropic")).toEqual(["tool-call", "tool-result"]);
    expect(read([item(asked, found)], "openai")).toEqual([note]);
    expect(read([item(asked, found)])).toEqual([note]);
  });

  it("may end in the next answer, if the provider waits for a tool of the agent", () => {
    expect(read([item(asked)], "anthropic")).toEqual(["tool-call"]);
    expect(read([item(asked), item(found)], "anthropic")).toEqual(["tool-call", "tool-result"]);
  });

  it("is never half: without its call, its result or a result of a usable size it is a note or nothing", () => {
    expect(read([item(found)], "anthropic")).toEqual([note]);
    expect(read([item(asked), item({ ...found, toolCallId: "t" })], "anthropic")).toEqual([note]);
    expect(read([item(asked, { ...found, output: null })], "anthropic")).toEqual(["[The web was searched.]"]);
  });
});
