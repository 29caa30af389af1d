import { describe, expect, it } from "vitest";
import { type Case, expectOutcome, fine } from "../../test/outcome.js";
import { parse } from "../index.js";
import { type ContentBlock, contentBlock, embeddedResource, promptRequest, sessionUpdate } from "./index.js";

const image = { type: "image", data: "AA==", mimeType: "image/png" };
const audio = { type: "audio", data: "AA==", mimeType: "audio/wav" };
const link = { type: "resource_link", uri: "file:///a", name: "a" };

describe("content blocks", () => {
  it("keeps a block of an unknown type where the agent speaks", () => {
    const video = { type: "video", data: "AAAA" };
    for (const update of [
      { sessionUpdate: "agent_message_chunk", content: video },
      { sessionUpdate: "tool_call", toolCallId: "t", title: "t", content: [{ type: "content", content: video }] },
      { sessionUpdate: "compaction_update", compactionId: "c", status: "completed", summary: [video] },
      { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: video },
    ]) {
      const read = parse(sessionUpdate, update);
      expect("value" in read && read.value).toBe(update);
      expect("unrecognized" in read && read.unrecognized).toHaveLength(1);
    }
  });

  it("refuses a block of an unknown type in a prompt (V1-CONT-09)", () => {
    expect(parse(promptRequest, { sessionId: "s", prompt: [{ type: "video" }] }).issues).toMatchObject([
      { path: ["prompt", 0, "type"] },
    ]);
  });

  it("refuses a known block with a bad body", () => {
    expect(parse(contentBlock, { type: "image", data: "x" }).issues).toEqual([
      { path: ["mimeType"], message: "expected a string, got nothing" },
    ]);
  });

  it("takes a resource with both text and bytes for text, and one with neither for an error (V1-CONT-05)", () => {
    const both = { resource: { uri: "file:///a", text: "a", blob: "AAAA" } };
    expect(parse(embeddedResource, both)).toEqual({ value: both });
    const blob = { resource: { uri: "file:///a", text: 5, blob: "AAAA" } };
    expect(parse(embeddedResource, blob)).toEqual({ value: blob });
    expect(parse(embeddedResource, { resource: { uri: "file:///a" } }).issues).toEqual([
      { path: ["resource", "text"], message: "expected a string, got nothing" },
    ]);
  });

  it("reads malformed annotations as absent and drops unknown audiences (V1-CONT-06)", () => {
    expect(parse(contentBlock, { type: "text", text: "a", annotations: 5 })).toMatchObject({
      value: { type: "text", text: "a" },
      salvaged: [{ path: ["annotations"] }],
    });
    const annotations = { audience: ["user", "robot"], priority: "high", lastModified: null };
    expect(parse(contentBlock, { type: "text", text: "a", annotations })).toMatchObject({
      value: { annotations: { audience: ["user"], lastModified: null } },
    });
  });

  it("can be written as an ordinary literal", () => {
    const block: ContentBlock = { type: "resource_link", uri: "file:///a", name: "a", size: 3 };
    expect(parse(contentBlock, block)).toEqual({ value: block });
  });
});

describe("the members of a block", () => {
  it.each<Case>([
    ["V1-CONT-02 an image", contentBlock, image, fine],
    ["V1-CONT-02 an image with a source", contentBlock, { ...image, uri: "https://a.test/a.png" }, fine],
    ["V1-CONT-02 null for the source", contentBlock, { ...image, uri: null }, fine],
    ["V1-CONT-02 a bad source", contentBlock, { ...image, uri: 5 }, { salvaged: ["uri"], as: image }],
    ["V1-CONT-02 no data", contentBlock, { type: "image", mimeType: "image/png" }, { refused: ["data"] }],
    ["V1-CONT-02 null for the data", contentBlock, { ...image, data: null }, { refused: ["data"] }],
    ["V1-CONT-02 no media type", contentBlock, { type: "image", data: "AA==" }, { refused: ["mimeType"] }],
    ["V1-CONT-03 audio", contentBlock, audio, fine],
    ["V1-CONT-03 no data", contentBlock, { type: "audio", mimeType: "audio/wav" }, { refused: ["data"] }],
    ["V1-CONT-03 no media type", contentBlock, { type: "audio", data: "AA==" }, { refused: ["mimeType"] }],
    ["V1-CONT-04 a link", contentBlock, link, fine],
    [
      "V1-CONT-04 a link with everything",
      contentBlock,
      { ...link, title: "A", description: "d", mimeType: "text/plain", size: 12 },
      fine,
    ],
    [
      "V1-CONT-04 a link with nulls",
      contentBlock,
      { ...link, title: null, description: null, mimeType: null, size: null },
      fine,
    ],
    [
      "V1-CONT-04 a link with garbage",
      contentBlock,
      { ...link, title: 1, description: [], mimeType: {}, size: 1.5 },
      { salvaged: ["title", "description", "mimeType", "size"], as: link },
    ],
    ["V1-CONT-04 a link without an address", contentBlock, { type: "resource_link", name: "a" }, { refused: ["uri"] }],
    ["V1-CONT-04 a link without a name", contentBlock, { type: "resource_link", uri: "a:b" }, { refused: ["name"] }],
  ])("%s", (_, schema, value, outcome) => expectOutcome(schema, value, outcome));

  it("all five types may be in a prompt and in what the agent says: gates are not a matter of shape (V1-CONT-07)", () => {
    const resource = { type: "resource", resource: { uri: "file:///a", text: "a" } };
    const prompt = [{ type: "text", text: "a" }, image, audio, link, resource];
    expectOutcome(promptRequest, { sessionId: "s", prompt }, fine);
    for (const content of prompt) {
      expectOutcome(sessionUpdate, { sessionUpdate: "agent_message_chunk", content }, fine);
      const wrapped = [{ type: "content", content }];
      expectOutcome(sessionUpdate, { sessionUpdate: "tool_call_update", toolCallId: "t", content: wrapped }, fine);
    }
  });

  it("the output of an MCP tool passes through unchanged (V1-CONT-07)", () => {
    const output: unknown[] = [
      { type: "text", text: "done", annotations: { audience: ["user"], priority: 0.9 }, _meta: { "mcp/trace": 1 } },
      { ...image, annotations: { lastModified: "2026-01-01T00:00:00Z" } },
      { ...link, icons: [{ src: "https://a.test/i.png", sizes: ["any"] }] },
      { type: "resource", resource: { uri: "a://b", mimeType: "text/html", text: "<p>", _meta: { ui: true } } },
    ];
    const content = output.map((block) => ({ type: "content", content: block }));
    expectOutcome(sessionUpdate, { sessionUpdate: "tool_call", toolCallId: "t", title: "T", content }, fine);
  });
});
