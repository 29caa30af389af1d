import { describe, expect, it } from "vitest";
import { messageText } from "../select.js";
import { watchSessions } from "./connection-watch.js";

type Update = { readonly sessionUpdate: string; readonly [key: string]: unknown };

/** Creates a watch with an open session, and functions that send messages of both sides. */
function open(dialect: "v1" | "v2") {
  const events: string[] = [];
  const watch = watchSessions({
    dialect,
    onEvent: (_, event) => void events.push("promptId" in event ? `${event.type} ${event.promptId}` : event.type),
  });
  const call = (id: number, method: string, params: object) =>
    watch.message({ jsonrpc: "2.0", id, method, params: { sessionId: "s", ...params } }, "client");
  const answer = (id: number, result: object = {}) => watch.message({ jsonrpc: "2.0", id, result }, "agent");
  call(1, "session/new", { cwd: "/w", mcpServers: [] });
  answer(1, { sessionId: "s" });
  const entries = () => [...(watch.sessions.get("s")?.getState().timeline ?? [])];
  return {
    events,
    answer,
    refuse: (id: number) => watch.message({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } }, "agent"),
    prompt: (id: number, text = "p") => call(id, "session/prompt", { prompt: [{ type: "text", text }] }),
    load: (id: number) =>
      dialect === "v1"
        ? call(id, "session/load", { cwd: "/w", mcpServers: [] })
        : call(id, "session/resume", { cwd: "/w", replayFrom: { type: "start" } }),
    update: (update: Update) =>
      watch.message({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } }, "agent"),
    timeline: () =>
      entries()
        .map((entry) => (entry.type === "message" ? entry.role : entry.type))
        .join(" "),
    texts: () => entries().map((entry) => (entry.type === "message" ? messageText(entry) : entry.type)),
  };
}

const text = (of: string) => ({ type: "text", text: of });
const user = (of: string): Update => ({ sessionUpdate: "user_message_chunk", content: text(of) });
const says: Update = { sessionUpdate: "agent_message_chunk", content: text("x") };
const tool = (status: string): Update => ({
  ...{ sessionUpdate: "tool_call", toolCallId: "t", title: "T", kind: "edit", status },
});
const toolUpdate: Update = { sessionUpdate: "tool_call_update", toolCallId: "t", status: "failed" };
const idle = (stopReason?: string): Update => ({ sessionUpdate: "state_update", state: "idle", stopReason });
const running: Update = { sessionUpdate: "state_update", state: "running" };
const message = (messageId: string): Update => ({
  sessionUpdate: "user_message",
  messageId,
  content: [text(messageId)],
});

describe("defect R5: a restore during a turn keeps the order of the conversation", () => {
  it("updates before the replay do not belong to it", () => {
    const { prompt, update, load, answer, timeline } = open("v1");
    prompt(2);
    update(tool("pending"));
    load(3);
    update(toolUpdate);
    answer(2, { stopReason: "cancelled" });
    for (const one of [user("p"), tool("failed")]) update(one);
    answer(3);
    expect(timeline()).toBe("user tool_call");
  });

  it("the open turn gets its updates at once, and a refused restore changes nothing", () => {
    const { prompt, update, load, answer, refuse, events, timeline } = open("v1");
    prompt(2);
    load(3);
    update(tool("pending"));
    update(says);
    expect(timeline()).toBe("user tool_call agent");
    answer(2, { stopReason: "end_turn" });
    update(user("p"));
    refuse(3);
    expect(timeline()).toBe("user tool_call agent");
    expect(events.filter((type) => type.startsWith("replay"))).toEqual([]);
  });

  it("a replay of more than 1 000 updates after updates of the turn is whole", () => {
    const { prompt, update, load, answer, timeline } = open("v1");
    prompt(2);
    load(3);
    update(tool("pending"));
    answer(2, { stopReason: "end_turn" });
    update(user("p"));
    for (let count = 0; count < 1_500; count += 1) update(says);
    update(tool("completed"));
    answer(3);
    expect(timeline()).toBe("user agent tool_call");
  });

  it("a message of the turn that the replay repeats is there once, in version 2", () => {
    const { prompt, update, load, answer, timeline } = open("v2");
    prompt(2);
    for (const one of [message("u1"), running]) update(one);
    answer(2, { messageId: "u1" });
    load(3);
    update({ sessionUpdate: "agent_message_chunk", messageId: "a1", content: text("x") });
    update(idle("end_turn"));
    update(message("u1"));
    update({ sessionUpdate: "agent_message_chunk", messageId: "a1", content: text("x") });
    answer(3);
    expect(timeline()).toBe("user agent");
  });
});

it.each(["v1", "v2"] as const)("defect R6: an empty replay is shown (%s)", (dialect) => {
  const { prompt, answer, load, update, events, timeline } = open(dialect);
  prompt(2);
  if (dialect === "v2") for (const one of [message("u1"), running, idle("end_turn")]) update(one);
  answer(2, dialect === "v1" ? { stopReason: "end_turn" } : { messageId: "u1" });
  events.length = 0;
  load(3);
  answer(3);
  expect(events).toEqual(["replay_started", "replay_ended", "session_opened"]);
  expect(timeline()).toBe("");
});

describe("defect R7: a watch ends turns of version 2 when a client does", () => {
  const turns = (events: readonly string[]) => events.filter((type) => type.startsWith("turn_ended"));

  it("a repeated idle state with the same reason ends nothing", () => {
    const { prompt, answer, update, events } = open("v2");
    prompt(2);
    for (const one of [message("u1"), running]) update(one);
    answer(2, { messageId: "u1" });
    update(idle("end_turn"));
    prompt(3);
    answer(3, { messageId: "u2" });
    update(idle("end_turn"));
    expect(turns(events)).toEqual(["turn_ended watched-1"]);
    for (const one of [running, idle("end_turn")]) update(one);
    expect(turns(events)).toEqual(["turn_ended watched-1", "turn_ended watched-2"]);
  });

  it("an idle state with another reason ends a turn", () => {
    const { prompt, answer, update, events } = open("v2");
    update(idle("end_turn"));
    prompt(2);
    answer(2, { messageId: "u1" });
    update(idle("refusal"));
    expect(turns(events)).toEqual(["turn_ended watched-1"]);
  });

  it("an answer without an id takes the oldest user message, and each message is taken once", () => {
    const { prompt, answer, update, events } = open("v2");
    prompt(2);
    prompt(3);
    for (const one of [message("u1"), running, idle("end_turn")]) update(one);
    answer(2);
    expect(turns(events)).toEqual(["turn_ended watched-1"]);
    answer(3);
    expect(turns(events)).toEqual(["turn_ended watched-1"]);
    for (const one of [running, idle("end_turn")]) update(one);
    expect(turns(events)).toEqual(["turn_ended watched-1", "turn_ended watched-2"]);
  });
});

describe("P-REPLAY-06: what follows the marker of a replay reaches an open session", () => {
  const marker: Update = { sessionUpdate: "replay_complete" };
  const says = (messageId: string): Update => ({
    ...{ sessionUpdate: "agent_message_chunk", messageId, content: text(messageId) },
  });

  /** A watch during the restore of an idle session with one message of each side, and of more updates. */
  function openRestoring(...more: readonly Update[]) {
    const opened = open("v2");
    for (const one of [message("u1"), says("a1"), ...more]) opened.update(one);
    opened.load(2);
    return opened;
  }

  it.each([
    ["a replay", [message("u1"), says("a1")]],
    ["an empty replay", []],
  ])("at once, after %s, and stays if the restore is refused", (_, replay) => {
    const { update, refuse, texts } = openRestoring();
    for (const one of [...replay, marker, says("a2")]) update(one);
    expect(texts()).toEqual(["u1", "a1", "a2"]);
    refuse(2);
    expect(texts()).toEqual(["u1", "a1", "a2"]);
  });

  it("after the late updates of the turn before, and without the replay between them", () => {
    const { update, refuse, texts } = openRestoring();
    for (const one of [says("late"), message("u1"), says("a1"), marker, says("a2")]) update(one);
    refuse(2);
    expect(texts()).toEqual(["u1", "a1", "late", "a2"]);
  });

  it("without the replay of a second restore", () => {
    const { update, load, refuse, texts } = openRestoring();
    load(3);
    for (const one of [message("u1"), says("a1"), marker, says("a2")]) update(one);
    refuse(2);
    for (const one of [message("u1"), says("a1"), says("a2"), marker, says("a3")]) update(one);
    refuse(3);
    expect(texts()).toEqual(["u1", "a1", "a2", "a3"]);
  });

  it("in earlier messages of a session at work", () => {
    const { update, refuse, texts } = openRestoring(running, message("u2"));
    for (const one of [message("u1"), marker, says("a1")]) update(one);
    refuse(2);
    expect(texts()).toEqual(["u1", "a1a1", "u2"]);
  });
});
