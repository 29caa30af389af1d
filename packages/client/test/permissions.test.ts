import { describe, expect, test, vi } from "vitest";
import type { PermissionPolicy, PermissionRequest } from "../src/index.js";
import { gate, newSession, OPTIONS, openSession, settle } from "./raw-agent.js";

const selected = (optionId: string) => ({ result: { outcome: { outcome: "selected", optionId } } });
const cancelled = { result: { outcome: { outcome: "cancelled" } } };

describe("a policy", () => {
  test("gets the question with its session, and its choice is the answer (V1-PERM-02, V1-PERM-04)", async () => {
    const requests: PermissionRequest[] = [];
    const { agent, session } = await openSession({
      permissions: (request) => {
        requests.push(request);
        return { outcome: "selected", optionId: "yes" };
      },
    });
    agent.ask("q", "s-1", "t1", "Edit a.ts");
    expect(await agent.answerTo("q")).toEqual({ jsonrpc: "2.0", id: "q", ...selected("yes") });
    expect(requests).toMatchObject([
      { title: "Edit a.ts", options: OPTIONS, subject: { type: "tool_call", toolCall: { toolCallId: "t1" } } },
    ]);
    expect(requests[0]?.session).toBe(session);
    expect(session.state.pendingPermissions).toEqual([]);
  });

  test("the question may introduce a tool call that was never announced (V1-PERM-06)", async () => {
    const { agent, session } = await openSession({ permissions: () => ({ outcome: "selected", optionId: "no" }) });
    agent.ask("q", "s-1", "new-call", "Write b.ts");
    await agent.answerTo("q");
    expect(session.state.timeline.at(0)).toMatchObject({ toolCallId: "new-call", title: "Write b.ts" });
  });

  test.each([{ outcome: "selected", optionId: "no" }, { outcome: "cancelled" }] as const)(
    "defect P36: sends the metadata of its decision: %j",
    async (choice) => {
      const outcome = { ...choice, _meta: { "example.com": 1 } };
      const { agent } = await openSession({ permissions: () => outcome });
      agent.ask("q", "s-1");
      expect((await agent.answerTo("q")).result).toEqual({ outcome });
    },
  );

  test("may dismiss", async () => {
    const { agent } = await openSession({ permissions: async () => ({ outcome: "cancelled" }) });
    agent.ask("q", "s-1");
    expect(await agent.answerTo("q")).toMatchObject(cancelled);
  });

  const failures: [string, PermissionPolicy][] = [
    ["selects what was not offered", () => ({ outcome: "selected", optionId: "everything" })],
    ["names an option, but selects nothing", () => ({ outcome: "rejected", optionId: "yes" }) as never],
    ["returns the option itself", ({ options }) => options[0] as never],
    ["rejects", () => Promise.reject(new Error("policy"))],
    ["answers with nonsense", () => ({}) as never],
    [
      "throws",
      () => {
        throw new Error("policy");
      },
    ],
  ];
  test.each(failures)("that %s cancels the question, and is reported (V1-PERM-03)", async (_, permissions) => {
    const { agent, diagnostics, session } = await openSession({ permissions });
    agent.ask("q", "s-1");
    expect(await agent.answerTo("q")).toMatchObject(cancelled);
    expect(diagnostics).toMatchObject([{ code: "listener_failed", sessionId: "s-1", error: expect.any(Error) }]);
    expect(session.state.pendingPermissions).toEqual([]);
  });

  test("several questions are open at once, and answered as they are decided", async () => {
    const gates = new Map(["a", "b"].map((title) => [title, gate<{ outcome: "selected"; optionId: string }>()]));
    const { agent } = await openSession({ permissions: ({ title }) => gates.get(title)?.promise });
    agent.ask("q1", "s-1", "t1", "a");
    agent.ask("q2", "s-1", "t2", "b");
    gates.get("b")?.open({ outcome: "selected", optionId: "no" });
    expect(await agent.answerTo("q2")).toMatchObject(selected("no"));
    gates.get("a")?.open({ outcome: "selected", optionId: "yes" });
    expect(await agent.answerTo("q1")).toMatchObject(selected("yes"));
  });

  test("is asked after listeners were told what came before, and holds nothing up", async () => {
    const log: string[] = [];
    const slow = gate();
    const { agent, session } = await openSession({
      permissions: () => {
        log.push("policy");
        return new Promise(() => undefined);
      },
    });
    session.onEvent(async (event) => {
      log.push(event.type);
      if (event.type === "agent_message_chunk") await slow.promise;
    });
    agent.say("s-1", "before");
    agent.ask("q", "s-1");
    agent.update("s-1", { sessionUpdate: "session_info_update", title: "after" });
    await settle(agent);
    expect(log).toEqual(["agent_message_chunk"]);
    expect(session.state.pendingPermissions).toHaveLength(1);
    slow.open();
    await vi.waitFor(() =>
      expect(log).toEqual(["agent_message_chunk", "permission_asked", "policy", "session_info_update"]),
    );
  });

  test("hears by its signal that the question was settled otherwise, and its late choice is dropped", async () => {
    const late = gate<{ outcome: "selected"; optionId: string }>();
    let signal: AbortSignal | undefined;
    const { agent, session } = await openSession({
      permissions: (_, given) => {
        signal = given;
        return late.promise;
      },
    });
    agent.ask("q", "s-1");
    await settle(agent);
    expect(signal?.aborted).toBe(false);
    session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "selected", optionId: "no" });
    expect(signal?.aborted).toBe(true);
    expect(await agent.answerTo("q")).toMatchObject(selected("no"));
    late.open({ outcome: "selected", optionId: "yes" });
    await settle(agent);
    expect(agent.received.filter(({ id }) => id === "q")).toHaveLength(1);
  });

  test("leaves a question to a person by answering nothing", async () => {
    const { agent, session } = await openSession({ permissions: () => "wait" });
    agent.ask("q", "s-1");
    await settle(agent);
    const [question] = session.state.pendingPermissions;
    session.answer(question?.requestId ?? "", { outcome: "selected", optionId: "yes" });
    expect(await agent.answerTo("q")).toMatchObject(selected("yes"));
  });
});

describe("without a policy", () => {
  test("a question waits in the state, which loses it as soon as it is decided", async () => {
    const { agent, session } = await openSession();
    agent.ask("q", "s-1");
    await settle(agent);
    const [question] = session.state.pendingPermissions;
    expect(question).toMatchObject({ title: "Edit a.ts", options: OPTIONS });
    session.answer(question?.requestId ?? "", { outcome: "cancelled" });
    expect(session.state.pendingPermissions).toEqual([]);
    expect(await agent.answerTo("q")).toMatchObject(cancelled);
  });

  test("decided twice: the first counts, and the agent gets one answer", async () => {
    const { agent, session } = await openSession();
    agent.ask("q", "s-1");
    await settle(agent);
    const id = session.state.pendingPermissions[0]?.requestId ?? "";
    const reported: string[] = [];
    session.onEvent((event) => void reported.push(event.type));
    session.answer(id, { outcome: "selected", optionId: "no" });
    session.answer(id, { outcome: "selected", optionId: "yes" });
    await settle(agent);
    expect(reported).toEqual(["permission_answered"]);
    expect(agent.received.filter((frame) => frame.id === "q")).toMatchObject([selected("no")]);
  });

  test("an option that was not offered is an error of the caller; the question stays (V1-PERM-03)", async () => {
    const { agent, session } = await openSession();
    agent.ask("q", "s-1");
    await settle(agent);
    const id = session.state.pendingPermissions[0]?.requestId ?? "";
    expect(() => session.answer(id, { outcome: "selected", optionId: "maybe" })).toThrow(
      expect.objectContaining({ code: "state" }),
    );
    expect(session.state.pendingPermissions).toHaveLength(1);
  });

  test("a question that the agent withdraws is answered as cancelled (V1-CANCEL-15, V1-CANCEL-17)", async () => {
    const { agent, session } = await openSession();
    agent.ask("q", "s-1");
    agent.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "q" } });
    expect(await agent.answerTo("q")).toMatchObject(cancelled);
    expect(session.state.pendingPermissions).toEqual([]);
  });

  test("a question without options can still be dismissed (V1-PERM-11)", async () => {
    const { agent, session } = await openSession();
    agent.request("q", "session/request_permission", {
      sessionId: "s-1",
      toolCall: { toolCallId: "t1" },
      options: [],
    });
    await settle(agent);
    session.answer(session.state.pendingPermissions[0]?.requestId ?? "", { outcome: "cancelled" });
    expect(await agent.answerTo("q")).toMatchObject(cancelled);
  });
});

test("a question for a session that this connection did not open is refused (V1-SESS-43)", async () => {
  const { agent } = await openSession();
  agent.ask("q", "stranger");
  expect(await agent.answerTo("q")).toMatchObject({ error: { code: -32002, data: { sessionId: "stranger" } } });
});

test("questions of two sessions are told apart", async () => {
  const opened = await openSession();
  const other = await newSession(opened, "s-2");
  opened.agent.ask("q1", "s-1");
  opened.agent.ask("q2", "s-2");
  await settle(opened.agent);
  opened.session.answer(opened.session.state.pendingPermissions[0]?.requestId ?? "", {
    outcome: "selected",
    optionId: "yes",
  });
  expect(await opened.agent.answerTo("q1")).toMatchObject(selected("yes"));
  expect(other.state.pendingPermissions).toHaveLength(1);
});

test("one question more than the state can show is dismissed and reported", async () => {
  const { agent, session, diagnostics } = await openSession();
  for (let n = 0; n < 257; n++) agent.ask(`q${n}`, "s-1");
  expect(await agent.answerTo("q256")).toMatchObject(cancelled);
  expect(diagnostics).toMatchObject([{ code: "unanswered" }, { code: "dropped", sessionId: "s-1" }]);
  expect(session.state.pendingPermissions).toHaveLength(256);
});

test("a question of an unknown kind of option is refused as a whole (V1-LEN-06)", async () => {
  const { agent } = await openSession();
  agent.request("q", "session/request_permission", {
    sessionId: "s-1",
    toolCall: { toolCallId: "t1" },
    options: [{ optionId: "x", name: "X", kind: "maybe" }],
  });
  expect(await agent.answerTo("q")).toMatchObject({ error: { code: -32602 } });
});
