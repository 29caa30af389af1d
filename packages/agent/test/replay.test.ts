import { describe, expect, test } from "vitest";
import { type AgentHandlers, replayEvents, type WireEvent } from "../src/index.js";
import { clientInfo, connectAs, everything, type Frame, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const place = { cwd: "/work", mcpServers: [] };
const text = (value: string) => ({ type: "text", text: value }) as const;

/** An agent that does one of everything, and keeps its sessions as JSON when they close. */
function keepsTalks(): Partial<AgentHandlers> {
  const kept = new Map<string, string>();
  return {
    prompt(turn) {
      const { session } = turn;
      session.setTitle("Count");
      turn.think("hm");
      turn.say("Let me ");
      turn.say("look.");
      turn.plan([{ content: "Look", priority: "high", status: "in_progress" }]);
      const terminal = session.terminal({ command: "ls", onCancel: () => undefined });
      const call = turn.toolCall({ title: "List", name: "ls", kind: "execute", rawInput: { path: "/" } });
      call.append({ type: "terminal", terminalId: terminal.terminalId });
      call.append({ type: "terminal", terminalId: "of-the-client" });
      terminal.write("a\n");
      terminal.write("b\n");
      terminal.exit({ exitCode: 0 });
      call.finish({ rawOutput: 2 });
      session.emit({ type: "notice", severity: "info", title: "Two files" });
      session.emit({ type: "compaction_update", compactionId: "c", status: "in_progress" });
      session.emit({ type: "compaction_summary_chunk", compactionId: "c", content: text("It was long.") });
      session.emit({ type: "compaction_update", compactionId: "c", status: "completed" });
      turn.plan([{ content: "Look", priority: "high", status: "completed" }]);
      turn.say("Two.");
    },
    closeSession: ({ id, state }) => void kept.set(id, JSON.stringify(replayEvents(state))),
    restoreSession({ sessionId, replay }, session) {
      const events = JSON.parse(kept.get(sessionId) ?? "[]") as WireEvent[];
      if (replay) for (const event of events) session.emit(event);
    },
  };
}

/** Has a talk, closes it, and loads it over another connection. */
async function replayed(hello: object, restore: string, more: object = {}) {
  const handlers = keepsTalks();
  const { client: writer } = await connectAs(hello, handlers);
  const sessionId = await writer.newSession();
  await writer.ask(sessionId, "How many files?");
  await writer.result("session/close", { sessionId });
  const { client } = await connectAs(hello, handlers);
  const answer = await client.request(restore, { sessionId, ...place, ...more });
  expect(client.story.at(-1)).toBe(`#${answer.id}`);
  return { live: writer.updates(), replay: client.updates() };
}

const ofKind = (updates: readonly Frame[], ...kinds: string[]) =>
  updates.filter(({ sessionUpdate }) => kinds.includes(sessionUpdate));

describe("a replay", () => {
  test("V1-SESS-22: version 1: each thing by its own variant, once, in its final form; notices are not among them", async () => {
    const { live, replay } = await replayed(v1Hello, "session/load");
    expect(ofKind(live, "notice")).toHaveLength(1);
    expect(replay.map(({ sessionUpdate, content, status }) => [sessionUpdate, content?.text ?? status])).toEqual([
      ["user_message_chunk", "How many files?"],
      ["agent_thought_chunk", "hm"],
      ["agent_message_chunk", "Let me "],
      ["agent_message_chunk", "look."],
      ["tool_call", "completed"],
      ["compaction_update", "completed"],
      ["agent_message_chunk", "Two."],
      ["plan", undefined],
      ["session_info_update", undefined],
    ]);
    expect(ofKind(replay, "tool_call")[0]).toMatchObject({
      title: "List",
      name: "ls",
      kind: "execute",
      rawInput: { path: "/" },
      rawOutput: 2,
      content: [{ type: "content", content: { type: "text", text: expect.stringContaining("a\nb") } }],
    });
    expect(ofKind(replay, "compaction_update")[0]).toMatchObject({ summary: [text("It was long.")] });
    expect(ofKind(replay, "plan")[0]?.entries).toEqual([{ content: "Look", priority: "high", status: "completed" }]);
  });

  test("V1-SESS-23: every message has an id of its own, and it is the one that it had", async () => {
    const { live, replay } = await replayed(v1Hello, "session/load");
    const chunks = ofKind(replay, "user_message_chunk", "agent_message_chunk", "agent_thought_chunk");
    const ids = chunks.map(({ messageId }) => messageId);
    expect(ids.every((id) => typeof id === "string" && id !== "")).toBe(true);
    // The two chunks of one message are one.
    expect(ids[3]).toBe(ids[2]);
    expect(new Set(ids).size).toBe(chunks.length - 1);
    const before = ofKind(live, "agent_message_chunk", "agent_thought_chunk").map(({ messageId }) => messageId);
    expect(ids.slice(1)).toEqual(before);
  });

  test("V2-SES-12 V2-TERM-13: version 2: upserts with the ids of before, a terminal as one snapshot", async () => {
    const { live, replay } = await replayed(v2Hello, "session/resume", { replayFrom: { type: "start" } });
    expect(replay.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "terminal_update",
      "user_message",
      "agent_thought",
      "agent_message",
      "tool_call_update",
      "compaction_update",
      "agent_message",
      "plan_update",
      "session_info_update",
      "replay_complete",
      "state_update",
    ]);
    expect(replay[0]).toEqual({
      sessionUpdate: "terminal_update",
      terminalId: ofKind(live, "terminal_update")[0]?.terminalId,
      command: "ls",
      output: { data: btoa("a\nb\n") },
      exitStatus: { exitCode: 0 },
    });
    expect(replay[1]?.messageId).toBe(ofKind(live, "user_message")[0]?.messageId);
    expect(replay[4]).toMatchObject({ status: "completed", content: [{ terminalId: replay[0]?.terminalId }] });
    expect(replay[4]?.content).toHaveLength(1);
    expect(ofKind(live, "notice")).toHaveLength(1);
  });

  test("resume without it says nothing of what was", async () => {
    const { replay } = await replayed(v1Hello, "session/resume");
    expect(replay).toEqual([]);
  });
});
