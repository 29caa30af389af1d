import { describe, expect, it } from "vitest";
import { v1Codec } from "./codec/dialects.js";
import { createSessionState } from "./create-session-state.js";
import type { Entry } from "./entry.js";
import { createNestingSelector } from "./nesting.js";
import { reduce, reduceAll } from "./reduce.js";
import type { SessionState } from "./state.js";

const meta = (parent?: string) => (parent === undefined ? {} : { _meta: { agent: { parent } } });
const call = (toolCallId: string, parent?: string) => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: toolCallId,
  ...meta(parent),
});
const said = (text: string, messageId: string, parent?: string) => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: { type: "text", text },
  ...meta(parent),
});
const fold = (...updates: readonly object[]): SessionState =>
  reduceAll(
    createSessionState(),
    updates.flatMap((update) => v1Codec.decode(update)),
  );
const selectNesting = createNestingSelector((entry) => {
  const all = entry._meta ?? (entry.type === "message" ? entry.chunkMeta : undefined);
  return (all?.agent as { readonly parent?: string } | undefined)?.parent;
});
const keys = (entries: readonly Entry[]): readonly string[] => entries.map(({ key }) => key);

describe("the work of subagents", () => {
  it("stands under the tool call that began it, at any depth", () => {
    const state = fold(
      said("Let me ask", "a"),
      call("task"),
      said("I look", "b", "task"),
      call("grep", "task"),
      call("deep", "task"),
      said("deeper", "c", "deep"),
      said("Done", "d"),
    );
    const { roots, childrenOf, parentOf } = selectNesting(state);
    expect(keys(roots)).toEqual(["agent:a", "tool_call:task", "agent:d"]);
    expect(keys(childrenOf("tool_call:task"))).toEqual(["agent:b", "tool_call:grep", "tool_call:deep"]);
    expect(keys(childrenOf("tool_call:deep"))).toEqual(["agent:c"]);
    expect([parentOf("agent:c")?.toolCallId, parentOf("agent:a"), keys(childrenOf("agent:a"))]).toEqual([
      "deep",
      undefined,
      [],
    ]);
  });

  it("loses nothing whose parent is not there, comes later, or is itself", () => {
    const state = fold(call("x", "nowhere"), call("y", "z"), call("z", "y"), call("w", "w"), said("m", "m", "nowhere"));
    const { roots, childrenOf } = selectNesting(state);
    expect(keys(roots)).toEqual(["tool_call:x", "tool_call:y", "tool_call:w", "agent:m"]);
    expect(keys(childrenOf("tool_call:y"))).toEqual(["tool_call:z"]);
  });

  it("is the same object as long as the timeline is", () => {
    const state = fold(call("x"));
    const titled = reduce(state, { type: "session_info_update", title: "T" });
    expect(selectNesting(titled)).toBe(selectNesting(state));
  });
});
