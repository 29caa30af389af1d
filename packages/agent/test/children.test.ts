import { describe, expect, it } from "vitest";
import type { AgentHandlers, ChildSession, Turn } from "../src/index.js";
import { aborted, clientInfo, type Frame, gate, open, openAs, seedHello, v2Hello } from "./raw-client.js";

const withSubagents = { capabilities: { subagents: {} } };

/** Frames to the client as `[session, update or method]`, without what the root says of its own turn. */
function framesOf({ received }: { received: Frame[] }): [string, Frame][] {
  return received.flatMap(({ method, params }) =>
    method === undefined ? [] : [[params.sessionId, params.update ?? { method, ...params }] as [string, Frame]],
  );
}
const kindsOf = (client: { received: Frame[] }, sessionId: string): string[] =>
  framesOf(client)
    .filter(([id]) => id === sessionId)
    .map(([, { sessionUpdate, method, state }]) =>
      [sessionUpdate ?? method, typeof state === "string" ? state : state?.state].filter(Boolean).join(" "),
    );
const childId = (client: { updates(kind: string): Frame[] }): string => client.updates("subagent_update")[0]?.sessionId;

/** An agent whose prompt runs `work`, and a version 2 client that has sent the prompt. */
async function prompted(work: (turn: Turn) => unknown, more: Partial<AgentHandlers> = {}, options = {}) {
  const connected = await openAs(
    v2Hello,
    { restoreSession: () => undefined, ...more, prompt: async (turn) => void (await work(turn)) },
    options,
  );
  const { client, sessionId } = connected;
  await client.result("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
  return connected;
}
const idleOf = ({ next }: { next: (fits: (frame: Frame) => boolean) => Promise<Frame> }, sessionId: string) =>
  next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");

describe("child sessions for a client of version 2", () => {
  it("P-SUB-03, P-SUB-07, P-SUB-14, P-SUB-22: announces first, mirrors each state before the child's own report", async () => {
    const { client, sessionId } = await prompted(({ session }) => {
      const child = session.child("Test runner", { description: "Runs the suite", cwd: "/work/tests", cancel: true });
      child.say("12 tests found");
      child.idle();
    });
    await idleOf({ next: (fits) => client.next(fits) }, sessionId);
    const kid = childId(client);
    const story = framesOf(client).filter(
      ([id, { sessionUpdate }]) => id === kid || sessionUpdate === "subagent_update",
    );
    expect(story.map(([id, { sessionUpdate, state }]) => [id === kid, sessionUpdate, state?.state ?? state])).toEqual([
      [false, "subagent_update", undefined],
      [false, "subagent_update", "running"],
      [true, "state_update", "running"],
      [true, "agent_message_chunk", undefined],
      [false, "subagent_update", "idle"],
      [true, "state_update", "idle"],
    ]);
    expect(story[0]?.[1]).toEqual({
      sessionUpdate: "subagent_update",
      sessionId: kid,
      title: "Test runner",
      description: "Runs the suite",
      cwd: "/work/tests",
      capabilities: { cancel: {} },
    });
    expect(story.at(-1)?.[1]).toMatchObject({ stopReason: "end_turn" });
  });

  it("P-SUB-08: an idle child works again with its next output", async () => {
    const { client, sessionId } = await prompted(({ session }) => {
      const child = session.child("Runner");
      child.idle("refusal");
      child.say("again");
      child.idle();
    });
    await idleOf({ next: (fits) => client.next(fits) }, sessionId);
    expect(kindsOf(client, childId(client))).toEqual([
      "state_update running",
      "state_update idle",
      "state_update running",
      "agent_message_chunk",
      "state_update idle",
    ]);
  });

  it("P-SUB-08: a terminal of a child session is sent in the child session, and begins its work", async () => {
    const { client, sessionId } = await prompted(({ session }) => {
      const child = session.child("Runner");
      child.idle();
      const terminal = child.terminal({ command: "npm test" });
      child.toolCall({ title: "npm test" }).append({ type: "terminal", terminalId: terminal.terminalId });
      terminal.write("ok");
      terminal.exit({ exitCode: 0 });
      child.idle();
    });
    await idleOf({ next: (fits) => client.next(fits) }, sessionId);
    const child = childId(client);
    const own = framesOf(client).filter(([id, { sessionUpdate }]) => id === child && /^terminal/.test(sessionUpdate));
    expect(own.map(([, { sessionUpdate }]) => sessionUpdate)).toEqual([
      "terminal_update",
      "terminal_output_chunk",
      "terminal_update",
    ]);
    expect(kindsOf(client, child).filter((kind) => kind === "state_update running")).toHaveLength(2);
  });

  it("P-SUB-07: a child opens a child of its own; depth 16 is the deepest", async () => {
    let failure: unknown;
    const { client, sessionId } = await prompted(({ session }) => {
      let at: { child(title: string): ChildSession } = session;
      try {
        for (let depth = 1; depth <= 17; depth += 1) at = at.child(`d${depth}`);
      } catch (error) {
        failure = error;
      }
    });
    await client.next(({ params }) => params?.update?.title === "d16");
    expect(failure).toMatchObject({ code: "state" });
    const announced = framesOf(client).filter(([, { title }]) => title);
    expect(announced.map(([, { title }]) => title)).toHaveLength(16);
    expect(announced[1]?.[0]).toBe(announced[0]?.[1].sessionId);
    expect(announced[0]?.[0]).toBe(sessionId);
  });

  it("P-SUB-19: a session has at most 1 024 children at all levels; another session of the connection still has its own", async () => {
    const failures: unknown[] = [];
    const open = (at: { child(title: string): ChildSession }, count: number) => {
      try {
        for (let index = 0; index < count; index += 1) at.child("k").idle();
      } catch (error) {
        failures.push(error);
      }
    };
    const { client } = await prompted(({ session }) => {
      open(session, 512);
      open(session.child("deeper"), 512);
    });
    await client.next(({ params }) => params?.update?.stopReason === "end_turn" && params.update.state === "idle");
    expect(failures).toEqual([expect.objectContaining({ code: "state" })]);
    const { sessionId } = await client.result("session/new", { cwd: "/work", mcpServers: [] });
    await client.result("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
    await idleOf({ next: (fits) => client.next(fits) }, sessionId);
    const own = client.updates("subagent_update").filter(({ title }) => title === "k");
    expect(own).toHaveLength(2 * 1023);
    expect(failures).toHaveLength(2);
  });

  it("P-SUB-17: a link to a session that was not announced is refused, and to a child session sent", async () => {
    const failures: unknown[] = [];
    const { client, sessionId } = await prompted((turn) => {
      const child = turn.session.child("Runner");
      const link = (to: string) =>
        ({ type: "tool_call_update", toolCallId: "t1", content: [{ type: "session", sessionId: to }] }) as const;
      const piece = {
        type: "tool_call_content_chunk",
        toolCallId: "t1",
        content: { type: "session", sessionId: "no" },
      };
      for (const event of [link("no"), piece, link(turn.session.id), link(child.id)])
        try {
          turn.emit(event as never);
        } catch (error) {
          failures.push(error);
        }
      child.idle();
    });
    await idleOf({ next: (fits) => client.next(fits) }, sessionId);
    expect(failures).toEqual([expect.objectContaining({ code: "state" }), expect.objectContaining({ code: "state" })]);
    expect(client.updates("tool_call_update").map(({ content }) => content[0].sessionId)).toEqual([
      sessionId,
      childId(client),
    ]);
  });

  it("P-SUB-22: nothing is sent inside newSession, because the client does not know the session", async () => {
    let failure: unknown;
    const { client } = await openAs(v2Hello, {
      newSession(_, session) {
        try {
          session.child("Runner");
        } catch (error) {
          failure = error;
        }
        return undefined;
      },
    });
    expect(failure).toMatchObject({ code: "state" });
    expect(client.updates("subagent_update")).toEqual([]);
  });

  it("P-SUB-11: a request that changes a child is refused, a cancel without a grant ignored, a list has no children", async () => {
    const done = gate();
    let fired = false;
    const { client, sessionId } = await prompted(async ({ session }) => {
      const child = session.child("Runner");
      child.signal.addEventListener("abort", () => {
        fired = true;
      });
      await done.promise;
      child.idle();
    });
    const kid = (await client.update("subagent_update")).sessionId;
    const named = { sessionId: kid };
    for (const [method, params] of [
      ["session/prompt", { ...named, prompt: [{ type: "text", text: "hi" }] }],
      ["session/close", named],
      ["session/resume", { ...named, cwd: "/work" }],
      ["session/set_config_option", { ...named, configId: "model", type: "select", value: "m" }],
    ] as const)
      expect(await client.error(method, params)).toMatchObject({ code: -32600, data: named });
    client.notify("session/cancel", named);
    const { sessions } = await client.result("session/list");
    expect(sessions.map((one: Frame) => one.sessionId)).toEqual([sessionId]);
    expect(fired).toBe(false);
    done.open();
  });

  it("P-SUB-12: a granted cancel ends the child's work as cancelled and leaves the parent's", async () => {
    const done = gate();
    const { client, sessionId } = await prompted(async ({ session, say, signal }) => {
      void say;
      const child = session.child("Runner", { cancel: true });
      await aborted(child.signal);
      child.idle("end_turn");
      await done.promise;
      expect(signal.aborted).toBe(false);
    });
    const kid = (await client.update("subagent_update")).sessionId;
    client.notify("session/cancel", { sessionId: kid });
    const end = await idleOf({ next: (fits) => client.next(fits) }, kid);
    expect(end.params.update).toMatchObject({ stopReason: "cancelled" });
    expect(kindsOf(client, sessionId)).not.toContain("state_update idle");
    done.open();
    expect((await idleOf({ next: (fits) => client.next(fits) }, sessionId)).params.update).toMatchObject({
      stopReason: "end_turn",
    });
  });

  it("P-SUB-12: a child that does not react is ended after the time for it", async () => {
    const { client } = await prompted(
      ({ session }) => void session.child("Runner", { cancel: true }),
      {},
      {
        cancelGraceMs: 1,
      },
    );
    const kid = (await client.update("subagent_update")).sessionId;
    client.notify("session/cancel", { sessionId: kid });
    expect((await idleOf({ next: (fits) => client.next(fits) }, kid)).params.update).toMatchObject({
      stopReason: "cancelled",
    });
  });

  it("P-SUB-13, P-BG-04: a cancel of the parent ends its children first, the deepest before; listed ones go on", async () => {
    const { client, sessionId } = await prompted(async ({ session, signal }) => {
      const kid = session.child("Kid");
      kid.child("Grandkid");
      session.child("Listed");
      const listed = [...session.state.subagents].at(-1)?.sessionId as string;
      session.setBackground([{ type: "subagent", sessionId: listed }]);
      await aborted(signal);
    });
    await client.next(({ params }) => params?.update?.background?.length === 1);
    client.cancel(sessionId);
    await idleOf({ next: (fits) => client.next(fits) }, sessionId);
    const ids = new Map(framesOf(client).flatMap(([, { title, sessionId: id }]) => (title ? [[id, title]] : [])));
    const ends = framesOf(client).filter(
      ([, { sessionUpdate, state }]) => sessionUpdate === "state_update" && state === "idle",
    );
    expect(ends.map(([id]) => ids.get(id) ?? "root")).toEqual(["Grandkid", "Kid", "root"]);
    expect(ends.every(([, { stopReason }]) => stopReason === "cancelled")).toBe(true);
  });

  it("P-SUB-13: a close ends every child; after its answer no message has a child's id", async () => {
    let kid: ChildSession | undefined;
    const { client, sessionId } = await prompted(({ session }) => {
      kid = session.child("Runner");
    });
    await idleOf({ next: (fits) => client.next(fits) }, sessionId);
    await client.result("session/close", { sessionId });
    const count = client.received.length;
    kid?.say("late");
    kid?.idle();
    await client.request("session/list");
    expect(client.received).toHaveLength(count + 1);
    expect(kindsOf(client, kid?.id as string).at(-1)).toBe("state_update idle");
  });

  it("P-SUB-03, P-SUB-20: a question has the child's id, and the child waits for the user", async () => {
    const { client, sessionId } = await prompted(async ({ session }) => {
      const child = session.child("Runner");
      const call = child.toolCall({ title: "npm test", kind: "execute" });
      if (await call.ask()) call.finish();
      child.idle();
    });
    const question = await client.call("session/request_permission");
    const kid = childId(client);
    expect(question.params).toMatchObject({ sessionId: kid, title: "npm test" });
    client.reply(question, { outcome: { outcome: "selected", optionId: "allow_once" } });
    await idleOf({ next: (fits) => client.next(fits) }, sessionId);
    expect(kindsOf(client, kid)).toEqual([
      "state_update running",
      "tool_call_update",
      "state_update requires_action",
      "session/request_permission",
      "state_update running",
      "tool_call_update",
      "state_update idle",
    ]);
  });

  it("P-BG-01, P-BG-02, P-BG-05: a listed child is announced before, lists its own work, and stays until it is done", async () => {
    let failure: unknown;
    const { client, sessionId } = await prompted(({ session }) => {
      session.setBackground([]);
      try {
        session.setBackground([{ type: "subagent", sessionId: "nobody" }]);
      } catch (error) {
        failure = error;
      }
      const child = session.child("Runner");
      session.setBackground([{ type: "subagent", sessionId: child.id }]);
      session.setBackground([]);
      child.idle();
    });
    await idleOf({ next: (fits) => client.next(fits) }, sessionId);
    expect(failure).toMatchObject({ code: "state" });
    const kid = childId(client);
    const lists = framesOf(client).flatMap(([id, { sessionUpdate, state, background }]) =>
      sessionUpdate === "state_update" ? [[id === kid ? "kid" : "root", state, background?.length]] : [],
    );
    expect(lists).toEqual([
      ["root", "running", undefined],
      ["root", "running", 0],
      ["kid", "running", 0],
      ["root", "running", 1],
      ["root", "running", 1],
      ["kid", "idle", 0],
      ["root", "running", 0],
      ["root", "idle", 0],
    ]);
  });
});

describe("child sessions for a client of version 1", () => {
  const work = ({ session }: Turn) => {
    const child = session.child("Test runner", { cancel: true });
    child.say("12 tests found\n");
    child.toolCall({ title: "npm test" }).finish();
    child.idle({ stopReason: "error", error: { code: 1, message: "no tests" } });
  };

  it("P-SUB1-02, P-SUB1-03: with the opt-in, the parent reports the state", async () => {
    const { client, sessionId } = await open({ prompt: work }, withSubagents);
    await client.ask(sessionId);
    const kid = childId(client);
    expect(client.updates("subagent_update").map(({ title, state }) => title ?? state)).toEqual([
      "Test runner",
      { state: "running" },
      { state: "idle", stopReason: "error", error: { code: 1, message: "no tests" } },
    ]);
    expect(kindsOf(client, kid)).toEqual(["agent_message_chunk", "tool_call", "tool_call_update"]);
    expect(client.updates("state_update")).toEqual([]);
  });

  it("P-SUB1-09: a child may work after the parent's turn", async () => {
    const later = gate();
    const { client, sessionId } = await open(
      {
        prompt({ session }) {
          const child = session.child("Runner");
          void later.promise.then(() => {
            child.say("late");
            child.idle();
          });
        },
      },
      withSubagents,
    );
    await client.ask(sessionId);
    later.open();
    await client.next(({ params }) => params?.update?.state?.state === "idle");
    expect(client.text).toBe("late");
  });

  it("P-SUB1-07: a granted cancel ends on the parent", async () => {
    const { client, sessionId } = await open(
      {
        async prompt({ session }) {
          const child = session.child("Runner", { cancel: true });
          await aborted(child.signal);
          child.idle();
        },
      },
      withSubagents,
    );
    client.prompt(sessionId);
    client.cancel((await client.update("subagent_update")).sessionId);
    const { params } = await client.next((frame) => frame.params?.update?.state?.state === "idle");
    expect(params).toMatchObject({ sessionId, update: { state: { state: "idle", stopReason: "cancelled" } } });
  });

  for (const [name, hello] of [
    ["version 1 without the opt-in", { protocolVersion: 1, clientInfo, clientCapabilities: {} }],
    ["seed", seedHello],
  ] as const) {
    it(`P-SUB1-02, P-SUB1-10: a child is a tool call of the parent in ${name}`, async () => {
      const { client, sessionId } = await openAs(hello, { prompt: work });
      await client.result("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
      const frames = framesOf(client);
      expect(frames.every(([id]) => id === sessionId)).toBe(true);
      expect(JSON.stringify(frames)).not.toMatch(/subagent_update|session_message|"type":"session"/);
      const calls = frames.filter(([, { sessionUpdate }]) => sessionUpdate.startsWith("tool_call"));
      expect(calls[0]?.[1]).toMatchObject({ title: "Test runner", kind: "think" });
      const text = JSON.stringify(calls);
      expect([text.includes("12 tests found"), text.includes("- npm test")]).toEqual([true, true]);
      expect(calls.at(-1)?.[1].status).toBe("failed");
    });
  }

  it("P-SUB1-10: a question of such a child names it, is about a tool call of the parent, and that call ends", async () => {
    const { client, sessionId } = await open(
      {
        async prompt({ session }) {
          const child = session.child("Builder").child("Test runner");
          const [test, lint] = [child.toolCall({ title: "npm test" }), child.toolCall({ title: "npm run lint" })];
          if (await test.ask()) await test.run(() => undefined);
          if (!(await lint.ask())) lint.update({ status: "failed" });
          child.idle();
        },
      },
      { capabilities: {} },
    );
    const answer = client.ask(sessionId);
    for (const [title, optionId] of [
      ["npm test", "allow_once"],
      ["npm run lint", "reject_once"],
    ] as const) {
      const named = `Builder: Test runner: ${title}`;
      const question = await client.next(({ method, params }) => {
        return method === "session/request_permission" && params.toolCall.title === named;
      });
      const { toolCall } = question.params;
      expect(question.params.sessionId).toBe(sessionId);
      const shown = client.updates().filter(({ toolCallId }) => toolCallId === toolCall.toolCallId);
      expect(shown).toMatchObject([{ sessionUpdate: "tool_call", title: named, status: "pending" }]);
      client.reply(question, { outcome: { outcome: "selected", optionId } });
      const status = optionId === "allow_once" ? "completed" : "failed";
      await client.next(({ params }) => {
        return params?.update?.toolCallId === toolCall.toolCallId && params.update.status === status;
      });
    }
    await answer;
  });

  it.each([
    ["v1", { protocolVersion: 1, clientInfo, clientCapabilities: {} }],
    ["seed", seedHello],
  ] as const)("P-SUB1-10: a child that cannot be shown is a published loss of %s", async (to, hello) => {
    const lost: unknown[] = [];
    const { client, sessionId } = await openAs(
      hello,
      { prompt: ({ session }) => session.child("Runner").idle() },
      { onLoss: (loss) => lost.push(loss) },
    );
    await client.result("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
    const loss = { id: "subagent", to, event: "subagent_update", entity: expect.any(String) };
    expect(lost).toEqual([expect.objectContaining(loss)]);
  });
});
