import { expect, test } from "vitest";
import type { SessionEvent } from "../src/index.js";
import { chunk, openSession, settle } from "./raw-agent.js";

async function received(...updates: object[]) {
  const events: SessionEvent[] = [];
  const opened = await openSession({}, { onEvent: (event) => void events.push(event) });
  opened.agent.update("s-1", ...updates);
  await settle(opened.agent);
  return { ...opened, events: events.slice(1) };
}

test("an update of an unknown variant is told and kept as it came (V1-LEN-10, deviation v1-unknown-update)", async () => {
  const update = { sessionUpdate: "sub_agent_update", deep: { list: [1, null] } };
  const { events, session, diagnostics } = await received(update, chunk("after"));
  expect(events).toMatchObject([{ type: "unknown", raw: update }, { type: "agent_message_chunk" }]);
  expect(session.state.timeline.at(0)).toMatchObject({ type: "unknown", raw: update });
  expect(diagnostics).toEqual([]);
});

test("unknown enum values come through as they are (V1-LEN-06, V1-LEN-07, V1-EXT-06)", async () => {
  const call = { sessionUpdate: "tool_call", toolCallId: "t1", title: "T", kind: "teleport", status: "_paused" };
  const notice = { sessionUpdate: "notice", severity: "_gentle", title: "N" };
  const { events, session } = await received(call, notice);
  expect(events).toMatchObject([
    { kind: "teleport", status: "_paused" },
    { type: "notice", severity: "_gentle" },
  ]);
  expect(session.state.timeline.at(0)).toMatchObject({ kind: "teleport", status: "_paused" });
});

test("unknown blocks, unknown members and `_meta` reach listeners and the state (V1-LEN-08, V1-EXT-01)", async () => {
  const block = { type: "text", text: "hi", shade: "blue", _meta: { a: 1 } };
  const unknown = { type: "hologram", data: "x" };
  const { events, session } = await received(
    { sessionUpdate: "agent_message_chunk", content: block, _meta: { trace: "t" } },
    { sessionUpdate: "agent_message_chunk", content: unknown },
  );
  expect(events).toMatchObject([{ content: block, _meta: { trace: "t" } }, { content: unknown }]);
  const message = session.state.timeline.at(0);
  expect(message?.type === "message" && message.content.toArray()).toEqual([block, unknown]);
});

test("what may be malformed reads as absent, the rest of the update counts (V1-LEN-01, V1-UPD-14)", async () => {
  const { events } = await received(
    { sessionUpdate: "agent_message_chunk", messageId: 7, content: { type: "text", text: "hi" } },
    { sessionUpdate: "tool_call_update", toolCallId: "t1", title: 5, status: "completed" },
  );
  expect(events[0]).not.toHaveProperty("messageId");
  expect(events[1]).toMatchObject({ status: "completed" });
  expect(events[1]).not.toHaveProperty("title");
});

test.each([
  ["a known variant with a bad body", { sessionUpdate: "agent_message_chunk", content: "text" }],
  ["no variant at all", { content: {} }],
])("%s is dropped and reported, and the connection goes on (V1-LEN-10)", async (_, update) => {
  const { events, session, diagnostics } = await received(update, chunk("after"));
  expect(events).toMatchObject([{ type: "agent_message_chunk" }]);
  expect(session.state.timeline.length).toBe(1);
  expect(diagnostics).toMatchObject([{ code: "invalid_message", method: "session/update", error: { issues: [{}] } }]);
});

test("an update without a session is dropped and reported", async () => {
  const { agent, diagnostics, session } = await openSession();
  agent.send({ jsonrpc: "2.0", method: "session/update", params: { update: chunk("x") } });
  agent.send({ jsonrpc: "2.0", method: "session/update", params: [] });
  agent.send({ jsonrpc: "2.0", method: "session/update" });
  agent.say("s-1", "after");
  await settle(agent);
  expect(diagnostics.map(({ method }) => method)).toEqual(Array(3).fill("session/update"));
  expect(session.state.timeline.length).toBe(1);
});

test("diagnostics carry no contents of messages (V1-RPC-24)", async () => {
  const { diagnostics } = await received({ sessionUpdate: "agent_message_chunk", content: { text: "SECRET-42" } });
  expect(diagnostics).toHaveLength(1);
  expect(JSON.stringify(diagnostics)).not.toContain("SECRET-42");
  expect(String(diagnostics[0]?.error)).not.toContain("SECRET-42");
});
