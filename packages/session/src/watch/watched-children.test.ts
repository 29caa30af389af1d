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

  it.each(["v1", "v2"] as const)("P-REPLAY-07: a refused restore of %s loses nothing of them", (dialect) => {
    const { update, load, refuse, texts } = open(dialect);
    update("s", announced("kid"));
    update("kid", says("one "));
    load(2);
    update("kid", says("two"));
    expect(texts("kid")).toEqual(["one "]);
    refuse(2);
    update("kid", says("!"));
    expect(texts("kid")).toEqual(["one two!"]);
  });

  it("are bounded: by the number of sessions, by their depth, and by the updates of a restore", () => {
    const { update, load, answer, watch, state } = open("v2", 4);
    for (let index = 0; index < 10; index += 1) update("s", announced(`kid-${index}`));
    expect([...watch.sessions.keys()]).toEqual(["s", "kid-7", "kid-8", "kid-9"]);
    const deep = open("v2");
    for (let depth = 0; depth < 20; depth += 1)
      deep.update(depth === 0 ? "s" : `d${depth}`, announced(`d${depth + 1}`));
    expect(deep.watch.sessions.has("d16")).toBe(true);
    expect(deep.watch.sessions.has("d17")).toBe(false);
    load(2);
    for (let index = 0; index < 1_500; index += 1) update("kid-9", says("x", `m${index}`));
    answer(2);
    expect(state("kid-9")?.timeline.length).toBe(1_000);
  });
});
