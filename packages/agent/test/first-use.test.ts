import { describe, expect, test } from "vitest";
import {
  type AgentHandlers,
  createAgent,
  createMemoryLog,
  defaultPermissionOptions,
  type PermissionQuestion,
  type ToolCall,
  type Turn,
} from "../src/index.js";
import { clientInfo, connect, type Frame, info, open, openAs, serve, v2Hello } from "./raw-client.js";

const commands = [{ name: "test", description: "Runs tests", input: { type: "text", hint: "which" } }] as const;

describe.each([
  ["version 1", { protocolVersion: 1, clientInfo, clientCapabilities: {} }],
  ["version 2", v2Hello],
])("defect F14: commands without a type, in %s", (_, hello) => {
  test("are offered by `newSession`, and parsed", async () => {
    const seen: unknown[] = [];
    const { client, sessionId } = await openAs(hello, {
      newSession: () => ({ availableCommands: commands }),
      prompt: (turn) => void seen.push(turn.command),
    });
    await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "/test all" }] });
    expect(seen).toEqual([{ name: "test", input: "all" }]);
    expect(JSON.stringify(client.received)).toContain('"name":"test"');
  });

  test("are replaced by `setCommands`", async () => {
    const { client, sessionId } = await openAs(hello, { prompt: (turn) => void turn.session.setCommands(commands) });
    await client.ask(sessionId);
    const { availableCommands } = await client.update("available_commands_update");
    expect(availableCommands).toMatchObject([{ name: "test", description: "Runs tests" }]);
  });
});

describe("defect F14: without `newSession`", () => {
  const handlers: AgentHandlers = { info, prompt: (turn) => turn.say("Hello.") };

  test("sessions open", async () => {
    const { client } = await connect({ ...handlers, newSession: undefined as never });
    const sessionId = await client.newSession();
    expect(await client.ask(sessionId)).toMatchObject({ result: { stopReason: "end_turn" } });
    createAgent(handlers);
  });

  test("sessions of a log are restored", async () => {
    const log = createMemoryLog();
    const first = await connect({ ...handlers, log, newSession: undefined as never });
    const sessionId = await first.client.newSession();
    await first.client.ask(sessionId);
    await first.client.close();
    await first.served.closed;
    const second = await connect({ ...handlers, log, newSession: undefined as never });
    await second.client.result("session/load", { sessionId, cwd: "/work", mcpServers: [] });
    expect(second.client.text).toBe("Hello.");
  });
});

const asking = { title: "Write?", options: defaultPermissionOptions };

describe.each<[string, (call: ToolCall, turn: Turn) => Promise<boolean>]>([
  ["a tool call", (call) => call.ask()],
  ["a turn", (_, turn) => turn.ask(asking)],
])("defect F14: an answer of %s in a condition", (_, isTrue) => {
  const asked = async (
    answer: (call: Frame) => object,
    ask: (call: ToolCall, turn: Turn) => Promise<unknown> = isTrue,
  ) => {
    const seen: unknown[] = [];
    const { client, sessionId, diagnostics } = await open({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Write" });
        seen.push(await ask(call, turn));
        call.finish({ status: "cancelled" });
      },
    });
    const prompt = client.prompt(sessionId);
    void client.call("session/request_permission").then((call) => client.send({ id: call.id, ...answer(call) }));
    await client.answer(prompt);
    return { seen, diagnostics };
  };

  test.each([
    ["allow_once", true],
    ["allow_always", true],
    ["reject_once", false],
    ["nope", false],
  ])("of the answer %s is %s", async (optionId, allowed) => {
    const { seen } = await asked(() => ({ result: { outcome: { outcome: "selected", optionId } } }));
    expect(seen).toEqual([allowed]);
  });

  test("of an error is false", async () => {
    const { seen } = await asked(() => ({ error: { code: -32603, message: "no" } }));
    expect(seen).toEqual([false]);
  });

  test.each<[string, (call: ToolCall, question: Partial<PermissionQuestion>) => Promise<unknown>, unknown]>([
    ["ask", (call, question) => call.ask(question), false],
    ["requestPermission", (call, question) => call.requestPermission(question), { allowed: false }],
  ])("of a question that throws when it is read is no, by %s, and is reported", async (_, ask, no) => {
    const error = new Error("no title");
    const question = {
      get title(): string {
        throw error;
      },
    };
    const { seen, diagnostics } = await asked(
      () => ({}),
      (call) => ask(call, question),
    );
    expect(seen).toEqual([no]);
    expect(diagnostics).toMatchObject([{ code: "handler_failed", error }]);
  });
});

test.each([[{}], [undefined], [null], [Promise.resolve()], [42]])(
  "serve(%s) is a TypeError that says what to pass",
  (channel) => {
    const agent = createAgent({ info, prompt() {} });
    expect(() => agent.serve(channel as never)).toThrow(TypeError);
    expect(() => agent.serve(channel as never)).toThrow(/serve.*channel.*serveStdio/i);
    expect(() => serve({ prompt() {} })).not.toThrow();
  },
);
