import { describe, expect, it } from "vitest";
import { messageText } from "../select.js";
import { watchSessions } from "./connection-watch.js";

type Update = { readonly sessionUpdate: string; readonly [key: string]: unknown };

/** Watch with an open session `s`, and functions that send messages of both sides. */
function open(dialect: "v1" | "v2", maxSessions?: number) {
  const heard: string[] = [];
  const watch = watchSessions({
    dialect,
    ...(maxSessions !== undefined && { maxSessions }),
    onSession: (id) => void heard.push(`${id} is new`),
    onEvent: (id, { type }) => void heard.push(`${id} ${type}`),
  });
  const call = (id: number, method: string, params: object, from: "client" | "agent" = "client") =>
    watch.message({ jsonrpc: "2.0", id, method, params: { sessionId: "s", ...params } }, from);
  const answer = (id: number, result: object = {}) => watch.message({ jsonrpc: "2.0", id, result }, "agent");
  call(1, "session/new", { cwd: "/w", mcpServers: [] });
  answer(1, { sessionId: "s" });
  return {
    ...{ watch, heard, call, answer },
    refuse: (id: number) => watch.message({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } }, "agent"),
    reply: (id: number, result: object) => watch.message({ jsonrpc: "2.0", id, result }, "client"),
    load: (id: number) =>
      dialect === "v1"
        ? call(id, "session/load", { cwd: "/w", mcpServers: [] })
        : call(id, "session/resume", { cwd: "/w", replayFrom: { type: "start" } }),
    update: (sessionId: string, ...updates: readonly Update[]) => {
      for (const update of updates)
        watch.message({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } }, "agent");
    },
    state: (id: string) => watch.sessions.get(id)?.getState(),
    texts: (id: string) =>
      [...(watch.sessions.get(id)?.getState().timeline ?? [])].map((entry) =>
        entry.type === "message" ? messageText(entry) : entry.type,
      ),
  };
}

const announced = (sessionId: string, members: object = {}): Update => ({
  sessionUpdate: "subagent_update",
  sessionId,
  ...members,
});
const says = (text: string, messageId = "m"): Update => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: { type: "text", text },
});
const running = { state: "running" };
const done = { state: "idle", stopReason: "end_turn" };

describe("child sessions of a watched connection", () => {
  it("P-SUB-01, P-SUB-07: have states of their own, which inherit the folder, in both versions", () => {
    for (const dialect of ["v1", "v2"] as const) {
      const { update, state, texts, heard } = open(dialect);
      update("s", announced("kid", { title: "Runner" }), says("parent"));
      update("kid", announced("grandkid", { cwd: "/w/deep" }), says("child"));
      update("grandkid", says("deep"));
      expect(["s", "kid", "grandkid"].map(texts)).toEqual([["parent"], ["child"], ["deep"]]);
      expect([state("kid")?.cwd, state("grandkid")?.cwd]).toEqual(["/w", "/w/deep"]);
      expect(heard.slice(2, 7)).toEqual([
        ...["s subagent_update", "kid is new", "kid session_opened", "s agent_message_chunk", "kid subagent_update"],
      ]);
    }
  });

  it("P-SUB-15, P-SUB1-03: the report of the parent counts until the child session reports its own state", () => {
    const older = open("v1");
    older.update("s", announced("kid", { state: running }), announced("kid", { state: done }));
    expect(older.state("kid")?.activity).toMatchObject(done);
    const newer = open("v2");
    newer.update("s", announced("kid"));
    newer.update("kid", { sessionUpdate: "state_update", state: "running" });
    newer.update("s", announced("kid", { state: done }));
    expect(newer.state("kid")?.activity).toMatchObject({ state: "running" });
  });

  it("P-SUB-20: have their own questions", () => {
    const { update, call, reply, state } = open("v2");
    update("s", announced("kid"));
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    call(7, "session/request_permission", { sessionId: "kid", title: "Run?", options }, "agent");
    expect([state("kid")?.pendingPermissions.length, state("s")?.pendingPermissions.length]).toEqual([1, 0]);
    reply(7, { outcome: { outcome: "selected", optionId: "y" } });
    expect(state("kid")?.pendingPermissions.length).toBe(0);
  });

  it("end with their parent, at any depth", () => {
    const { update, call, answer, watch, heard } = open("v2");
    update("s", announced("kid"));
    update("kid", announced("grandkid"));
    call(2, "session/close", {});
    answer(2);
    expect([...watch.sessions.keys()]).toEqual([]);
    expect(heard.filter((one) => one.endsWith("session_closed")).sort()).toEqual([
      ...["grandkid session_closed", "kid session_closed", "s session_closed"],
    ]);
  });

  it("P-SUB-04: never move to another parent, and a root never becomes a child", () => {
    const { update, watch, call, answer } = open("v2");
    update("s", announced("s"), announced("kid"), announced("other"));
    update("kid", announced("s"), announced("kid"));
    update("other", announced("kid"));
    call(2, "session/new", { sessionId: undefined, cwd: "/w", mcpServers: [] });
    answer(2, { sessionId: "t" });
    update("s", announced("t"));
    call(3, "session/close", { sessionId: "other" });
    answer(3);
    expect([...watch.sessions.keys()].sort()).toEqual(["kid", "s", "t"]);
  });

  it.each(["v1", "v2"] as const)("P-SUB1-09, P-REPLAY-14: a restore of %s replaces their conversations", (dialect) => {
    const { update, load, answer, texts, state } = open(dialect);
    const history = (end: object) => {
      update("s", says("parent"), announced("kid", { state: running }));
      update("kid", says("child"), announced("grandkid"));
      update("grandkid", says("deep"));
      update("s", announced("kid", { state: end }));
    };
    history(running);
    load(2);
    history(done);
    update("s", announced("new"));
    update("new", says("late"));
    answer(2);
    expect(["s", "kid", "grandkid", "new"].map(texts)).toEqual([["parent"], ["child"], ["deep"], ["late"]]);
    expect(state("kid")?.activity).toMatchObject(done);
  });

  it("are bounded: by the number of sessions, and by their depth", () => {
    const { update, watch } = open("v2", 4);
    for (let index = 0; index < 10; index += 1) update("s", announced(`kid-${index}`));
    expect([...watch.sessions.keys()]).toEqual(["s", "kid-7", "kid-8", "kid-9"]);
    const deep = open("v2");
    for (let depth = 0; depth < 20; depth += 1)
      deep.update(depth === 0 ? "s" : `d${depth}`, announced(`d${depth + 1}`));
    expect(deep.watch.sessions.has("d16")).toBe(true);
    expect(deep.watch.sessions.has("d17")).toBe(false);
  });
});

describe("a restore with child sessions", () => {
  const versions = ["v1", "v2"] as const;
  const reported = (state: object): Update => ({ sessionUpdate: "state_update", ...state }) as Update;
  const marker: Update = { sessionUpdate: "replay_complete" };
  const user = (text: string): Update => ({ sessionUpdate: "user_message_chunk", content: { type: "text", text } });

  /** Watch with child sessions `kid` and `grandkid` of `s`, and a function that replays all three. */
  function openTree(dialect: "v1" | "v2") {
    const opened = open(dialect);
    const replay = (...end: readonly Update[]) => {
      opened.update("s", user("Go"), announced("kid"));
      opened.update("kid", says("All green"), announced("grandkid"));
      opened.update("grandkid", says("Deep"), ...end);
      opened.update("kid", ...end);
      opened.update("s", ...end);
    };
    replay();
    const all = () => ["s", "kid", "grandkid"].map((id) => opened.texts(id).join("|"));
    return { ...opened, replay, all };
  }

  it.each(versions)("defect R9, P-REPLAY-07: a refused one of %s changes no child session", (dialect) => {
    const { update, load, refuse, replay, all, state } = openTree(dialect);
    load(2);
    replay();
    update("kid", { sessionUpdate: "session_info_update", title: "Old" });
    expect(all()).toEqual(["Go", "All green", "Deep"]);
    refuse(2);
    expect(all()).toEqual(["Go", "All green", "Deep"]);
    expect(state("kid")?.title).toBeUndefined();
    update("kid", says("!"));
    expect(all()).toEqual(["Go", "All green!", "Deep"]);
  });

  it("defect R9, P-REPLAY-06: a child session shows what follows its marker, also if the restore is refused", () => {
    const { update, load, refuse, replay, all } = openTree("v2");
    load(2);
    replay(marker);
    update("kid", says("!"));
    expect(all()).toEqual(["Go", "All green!", "Deep"]);
    refuse(2);
    expect(all()).toEqual(["Go", "All green!", "Deep"]);
  });

  it("defect R9: a second one that is refused too changes no child session", () => {
    const { load, refuse, replay, all } = openTree("v2");
    load(2);
    load(3);
    replay(marker);
    refuse(2);
    replay(marker);
    refuse(3);
    expect(all()).toEqual(["Go", "All green", "Deep"]);
  });

  it.each(versions)(
    "defect R9: before its announcement, a child session of %s shows its updates at once",
    (dialect) => {
      const { update, load, refuse, replay, all } = openTree(dialect);
      load(2);
      update("kid", says("!"));
      expect(all()).toEqual(["Go", "All green!", "Deep"]);
      replay();
      refuse(2);
      expect(all()).toEqual(["Go", "All green!", "Deep"]);
    },
  );

  it("defect R9: a child session at work shows its updates at once, without pieces of earlier messages", () => {
    const { update, load, refuse, replay, all } = openTree("v2");
    update("kid", { ...user("More"), messageId: "u" }, reported(running));
    load(2);
    replay();
    update("kid", says("Working", "m2"));
    expect(all()).toEqual(["Go", "All green|More|Working", "Deep"]);
    refuse(2);
    expect(all()).toEqual(["Go", "All green|More|Working", "Deep"]);
  });

  it.each(versions)("defect R9: a new child session of a %s session at work shows its updates at once", (dialect) => {
    const { update, load, refuse, call, texts } = openTree(dialect);
    if (dialect === "v1") call(9, "session/prompt", { prompt: [{ type: "text", text: "More" }] });
    else update("s", reported(running));
    load(2);
    update("s", announced("new"));
    update("new", says("one "));
    expect(texts("new")).toEqual(["one "]);
    update("new", says("two"));
    refuse(2);
    expect(texts("new")).toEqual(["one two"]);
  });

  it("defect R9: a new child session of an idle session has its updates after the refusal", () => {
    const { update, load, refuse, texts } = openTree("v1");
    load(2);
    update("s", announced("new"));
    update("new", says("one "), says("two"));
    refuse(2);
    expect(texts("new")).toEqual(["one two"]);
  });

  it.each(versions)(
    "P-REPLAY-14: one of a child session of %s replaces its conversation and those below",
    (dialect) => {
      const { update, call, answer, all } = openTree(dialect);
      const place = { sessionId: "kid", cwd: "/w", mcpServers: [] };
      if (dialect === "v1") call(2, "session/load", place);
      else call(2, "session/resume", { ...place, replayFrom: { type: "start" } });
      update("kid", says("All red"), announced("grandkid"));
      update("grandkid", says("Deeper"));
      expect(all()).toEqual(["Go", "All green", "Deep"]);
      answer(2);
      expect(all()).toEqual(["Go", "All red", "Deeper"]);
    },
  );

  it.each(versions)("P-REPLAY-14: one of %s with more than 1 000 updates of a child session is whole", (dialect) => {
    const { update, load, answer, state } = openTree(dialect);
    load(2);
    update("s", user("Go"), announced("kid"));
    for (let index = 0; index < 1_500; index += 1) update("kid", says("x", `m${index}`));
    answer(2);
    expect(state("kid")?.timeline.length).toBe(1_500);
  });

  it("P-SUB-19: one replaces at most 1 024 child sessions", () => {
    const { update, load, answer, texts, watch } = open("v2", 1_300);
    load(2);
    update("s", announced("a"), announced("b"));
    for (let index = 2; index < 1_200; index += 1) {
      update(index % 2 ? "a" : "b", announced(`kid-${index}`));
      update(`kid-${index}`, says("x"));
    }
    answer(2);
    expect(watch.sessions.size).toBe(1_201);
    expect([1_023, 1_024].map((index) => texts(`kid-${index}`))).toEqual([["x"], []]);
  });
});
