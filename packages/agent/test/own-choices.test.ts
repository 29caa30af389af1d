import { describe, expect, test } from "vitest";
import { type AgentSession, type ConfigOption, createMemoryLog, type Turn } from "../src/index.js";
import { clientInfo, connectAs, everything, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const place = { cwd: "/work", mcpServers: [] };
const hellos = { "version 1": v1Hello, "version 2": v2Hello, "the seed draft": seedHello };
const options = (): ConfigOption[] => [
  {
    ...{ type: "select", configId: "mode", category: "mode", name: "Mode", currentValue: "ask" },
    options: [
      { value: "ask", name: "Ask" },
      { value: "auto", name: "Do it" },
    ],
  },
  { type: "boolean", configId: "fast", name: "Fast", currentValue: false },
];

describe.each(Object.entries(hellos))("defect F9: a tool call with an id of one's own, in %s", (_, hello) => {
  const ids = async (prompt: (turn: Turn) => unknown) => {
    const thrown: unknown[] = [];
    const { client, sessionId } = await openAs(hello, {
      async prompt(turn) {
        try {
          await prompt(turn);
        } catch (error) {
          thrown.push(error);
        }
      },
    });
    await client.ask(sessionId);
    await client.ask(sessionId);
    return { thrown, ids: client.updates().flatMap(({ toolCallId }) => toolCallId ?? []) };
  };

  test("keeps it, and a taken one throws, also in a later turn", async () => {
    const { thrown, ids: seen } = await ids((turn) => {
      const call = turn.toolCall({ toolCallId: "own", title: "Read" });
      expect(call.id).toBe("own");
      call.finish();
    });
    expect(new Set(seen)).toEqual(new Set(["own"]));
    expect(thrown).toMatchObject([{ code: "state", message: expect.stringContaining('"own"') }]);
  });

  test("may not be that of a call by `emit` or of the session, and no other value than text", async () => {
    let turns = 0;
    await ids((turn) => {
      turns += 1;
      if (turns > 1) return;
      turn.emit({ type: "tool_call_update", toolCallId: "said", title: "x", status: "completed" });
      turn.session.toolCall({ toolCallId: "ours", title: "y" }).finish();
      const made = turn.toolCall({ title: "z" });
      made.finish();
      for (const toolCallId of ["said", "ours", made.id]) {
        expect(() => turn.toolCall({ toolCallId, title: "again" })).toThrow(/already/);
      }
      for (const toolCallId of ["", 7, null]) {
        expect(() => turn.toolCall({ toolCallId: toolCallId as never, title: "again" })).toThrow(TypeError);
      }
    });
    expect(turns).toBe(2);
  });
});

test("defect F9: an own id is free again if its call could not be sent, and nothing throws after the turn", async () => {
  let turn: Turn | undefined;
  const { client, sessionId, diagnostics } = await openAs(v1Hello, {
    prompt(now) {
      turn = now;
      const rawInput = "x".repeat(33 * 1024 * 1024);
      expect(() => now.toolCall({ toolCallId: "own", title: "Read", rawInput })).toThrow(/not sent/);
      now.toolCall({ toolCallId: "own", title: "Read" }).finish();
    },
  });
  expect(await client.ask(sessionId)).toHaveProperty("result");
  expect(() => turn?.toolCall({ toolCallId: "own", title: "Late" })).not.toThrow();
  expect(diagnostics.map(({ code }) => code)).toEqual(["late_change"]);
});

test("defect F9: `newSession` may use the same own id again when it sets up a restored session", async () => {
  const log = createMemoryLog();
  const newSession = (_: unknown, session: AgentSession) => {
    session.toolCall({ toolCallId: "watch", title: "Watch" }).finish();
  };
  const { client, sessionId } = await openAs(v1Hello, { log, newSession });
  await client.ask(sessionId);
  await client.result("session/close", { sessionId });
  await client.result("session/load", { sessionId, ...place });
});

describe.each(Object.entries(hellos))("defect F12: setConfigValue, in %s", (_, hello) => {
  test("changes the option, for the client too", async () => {
    const { client, sessionId } = await openAs(hello, {
      newSession: () => ({ configOptions: options() }),
      setConfigOption: () => {
        throw new Error("This is the agent's own choice.");
      },
      async prompt({ session }) {
        await session.setConfigValue("mode", "auto");
        await session.setConfigValue("mode", "auto");
        expect(session.configValue("mode")).toBe("auto");
      },
    });
    await client.ask(sessionId);
    const updates = client.updates("config_option_update");
    expect(updates).toHaveLength(1);
    expect(updates[0]?.configOptions[0]).toMatchObject({ currentValue: "auto" });
    if (hello === v1Hello) expect(client.updates("current_mode_update")).toMatchObject([{ currentModeId: "auto" }]);
  });

  test.each<[string, unknown, RegExp]>([
    ["nope", "auto", /no option nope.*mode, fast/],
    ["mode", "nope", /no value "nope".*ask, auto/],
    ["mode", true, /no value true/],
    ["fast", "on", /no value "on".*true, false/],
    ["__proto__", "x", /no option/],
  ])("throws for the option %s and the value %j", async (configId, value, message) => {
    const { client, sessionId } = await openAs(hello, {
      newSession: () => ({ configOptions: options() }),
      prompt({ session }) {
        expect(() => session.setConfigValue(configId, value as string)).toThrow(TypeError);
        expect(() => session.setConfigValue(configId, value as string)).toThrow(message);
      },
    });
    expect(await client.ask(sessionId)).toHaveProperty("result");
    expect(client.updates("config_option_update")).toEqual([]);
  });
});

test("defect F12: the log keeps the agent's own choice", async () => {
  const log = createMemoryLog();
  const handlers = {
    log,
    newSession: () => ({ configOptions: options() }),
    async prompt({ session }: Turn) {
      await session.setConfigValue("mode", "auto");
      await session.setConfigValue("fast", true);
    },
  };
  const first = await openAs(v1Hello, handlers);
  await first.client.ask(first.sessionId);
  await first.client.close();
  await first.served.closed;
  const { client } = await connectAs(v1Hello, handlers);
  const answer = await client.result("session/load", { sessionId: first.sessionId, ...place });
  expect(answer.configOptions).toMatchObject([{ currentValue: "auto" }, { currentValue: true }]);
});

describe.each([
  ["a restore", false],
  ["a slow read of the log", true],
])("what an open session says during %s", (_, isSlowRead) => {
  test.each([
    ["with a log", true],
    ["without a log", false],
  ])("is bounded at 64 MiB, %s", async (_name, hasLog) => {
    const reading = gate();
    const begun = gate();
    const memory = createMemoryLog();
    let reads = 0;
    const log = {
      ...memory,
      async *read(id: string) {
        reads += 1;
        if (isSlowRead && reads === 2) {
          begun.open();
          await reading.promise;
        }
        yield* memory.read(id);
      },
    };
    if (isSlowRead && !hasLog) return;
    let session: AgentSession | undefined;
    const { client, sessionId } = await openAs(v2Hello, {
      ...(hasLog && { log }),
      newSession(_place, made) {
        session = made;
      },
      async restoreSession() {
        if (isSlowRead) return;
        begun.open();
        await reading.promise;
      },
    });
    const { id } = { id: client.request("session/resume", { sessionId, ...place }) };
    await begun.promise;
    let said = 0;
    const text = "x".repeat(1024 * 1024);
    const say = () => {
      for (; said < 100; said += 1) {
        session?.emit({ type: "agent_message", messageId: `m-${said}`, content: [{ type: "text", text }] });
      }
    };
    expect(say).toThrow(/64 MiB/);
    expect(said).toBe(63);
    expect(session?.state.timeline.has(`agent_message:m-63`)).toBe(false);
    expect(client.updates("agent_message").some(({ messageId }) => messageId === "m-63")).toBe(false);
    reading.open();
    expect(await id).toHaveProperty("result");
  });
});
