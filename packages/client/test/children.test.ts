import { messageText, type SessionEvent } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import { allowOnce, type PermissionRequest, type Session } from "../src/index.js";
import { ask, idle, openDraftSession, piece, running } from "./draft-agent.js";
import { back, chunk, newSession, openSession, settle } from "./raw-agent.js";

const announced = (sessionId: string, members: object = {}) => ({
  sessionUpdate: "subagent_update",
  sessionId,
  ...members,
});
const place = { cwd: "/work" };

function textOf({ state }: Session): string {
  return [...state.timeline].map((entry) => (entry.type === "message" ? messageText(entry) : "")).join("|");
}

async function withChild(members: object = {}, options = {}) {
  const opened = await openDraftSession(undefined, options);
  opened.agent.update("s-1", announced("kid", members));
  await settle(opened.agent);
  return { ...opened, kid: opened.session.children[0] as Session };
}

describe("child sessions of version 2", () => {
  test("P-SUB-01, P-SUB-07: an announcement opens a session with a state of its own, children of children too", async () => {
    const { agent, session } = await openDraftSession();
    const heard: [string, string][] = [];
    const listen = (child: Session): void => {
      child.onEvent((event, { id }) => void heard.push([id, event.type]));
      child.onChild(listen);
    };
    session.onChild(listen);
    agent.update("s-1", piece("root"), announced("kid", { title: "Test runner" }));
    agent.update("kid", running, piece("child"), announced("grandkid"));
    agent.update("grandkid", piece("deep"));
    await settle(agent);
    const [kid] = session.children as [Session];
    const [grandkid] = kid.children as [Session];
    expect([session, kid, grandkid].map(textOf)).toEqual(["root", "child", "deep"]);
    expect([kid.parent, grandkid.parent, session.parent]).toEqual([session, kid, undefined]);
    expect(kid.state.activity).toMatchObject({ state: "running", origin: "reported" });
    expect(heard).toEqual([
      ["kid", "session_opened"],
      ["kid", "state_update"],
      ["kid", "agent_message_chunk"],
      ["kid", "subagent_update"],
      ["grandkid", "session_opened"],
      ["grandkid", "agent_message_chunk"],
    ]);
  });

  test("defect F4: a listener of onChild that throws or rejects is reported, and the others are called", async () => {
    const { agent, session, diagnostics } = await openDraftSession();
    const called: string[] = [];
    session.onChild(() => {
      throw new Error("at once");
    });
    session.onChild(async () => {
      throw new Error("later");
    });
    session.onChild(({ id }) => void called.push(id));
    agent.update("s-1", announced("kid"));
    await settle(agent);
    expect(called).toEqual(["kid"]);
    expect(diagnostics).toMatchObject(
      ["at once", "later"].map((message) => ({
        ...{ code: "listener_failed", sessionId: "s-1", error: { message } },
        message: `A listener of onChild failed: ${message}`,
      })),
    );
  });

  test("P-SUB-04: a second announcement by another session is reported, moves nothing and patches the child", async () => {
    const { agent, session, kid, diagnostics } = await withChild();
    agent.update("s-1", announced("other"));
    agent.update("other", announced("kid", { title: "New title" }), announced("s-1"));
    await settle(agent);
    expect(kid.parent).toBe(session);
    expect(session.children.map(({ id }) => id)).toEqual(["kid", "other"]);
    expect(session.state.subagents.get("kid")).toMatchObject({ title: "New title" });
    expect(session.children[1]?.state.subagents.length).toBe(0);
    expect(diagnostics.filter(({ code }) => code === "dropped")).toHaveLength(2);
  });

  test("P-SUB-06: folders are inherited from the parent, each on its own", async () => {
    const { agent, kid, session } = await withChild();
    expect([kid.cwd, kid.roots]).toEqual(["/work", ["/work"]]);
    agent.update("s-1", announced("kid", { cwd: "/work/tests", additionalDirectories: ["/work/a"] }));
    agent.update("kid", announced("grandkid", { additionalDirectories: [] }), announced("heir", { cwd: "/work/b" }));
    await settle(agent);
    expect(kid.roots).toEqual(["/work/tests", "/work/a"]);
    expect(kid.children[0]?.roots).toEqual(["/work/tests"]);
    expect(kid.children[1]?.roots).toEqual(["/work/b", "/work/a"]);
    expect(session.roots).toEqual(["/work"]);
  });

  test("P-SUB-09, P-SUB-10, P-SUB-21: everything but a granted cancel is refused here, and nothing is sent", async () => {
    const { agent, client, kid } = await withChild({ capabilities: {} });
    const sent = agent.received.length;
    const refusal = { code: "state", message: expect.stringContaining("kid is a child session") };
    expect(() => kid.prompt("hi")).toThrow(expect.objectContaining(refusal));
    for (const refused of [
      kid.close(),
      kid.setConfigOption("model", "m"),
      client.deleteSession("kid"),
      client.request("_x/fork", { sessionId: "kid" }),
    ])
      await expect(refused).rejects.toMatchObject(refusal);
    expect(() => client.notify("_x/note", { sessionId: "kid" })).toThrow(expect.objectContaining(refusal));
    expect(await client.restore("kid", place)).toMatchObject({ status: "unavailable", error: refusal });
    await expect(kid.cancel()).rejects.toMatchObject({ code: "capability" });
    expect(agent.received.length).toBe(sent);
  });

  test("P-SUB-09: a grant that was taken back counts no more", async () => {
    const { agent, kid } = await withChild({ capabilities: { cancel: {} } });
    agent.update("kid", running);
    agent.update("s-1", announced("kid", { capabilities: null }));
    await settle(agent);
    await expect(kid.cancel()).rejects.toMatchObject({ code: "capability" });
  });

  test("P-SUB-12: cancels a child where it may; the end comes on the child's stream, and the session stays", async () => {
    const { agent, session, kid } = await withChild({ capabilities: { cancel: {} } });
    agent.update("kid", running);
    await settle(agent);
    await kid.cancel();
    expect((await agent.call("session/cancel")).params).toEqual({ sessionId: "kid" });
    expect(kid.state.cancelling).toBe(true);
    agent.update("kid", idle("cancelled", { background: [{ type: "terminal", terminalId: "t" }] }));
    await settle(agent);
    expect(kid.state).toMatchObject({ cancelling: false, closed: false });
    expect(kid.state.activity).toMatchObject({
      state: "idle",
      stopReason: "cancelled",
      background: [{ terminalId: "t" }],
    });
    expect(session.state.closed).toBe(false);
  });

  test("P-SUB-08: an idle child works again", async () => {
    const { agent, kid } = await withChild();
    agent.update("kid", running, idle("end_turn"), running, piece("again"));
    await settle(agent);
    expect(kid.state.activity.state).toBe("running");
    expect(textOf(kid)).toBe("again");
  });

  test("P-SUB-15: equal reports of parent and child are one event; the child's own wins", async () => {
    const { agent, kid } = await withChild();
    const heard: SessionEvent[] = [];
    kid.onEvent((event) => void heard.push(event));
    const mirror = (state: object | null) => agent.update("s-1", announced("kid", { state }));
    mirror({ state: "running" });
    agent.update("kid", { ...running, background: [] });
    mirror({ state: "running" });
    mirror({ state: "requires_action" });
    await settle(agent);
    expect(heard.map(({ type }) => type)).toEqual(["state_update"]);
    expect(kid.state.activity).toMatchObject({ state: "running", origin: "reported" });
  });

  test("P-SUB-15: a state that is null is not idle", async () => {
    const { agent, kid } = await withChild({ state: { state: "running" } });
    agent.update("s-1", announced("kid", { state: null }));
    await settle(agent);
    expect(kid.state.activity).toMatchObject({ state: "unknown" });
  });

  test("P-SUB-18: updates before the announcement wait for it", async () => {
    const { agent, session, diagnostics } = await openDraftSession();
    agent.update("s-1", running);
    agent.update("kid", running, piece("early "));
    agent.update("s-1", announced("kid"));
    agent.update("kid", piece("late"));
    await settle(agent);
    expect(textOf(session.children[0] as Session)).toBe("early late");
    expect(diagnostics).toEqual([]);
  });

  test("P-SUB-18: they wait within a bound, and no longer than a session works", async () => {
    const { agent, session, diagnostics } = await openDraftSession(undefined, {
      limits: { waitingMessages: 2 },
    });
    agent.update("s-1", running);
    agent.update("kid", piece("1"), piece("2"), piece("3"));
    await settle(agent);
    expect(diagnostics).toMatchObject([{ code: "dropped", sessionId: "kid" }]);
    const closing = session.close();
    agent.answer(await agent.call("session/close"), {});
    await closing;
    expect(diagnostics).toMatchObject([
      { message: expect.stringContaining("too many updates") },
      { message: "2 updates were dropped: no session with this id was opened." },
    ]);
    agent.update("s-1", piece("late"));
    await settle(agent);
    expect(diagnostics.at(-1)).toMatchObject({ code: "late_update", sessionId: "s-1" });
  });

  test("P-SUB-19: at 1 024 children the oldest idle one is closed; without one, a child is refused and reported", async () => {
    const { agent, session, diagnostics } = await openDraftSession();
    agent.update("s-1", ...Array.from({ length: 1_024 }, (_, at) => announced(`kid-${at}`)));
    agent.update("kid-0", running);
    agent.update("s-1", announced("more"));
    await settle(agent);
    expect(session.children).toHaveLength(1_024);
    expect(session.children.map(({ id }) => id).filter((id) => ["kid-0", "kid-1", "more"].includes(id))).toEqual([
      "kid-0",
      "more",
    ]);
    for (const { id } of session.children) agent.update(id, running);
    agent.update("s-1", announced("refused"));
    await settle(agent);
    expect(session.children.some(({ id }) => id === "refused")).toBe(false);
    expect(diagnostics).toMatchObject([{ code: "dropped", sessionId: "refused" }]);
  });

  test("P-SUB-19: no child is opened below depth 16", async () => {
    const { agent, session, diagnostics } = await openDraftSession();
    const ids = ["s-1", ...Array.from({ length: 17 }, (_, at) => `d${at + 1}`)];
    for (const [at, id] of ids.slice(1).entries()) agent.update(ids[at] as string, announced(id));
    await settle(agent);
    let depth = 0;
    for (let at: Session | undefined = session.children[0]; at !== undefined; at = at.children[0]) depth += 1;
    expect(depth).toBe(16);
    expect(diagnostics).toMatchObject([{ code: "dropped", sessionId: "d17" }]);
  });

  test("P-SUB-20: a question of a child names the titles from the root, and ends with the child's work", async () => {
    const asked: PermissionRequest[] = [];
    const reasons: unknown[] = [];
    const { agent, session, kid } = await withChild(
      { title: "Test runner" },
      {
        permissions: (question: PermissionRequest, signal: AbortSignal) => {
          asked.push(question);
          signal.addEventListener("abort", () => reasons.push(signal.reason));
          return undefined;
        },
      },
    );
    agent.update("s-1", { sessionUpdate: "session_info_update", title: "Fix the build" });
    agent.update("kid", running);
    ask(agent, "q", undefined, "kid");
    await settle(agent);
    expect(asked[0]?.session).toBe(kid);
    expect(asked[0]?.session.titles).toEqual(["Fix the build", "Test runner"]);
    expect(kid.state.pendingPermissions).toHaveLength(1);
    expect(session.state.pendingPermissions).toHaveLength(0);
    agent.update("kid", idle("end_turn"));
    expect((await agent.answerTo("q")).result).toEqual({ outcome: { outcome: "cancelled" } });
    expect(kid.state.pendingPermissions).toHaveLength(0);
    expect(reasons).toEqual([{ outcome: "cancelled" }]);
  });

  test("P-SUB-20: $/cancel_request withdraws a child's question", async () => {
    const { agent, kid } = await withChild({}, { permissions: () => undefined });
    ask(agent, "q", undefined, "kid");
    await settle(agent);
    agent.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "q" } });
    await settle(agent);
    expect(kid.state.pendingPermissions).toHaveLength(0);
  });

  test("P-SUB-13: children end with their root", async () => {
    const { agent, session, kid } = await withChild();
    const closing = session.close();
    agent.answer(await agent.call("session/close"), {});
    await closing;
    expect(kid.state.closed).toBe(true);
    expect(session.children).toEqual([]);
  });

  test("P-REPLAY-14: children of a replay replace the open ones with the answer; a refusal changes nothing", async () => {
    const { agent, client, session, kid } = await withChild({ title: "Runner" });
    agent.update("kid", piece("whole answer"));
    await settle(agent);
    const refused = client.restore("s-1", place);
    const first = await agent.call("session/resume");
    agent.update("s-1", announced("kid", { title: "Runner" }));
    agent.update("kid", piece("whole"));
    agent.refuse(first, -32603, "History could not be read");
    expect(await refused).toMatchObject({ status: "unavailable" });
    expect(session.children).toEqual([kid]);
    expect(textOf(kid)).toBe("whole answer");
    const restoring = client.restore("s-1", place);
    const second = await agent.call("session/resume");
    agent.update("s-1", announced("kid", { title: "Runner" }));
    agent.update("kid", piece("whole answer"), { sessionUpdate: "replay_complete" });
    agent.update("s-1", { sessionUpdate: "replay_complete" });
    agent.answer(second, {});
    const restored = await back(restoring);
    const [again] = restored.children as [Session];
    expect(textOf(again)).toBe("whole answer");
    expect(again.state.history).toEqual({ end: "agent:a-1" });
    expect([again === kid, kid.state.closed, again.parent === restored]).toEqual([false, true, true]);
  });
});

describe("child sessions of version 1", () => {
  const options = { permissions: (question: PermissionRequest) => allowOnce(question) };

  test("P-SUB1-01: the client opts in", async () => {
    const { agent } = await openSession();
    const { params } = agent.received[0] as { params: { clientCapabilities: object } };
    expect(params.clientCapabilities).toMatchObject({ subagents: {} });
  });

  test("P-SUB1-03, P-SUB1-09: the parent reports the child's state, also with no prompt pending", async () => {
    const { agent, session } = await openSession();
    agent.update("s-1", announced("kid", { state: { state: "running" } }));
    agent.update("kid", chunk("12 tests found"));
    await settle(agent);
    const [kid] = session.children as [Session];
    const heard: SessionEvent[] = [];
    kid.onEvent((event) => void heard.push(event));
    expect(kid.state.activity).toMatchObject({ state: "running", origin: "mirrored" });
    expect(session.state.activity.state).toBe("idle");
    agent.update(
      "s-1",
      announced("kid", { state: { state: "idle", stopReason: "error", error: { code: 1, message: "x" } } }),
    );
    await settle(agent);
    expect(kid.state.activity).toMatchObject({ state: "idle", stopReason: "error", error: { message: "x" } });
    expect(heard.map(({ type }) => type)).toEqual(["state_update"]);
    expect(textOf(kid)).toBe("12 tests found");
  });

  test("P-SUB1-05: a child's folder is the default of its terminals, and gives access to no other files", async () => {
    const started: unknown[] = [];
    const read: unknown[] = [];
    const { agent } = await openSession({
      terminals: {
        create: (_, { cwd, roots }) => {
          started.push([cwd, roots]);
          throw new Error("no terminal");
        },
      },
      files: {
        async readTextFile(_, { roots }) {
          read.push(roots);
          return "text";
        },
      },
    });
    agent.update("s-1", announced("kid", { cwd: "/etc" }));
    agent.request("t", "terminal/create", { sessionId: "kid", command: "ls" });
    agent.request("f", "fs/read_text_file", { sessionId: "kid", path: "/etc/passwd" });
    await agent.answerTo("t");
    await agent.answerTo("f");
    expect(started).toEqual([["/etc", ["/work"]]]);
    expect(read).toEqual([["/work"]]);
  });

  test("P-SUB1-06: questions with a child's id belong to the child", async () => {
    const { agent, session } = await openSession(options);
    agent.update("s-1", announced("kid"));
    agent.ask("q", "kid", "k-t1", "npm test");
    expect((await agent.answerTo("q")).result).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
    expect(session.children[0]?.state.timeline.get("tool_call:k-t1")).toMatchObject({ title: "npm test" });
    expect(session.state.timeline.length).toBe(0);
  });

  test("P-SUB1-07: cancels a child only where it may; the parent reports the end", async () => {
    const { agent, session } = await openSession();
    agent.update("s-1", announced("kid", { state: { state: "running" } }));
    await settle(agent);
    const [kid] = session.children as [Session];
    await expect(kid.cancel()).rejects.toMatchObject({ code: "capability" });
    agent.update("s-1", announced("kid", { capabilities: { cancel: {} } }));
    await settle(agent);
    await kid.cancel();
    expect((await agent.call("session/cancel")).params).toEqual({ sessionId: "kid" });
    agent.update("s-1", announced("kid", { state: { state: "idle", stopReason: "cancelled" } }));
    await settle(agent);
    expect(kid.state).toMatchObject({ cancelling: false, activity: { state: "idle", stopReason: "cancelled" } });
  });

  test("P-SUB1-08: a cancel answers the questions of its own session only", async () => {
    const opened = await openSession({ permissions: () => undefined });
    const { agent, session } = opened;
    agent.update("s-1", announced("kid", { state: { state: "running" }, capabilities: { cancel: {} } }));
    const turn = session.prompt("go");
    await agent.call("session/prompt");
    agent.ask("own", "s-1");
    agent.ask("child", "kid");
    await settle(agent);
    turn.cancel();
    expect((await agent.answerTo("own")).result).toEqual({ outcome: { outcome: "cancelled" } });
    const [kid] = session.children as [Session];
    expect(kid.state.pendingPermissions).toHaveLength(1);
    await kid.cancel();
    expect((await agent.answerTo("child")).result).toEqual({ outcome: { outcome: "cancelled" } });
  });

  test("P-SUB-18: two roots keep their children apart", async () => {
    const opened = await openSession();
    const { agent, session } = opened;
    const other = await newSession(opened, "s-2");
    agent.update("s-1", announced("a"));
    agent.update("s-2", announced("b"));
    await settle(agent);
    expect([session, other].map(({ children }) => children.map(({ id }) => id))).toEqual([["a"], ["b"]]);
  });
});
