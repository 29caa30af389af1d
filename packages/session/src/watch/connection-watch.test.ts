import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageText } from "../select.js";
import type { SessionState } from "../state.js";
import { watchSessions } from "./connection-watch.js";
import type { SessionWatch, WatchedSide } from "./watch-options.js";
import { watchStream } from "./watch-stream.js";

type Frame = readonly [from: WatchedSide, message: object];

const feed = (watch: SessionWatch, frames: readonly Frame[]) => {
  for (const [from, message] of frames) watch.message({ jsonrpc: "2.0", ...message }, from);
};

const update = (update: object, sessionId = "s"): Frame => [
  "agent",
  { method: "session/update", params: { sessionId, update } },
];
const says = (text: string, sessionId?: string): Frame =>
  update({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } }, sessionId);
const prompt = (id: number, text: string): Frame => [
  "client",
  { id, method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "text", text }] } },
];
const answer = (id: number, result: object): Frame => ["agent", { id, result }];
const refusal = (id: number, message: string): Frame => ["agent", { id, error: { code: -32603, message } }];

const hello = (protocolVersion: number): readonly Frame[] => [
  ["client", { id: 0, method: "initialize", params: { protocolVersion } }],
  ["agent", { id: 0, result: { protocolVersion, info: { name: "a", version: "1" }, capabilities: { session: {} } } }],
];
const opened: readonly Frame[] = [
  ["client", { id: 1, method: "session/new", params: { cwd: "/srv", mcpServers: [] } }],
  answer(1, { sessionId: "s", modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] } }),
];

const said = ({ timeline }: SessionState) =>
  [...timeline].flatMap((entry) => (entry.type === "message" ? [`${entry.role}: ${messageText(entry)}`] : []));

const stateOf = (watch: SessionWatch, id = "s") => {
  const store = watch.sessions.get(id);
  if (store === undefined) throw new Error(`no session ${id}`);
  return store.getState();
};

const watching = (...frames: readonly Frame[]) => {
  const watch = watchSessions();
  feed(watch, [...hello(1), ...opened, ...frames]);
  return watch;
};

describe("a watched connection of version 1", () => {
  it("shows id, folder, options, prompts, activity and the end of a turn", () => {
    const watch = watching(prompt(2, "Fix it"));
    expect(stateOf(watch)).toMatchObject({
      ...{ sessionId: "s", cwd: "/srv", activity: { state: "running" } },
      configOptions: [{ configId: "mode", currentValue: "ask" }],
    });
    feed(watch, [says("Done."), answer(2, { stopReason: "end_turn" })]);
    expect(said(stateOf(watch))).toEqual(["user: Fix it", "agent: Done."]);
    expect(stateOf(watch)).toMatchObject({ activity: { state: "idle" }, lastTurn: { stopReason: "end_turn" } });
  });

  it("shows a prompt once that the agent repeats", () => {
    const echo = update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "Hi" } });
    expect(said(stateOf(watching(prompt(2, "Hi"), echo, says("Hello"))))).toEqual(["user: Hi", "agent: Hello"]);
  });

  it("shows the error of a prompt", () => {
    const watch = watching(prompt(2, "Fix it"), refusal(2, "no key"));
    expect(stateOf(watch)).toMatchObject({ lastTurn: { stopReason: "error", error: { message: "no key" } } });
  });

  it("shows an open question until its answer", () => {
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    const params = { sessionId: "s", toolCall: { toolCallId: "t", title: "Dig" }, options };
    const watch = watching(prompt(2, "Dig"), ["agent", { id: 2, method: "session/request_permission", params }]);
    expect(stateOf(watch).pendingPermissions).toMatchObject([{ options }]);
    feed(watch, [["client", { id: 2, result: { outcome: { outcome: "selected", optionId: "y" } } }]]);
    expect(stateOf(watch).pendingPermissions).toEqual([]);
    expect(stateOf(watch).activity.state).toBe("running"); // the agent's id 2 is not the client's
  });

  it("shows a choice after the agent accepted it", () => {
    const set: Frame = ["client", { id: 2, method: "session/set_mode", params: { sessionId: "s", modeId: "do" } }];
    const watch = watching(set);
    expect(stateOf(watch).configOptions).toMatchObject([{ currentValue: "ask" }]);
    feed(watch, [answer(2, {})]);
    expect(stateOf(watch).configOptions).toMatchObject([{ currentValue: "do" }]);
  });

  it("forgets a session that was closed", () => {
    const watch = watching(["client", { id: 2, method: "session/close", params: { sessionId: "s" } }], answer(2, {}));
    expect([...watch.sessions.keys()]).toEqual([]);
  });
});

it("neither side speaks for the other one, ids may be bigints, and a getter that throws is no exception", () => {
  const forged = {
    id: 7,
    method: "session/prompt",
    params: { sessionId: "s", prompt: [{ type: "text", text: "Hi" }] },
  };
  const big: readonly Frame[] = [
    ["client", { id: 2n ** 60n, method: "session/new", params: { cwd: "/big", mcpServers: [] } }],
    ["agent", { id: 2n ** 60n, result: { sessionId: "b" } }],
  ];
  const watch = watching(["agent", forged], ...big);
  expect(said(stateOf(watch))).toEqual([]);
  expect(stateOf(watch, "b").cwd).toBe("/big");
  const unreadable = Object.defineProperty({}, "id", {
    get: () => {
      throw new Error("no");
    },
  });
  watch.message(unreadable, "agent");
});

describe("a watched restore", () => {
  const load: Frame = [
    "client",
    { id: 9, method: "session/load", params: { sessionId: "s", cwd: "/srv", mcpServers: [] } },
  ];

  it("puts the replay in the place of the conversation, once", () => {
    const watch = watching(says("old"), load, says("old"), says(" and new"));
    expect(said(stateOf(watch))).toEqual(["agent: old"]);
    feed(watch, [answer(9, {})]);
    expect(said(stateOf(watch))).toEqual(["agent: old and new"]);
  });

  it("changes nothing when it is refused, and keeps what was said meanwhile", () => {
    const watch = watching(says("old"), load, says(" more"), refusal(9, "locked"));
    expect(said(stateOf(watch))).toEqual(["agent: old more"]);
  });

  it("of an unknown session that is refused leaves no session", () => {
    const watch = watchSessions();
    feed(watch, [...hello(1), load, refusal(9, "not found")]);
    expect(watch.sessions.size).toBe(0);
  });
});

it("a watched connection of version 2 shows prompts and work by the agent's reports", () => {
  const seen: string[] = [];
  const watch = watchSessions({ onSession: (id) => seen.push(id) });
  const running = update({ sessionUpdate: "state_update", state: "running" });
  const idle = update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
  feed(watch, [...hello(2), ...opened, prompt(2, "Hi"), answer(2, { messageId: "u" }), running, says("Hello"), idle]);
  expect(seen).toEqual(["s"]);
  expect(said(stateOf(watch))).toEqual(["user: Hi", "agent: Hello"]);
  expect(stateOf(watch)).toMatchObject({ activity: { state: "idle" }, lastTurn: { stopReason: "end_turn" } });
});

it("takes any message without an exception", () => {
  const members = { id: fc.jsonValue(), method: fc.constantFrom("session/prompt", "session/new", "initialize", "x") };
  const message = fc.oneof(fc.jsonValue(), fc.record({ ...members, params: fc.jsonValue() }, { requiredKeys: [] }));
  fc.assert(
    fc.property(fc.array(fc.tuple(message, fc.constantFrom("client" as const, "agent" as const))), (messages) => {
      const watch = watchSessions({ onError: () => undefined });
      feed(watch, [...hello(1), ...opened]);
      for (const [one, from] of messages) watch.message(one, from);
      expect(stateOf(watch).cwd).toBe("/srv");
    }),
  );
});

it("keeps a bounded number of requests without an answer", () => {
  const watch = watching();
  for (let id = 10; id < 5_000; id += 1) feed(watch, [["client", { id, method: "session/new", params: { cwd: "/" } }]]);
  feed(watch, [answer(10, { sessionId: "old" }), answer(4_999, { sessionId: "new" })]);
  expect([...watch.sessions.keys()]).toEqual(["s", "new"]);
});

it("a watched stream passes everything in order, and its end", async () => {
  const written: object[] = [];
  const original = {
    readable: new ReadableStream<object>({
      start(controller) {
        for (const [, message] of [...hello(1).slice(1), ...opened.slice(1)]) controller.enqueue(message);
        controller.close();
      },
    }),
    writable: new WritableStream<object>({ write: (message) => void written.push(message) }),
  };
  const watch = watchSessions();
  const stream = watchStream(original, watch);
  const writer = stream.writable.getWriter();
  for (const [, message] of [...hello(1).slice(0, 1), ...opened.slice(0, 1)]) await writer.write(message);
  const read: object[] = [];
  for await (const message of stream.readable as unknown as AsyncIterable<object>) read.push(message);
  await writer.close();
  expect(written).toHaveLength(2);
  expect(read).toHaveLength(2);
  expect([...watch.sessions.keys()]).toEqual(["s"]);
});
