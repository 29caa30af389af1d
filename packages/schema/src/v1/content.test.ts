import { describe, expect, it } from "vitest";
import { parse } from "../index.js";
import { type ContentBlock, contentBlock, embeddedResource, promptRequest, sessionUpdate } from "./index.js";

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
