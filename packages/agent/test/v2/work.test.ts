import { describe, expect, test } from "vitest";
import type { AgentHandlers, AgentSession, AgentTerminal, ElicitationQuestion, ToolCall } from "../../src/index.js";
import { clientInfo, type Frame, gate, openAs, seedHello, v2Hello } from "../raw-client.js";

const open = (handlers: Partial<AgentHandlers>) => openAs(v2Hello, handlers);
const text = (value: string) => ({ type: "content", content: { type: "text", text: value } }) as const;
const without = ({ sessionUpdate, toolCallId, ...rest }: Frame): Frame => rest;

describe("tool calls of version 2", () => {
  test("V2-TOOL-05 V2-TOOL-06 V2-TOOL-15: one kind of update, content by chunks", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Grep", name: "grep", kind: "search" });
        await call.run(() => call.append(text("12 files")));
      },
    });
    await client.ask(sessionId);
    await client.update("state_update", 1);
    expect(client.updates("tool_call_update").map(without)).toEqual([
      { title: "Grep", name: "grep", kind: "search", status: "pending" },
      { status: "in_progress" },
      { status: "completed" },
    ]);
    expect(client.updates("tool_call_content_chunk").map(({ content }) => content)).toEqual([text("12 files")]);
  });

  test("V2-TOOL-10 V2-TOOL-12 V2-TOOL-14: a call that offers it is cancelled by itself", async () => {
    const stopped = gate();
    const { client, sessionId } = await open({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Watch", onCancel: stopped.open });
        await stopped.promise;
        call.update({ status: "cancelled" });
      },
    });
    await client.ask(sessionId);
    const { toolCallId, capabilities } = await client.update("tool_call_update");
    expect(capabilities).toEqual({ cancel: {} });
    expect(await client.result("tool_call/cancel", { sessionId, toolCallId })).toEqual({});
    await client.update("state_update", 1);
    expect(client.updates("tool_call_update").at(-1)).toMatchObject({ status: "cancelled", capabilities: null });
    expect(client.updates("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    expect(await client.error("tool_call/cancel", { sessionId, toolCallId })).toMatchObject({
      code: -32602,
      data: { toolCallId },
    });
  });

  test("one that is cancelled twice hears of it once", async () => {
    let heard = 0;
    const stopped = gate();
    const { client, sessionId } = await open({
      async prompt(turn) {
        turn.toolCall({ title: "Watch", onCancel: () => void heard++ });
        await stopped.promise;
      },
    });
    await client.ask(sessionId);
    const { toolCallId } = await client.update("tool_call_update");
    await client.result("tool_call/cancel", { sessionId, toolCallId });
    await client.result("tool_call/cancel", { sessionId, toolCallId });
    expect(heard).toBe(1);
    stopped.open();
  });

  test("V2-TOOL-13 V2-TERM-12: what never offered it is -32602", async () => {
    const { client, sessionId } = await open({ prompt: (turn) => void turn.toolCall({ title: "x" }) });
    await client.ask(sessionId);
    const { toolCallId } = await client.update("tool_call_update");
    for (const id of [toolCallId, "none"]) {
      const params = { sessionId, toolCallId: id };
      expect(await client.error("tool_call/cancel", params)).toMatchObject({ code: -32602, data: { toolCallId: id } });
    }
    const terminal = { sessionId, terminalId: "t" };
    expect(await client.error("terminal/cancel", terminal)).toMatchObject({
      code: -32602,
      data: { terminalId: "t" },
    });
    expect(await client.error("tool_call/cancel", { ...terminal, sessionId: "s", toolCallId })).toMatchObject({
      code: -32002,
    });
  });
});

describe("background work", () => {
  test("V2-BG-01 V2-BG-02 V2-BG-04 V2-BG-05 V2-BG-07: outlives turns and cancels, and is in every snapshot", async () => {
    let call: ToolCall | undefined;
    let session: AgentSession | undefined;
    const { client, sessionId } = await open({
      prompt(turn) {
        session = turn.session;
        if (call !== undefined) return;
        call = session.toolCall({ title: "Watch", status: "in_progress" });
        session.setBackground([{ type: "tool_call", toolCallId: call.id }]);
      },
    });
    await client.ask(sessionId);
    await client.update("state_update", 2);
    client.cancel(sessionId);
    await client.ask(sessionId);
    await client.update("state_update", 4);
    call?.finish();
    session?.setBackground([]);
    await client.update("state_update", 5);
    const work = [{ type: "tool_call", toolCallId: call?.id }];
    expect(client.updates("state_update").map(({ sessionUpdate, ...rest }) => rest)).toEqual([
      { state: "running" },
      { state: "running", background: work },
      { state: "idle", stopReason: "end_turn", background: work },
      { state: "running", background: work },
      { state: "idle", stopReason: "end_turn", background: work },
      { state: "idle", background: [] },
    ]);
    expect(client.story.slice(-2)).toEqual(["tool_call_update", "state_update"]);
  });

  test("a list that cannot be sent is refused, and the end of the turn is told all the same", async () => {
    const errors: unknown[] = [];
    const { client, sessionId } = await open({
      prompt({ session }) {
        try {
          session.setBackground([{ type: "terminal" } as never]);
        } catch (error) {
          errors.push((error as Error).name);
        }
      },
    });
    client.prompt(sessionId);
    expect(await client.update("state_update", 1)).toEqual({
      sessionUpdate: "state_update",
      state: "idle",
      stopReason: "end_turn",
    });
    expect(errors).toEqual(["TypeError"]);
  });

  test("its questions do not make the session wait, and are withdrawn by close", async () => {
    const asked = gate<boolean>();
    const { client, sessionId } = await open({
      prompt({ session }) {
        void session
          .toolCall({ title: "Deploy" })
          .ask()
          .then((allowed) => asked.open(allowed));
      },
    });
    await client.ask(sessionId);
    const question = await client.call("session/request_permission");
    client.cancel(sessionId);
    await client.result("session/close", { sessionId });
    expect(await asked.promise).toBe(false);
    expect(await client.call("$/cancel_request")).toMatchObject({ params: { requestId: question.id } });
    expect(client.updates("state_update").map(({ state }) => state)).toEqual(["running", "idle"]);
  });
});

describe("terminals of the agent", () => {
  const run = async (hello: object) => {
    const stop = gate();
    let terminal: AgentTerminal | undefined;
    const connected = await openAs(hello, {
      async prompt(turn) {
        const shown = turn.session.terminal({ command: "npm test", cwd: "/work", onCancel: stop.open });
        terminal = shown;
        const call = turn.toolCall({ title: "npm test" });
        call.append({ type: "terminal", terminalId: shown.terminalId });
        shown.write(new Uint8Array([0xc3]));
        shown.write(new Uint8Array([0xa9]));
        shown.write("ok\n");
        if (hello === v2Hello) await stop.promise;
        shown.exit({ signal: "SIGTERM" });
        shown.write("late");
        call.finish();
      },
    });
    connected.client.prompt(connected.sessionId);
    return { ...connected, terminalId: () => terminal?.terminalId };
  };

  test("V2-TERM-01 V2-TERM-12 V2-TERM-13: bytes, cancel, exit", async () => {
    const { client, sessionId, terminalId } = await run(v2Hello);
    await client.update("terminal_output_chunk");
    const params = { sessionId, terminalId: terminalId() };
    expect(await client.result("terminal/cancel", params)).toEqual({});
    await client.update("state_update", 1);
    expect(client.updates("terminal_update")).toEqual([
      {
        sessionUpdate: "terminal_update",
        terminalId: terminalId(),
        command: "npm test",
        cwd: "/work",
        capabilities: { cancel: {} },
      },
      {
        sessionUpdate: "terminal_update",
        terminalId: terminalId(),
        exitStatus: { signal: "SIGTERM" },
        capabilities: null,
      },
    ]);
    expect(client.updates("terminal_output_chunk").map(({ data }) => data)).toEqual([btoa("\xc3\xa9ok\n")]);
    expect(await client.error("terminal/cancel", params)).toMatchObject({ code: -32602 });
  });

  test.each([
    ["v1", { protocolVersion: 1, clientInfo }],
    ["seed", seedHello],
  ])("V2-BRG-04 V2-SEED-23: %s gets its text in the tool call", async (_, hello) => {
    const { client } = await run(hello);
    await client.next(({ result }) => result?.stopReason !== undefined);
    expect(JSON.stringify(client.updates())).toContain("éok");
    expect(client.updates("terminal_update")).toEqual([]);
  });
});

test("V2-BRG-10: a question about a call with a terminal of the agent does not name it as one of the client's", async () => {
  const { client, sessionId } = await openAs(
    { protocolVersion: 1, clientInfo },
    {
      async prompt(turn) {
        const call = turn.toolCall({ title: "npm test" });
        call.append({ type: "terminal", terminalId: turn.session.terminal().terminalId });
        await call.requestPermission();
      },
    },
  );
  client.prompt(sessionId);
  const { params } = await client.call("session/request_permission");
  expect(params.toolCall).toEqual({
    toolCallId: expect.any(String),
    title: "npm test",
    kind: "other",
    status: "pending",
  });
});

test("V2-PERM-05: a command that was approved is run by the agent, and nobody asks the client to run it", async () => {
  const { client, sessionId } = await open({
    async prompt(turn) {
      expect(turn.terminals).toBeUndefined();
      const { allowed } = await turn.requestPermission({
        title: "Run npm test?",
        subject: { type: "command", command: "npm test", cwd: "/work" },
        options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
      });
      if (!allowed) return;
      const terminal = turn.session.terminal({ command: "npm test", cwd: "/work" });
      terminal.write("ok\n");
      terminal.exit({ exitCode: 0 });
    },
  });
  client.prompt(sessionId);
  const question = await client.call("session/request_permission");
  expect(question.params.subject).toEqual({ type: "command", command: "npm test", cwd: "/work" });
  expect(client.updates("terminal_update")).toEqual([]);
  client.reply(question, { outcome: { outcome: "selected", optionId: "y" } });
  await client.next(({ params }) => params?.update?.state === "idle");
  expect(client.updates("terminal_update")).toMatchObject([{ command: "npm test" }, { exitStatus: { exitCode: 0 } }]);
  const asked = client.received.flatMap(({ id, method }) => (id !== undefined && method !== undefined ? [method] : []));
  expect(asked).toEqual(["session/request_permission"]);
});

describe("elicitation", () => {
  const form: ElicitationQuestion = {
    mode: "form",
    message: "Which branch?",
    requestedSchema: { type: "object", properties: { branch: { type: "string" } } },
  };
  const url: ElicitationQuestion = { mode: "url", message: "Sign in", elicitationId: "e-1", url: "https://x.test/in" };
  const both = { elicitation: { form: {}, url: {} } };

  test.each([
    ["V2-ELI-01 V2-ELI-02 version 2", v2Hello],
    ["V1-ELIC version 1", { protocolVersion: 1, clientInfo, clientCapabilities: both }],
  ])("%s: a form, and a URL whose end is told", async (_, hello) => {
    const answers: unknown[] = [];
    const { client, sessionId } = await openAs(hello, {
      async prompt(turn) {
        answers.push(await turn.elicit(form, { toolCallId: "k" }), await turn.elicit(url));
        turn.session.completeElicitation("e-1");
        turn.say("done");
      },
    });
    client.prompt(sessionId);
    const first = await client.call("elicitation/create");
    expect(first.params).toEqual({ ...form, sessionId, toolCallId: "k" });
    client.reply(first, { action: "accept", content: { branch: "main" } });
    const second = await client.call("elicitation/create", 1);
    expect(second.params).toEqual({ ...url, sessionId });
    client.reply(second, { action: "decline" });
    await client.update("agent_message_chunk");
    expect(await client.call("elicitation/complete")).toMatchObject({ params: { elicitationId: "e-1" } });
    expect(answers).toEqual([{ action: "accept", content: { branch: "main" } }, { action: "decline" }]);
  });

  test.each<[string, Frame]>([
    ["V2-ELI-05 an unknown action", { result: { action: "later" } }],
    ["V2-ELI-11 an error", { error: { code: -32602, message: "no" } }],
    ["V2-ELI-05 a malformed answer", { result: {} }],
  ])("%s is a cancel", async (_, reply) => {
    const answers: unknown[] = [];
    const { client, sessionId } = await open({
      async prompt(turn) {
        answers.push(await turn.elicit(form));
      },
    });
    client.prompt(sessionId);
    client.send({ id: (await client.call("elicitation/create")).id, ...reply });
    await client.next(({ params }) => params?.update?.state === "idle");
    expect(answers).toEqual([{ action: "cancel" }]);
  });

  test("V2-CAN-12 V2-ELI-10 P-ELICIT-03: a cancel withdraws it; until then the session waits for the user", async () => {
    const answers: unknown[] = [];
    const { client, sessionId } = await open({
      async prompt(turn) {
        answers.push(await turn.elicit(form));
      },
    });
    client.prompt(sessionId);
    const question = await client.call("elicitation/create");
    client.cancel(sessionId);
    expect(await client.call("$/cancel_request")).toMatchObject({ params: { requestId: question.id } });
    await client.next(({ params }) => params?.update?.state === "idle");
    expect(answers).toEqual([{ action: "cancel" }]);
    expect(client.updates("state_update").map(({ state }) => state)).toEqual(["running", "requires_action", "idle"]);
  });

  test.each([
    ["V2-ELI-03 version 2 without a mode", { ...v2Hello, capabilities: { elicitation: {} } }],
    ["version 1 without a mode", { protocolVersion: 1, clientInfo }],
    ["seed", seedHello],
  ])("%s: it throws, and nothing is sent", async (_, hello) => {
    const errors: unknown[] = [];
    const { client, sessionId } = await openAs(hello, {
      async prompt(turn) {
        await turn.elicit(form).catch((error) => errors.push(error.code));
        turn.session.completeElicitation("e-1");
        turn.say("on");
      },
    });
    client.prompt(sessionId);
    await client.update("agent_message_chunk");
    expect(errors).toEqual(["capability"]);
    expect(client.received.some(({ method }) => String(method).startsWith("elicitation"))).toBe(false);
  });
});
