import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, test, vi } from "vitest";
import { createAgent, type ToolCall, type Turn } from "../src/index.js";
import { clientInfo, gate, info, open, openAs, RawClient, v2Hello } from "./raw-client.js";

const text = (value: string) => ({ type: "content", content: { type: "text", text: value } }) as const;

describe("defect F2: the result of a tool", () => {
  test("is part of the completing update", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Read" });
        await call.run(async () => "line", { result: (line) => ({ rawOutput: line, content: [text(line)] }) });
      },
    });
    await client.ask(sessionId);
    expect(client.updates("tool_call_update").at(-1)).toMatchObject({
      ...{ status: "completed", rawOutput: "line", content: [text("line")] },
    });
    expect(client.updates("tool_call_update")).toHaveLength(2);
  });

  test("may be made asynchronously, and may choose another final status", async () => {
    const { client, sessionId, diagnostics } = await open({
      async prompt(turn) {
        const result = async (exitCode: number) => ({ rawOutput: { exitCode }, status: "failed" }) as const;
        expect(await turn.toolCall({ title: "Test" }).run(() => 1, { result })).toBe(1);
        await turn.toolCall({ title: "Other" }).run(() => 2, { result: () => ({ status: "in_progress" }) });
        turn.toolCall({ title: "Third" }).finish({ status: undefined as never });
      },
    });
    await client.ask(sessionId);
    const ends = client.updates("tool_call_update").filter(({ status }) => status !== "in_progress");
    expect(ends.map(({ status }) => status)).toEqual(["failed", "completed", "completed"]);
    expect(ends[0]).toMatchObject({ rawOutput: { exitCode: 1 } });
    expect(diagnostics).toEqual([]);
  });

  test("that cannot be made fails the call", async () => {
    const error = new Error("no such line");
    const result = () => {
      throw error;
    };
    const { client, sessionId } = await open({
      prompt: (turn) => expect(turn.toolCall({ title: "Read" }).run(() => 1, { result })).rejects.toBe(error),
    });
    await client.ask(sessionId);
    expect(client.updates("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
  });
});

describe.each([
  ["version 1", { protocolVersion: 1, clientInfo, clientCapabilities: {} }],
  ["version 2", v2Hello],
])("defect F2: a change after a final status, in %s", (_, hello) => {
  test.each<[string, (call: ToolCall) => unknown]>([
    ["an update", (call) => call.update({ rawOutput: "lost" })],
    ["an addition", (call) => call.append(text("lost"))],
    ["another end", (call) => call.fail("lost")],
    ["another run", (call) => call.run(() => "lost")],
  ])("is reported for %s, once for each call, with its title", async (_name, change) => {
    const { client, sessionId, diagnostics } = await openAs(hello, {
      async prompt(turn) {
        const call = turn.toolCall({ title: "Read" });
        await call.run(() => call.update({ title: "Read notes" }));
        await change(call);
        await change(call);
      },
    });
    client.prompt(sessionId);
    await vi.waitFor(() => expect(JSON.stringify(client.received)).toContain("end_turn"));
    expect(JSON.stringify(client.received)).not.toContain("lost");
    expect(diagnostics).toEqual([
      { code: "late_change", sessionId, message: expect.stringContaining('"Read notes"'), error: undefined },
    ]);
  });

  test("is no report if the tool ended its call itself, or its turn was cancelled", async () => {
    const stopped = gate();
    const { client, sessionId, diagnostics } = await openAs(hello, {
      async prompt(turn) {
        const call = turn.toolCall({ title: "Read" });
        await call.run(() => call.fail("The file is too long."));
        client.notify("session/cancel", { sessionId });
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        call.append(text("late"));
        stopped.open();
      },
    });
    client.prompt(sessionId);
    await stopped.promise;
    expect(diagnostics).toEqual([]);
  });
});

test("defect F2: without a hook, a late change is printed", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const [channel, end] = createMemoryPair();
  const agent = createAgent({
    info,
    newSession: () => undefined,
    prompt(turn) {
      const call = turn.toolCall({ title: "Read" });
      call.finish();
      call.update({ rawOutput: "lost" });
    },
  });
  agent.serve(channel);
  const client = new RawClient(end);
  await client.initialize();
  await client.ask(await client.newSession());
  expect(print.mock.calls).toEqual([[expect.stringContaining('"Read"')]]);
  print.mockRestore();
  await client.close();
});

describe("defect F2: text of a turn", () => {
  test("after its end is reported once, and not sent", async () => {
    const late = gate();
    const said = gate();
    const { client, sessionId, diagnostics } = await open({
      prompt(turn) {
        void late.promise.then(() => {
          turn.say("one");
          turn.think("two");
          said.open();
        });
      },
    });
    await client.ask(sessionId);
    late.open();
    await said.promise;
    expect(diagnostics).toMatchObject([{ code: "late_change", message: expect.stringContaining("Await all work") }]);
    expect(client.updates("agent_message_chunk")).toEqual([]);
  });

  test.each<[string, (turn: Turn) => unknown]>([
    ["plan", (turn) => turn.plan([{ content: "late", priority: "high", status: "pending" }])],
    ["emit", (turn) => turn.emit({ type: "agent_message_chunk", content: { type: "text", text: "late" } })],
    ["toolCall", (turn) => turn.toolCall({ title: "late" }).finish()],
    ["ask", (turn) => turn.ask({ title: "late?" })],
    ["say", (turn) => turn.say({ type: "image" } as never)],
    ["think", (turn) => turn.think(7 as never)],
  ])("defect N44: and turn.%s after its end is reported once, and not sent", async (name, call) => {
    const ended: Turn[] = [];
    const { client, sessionId, diagnostics } = await open({ prompt: (turn) => void ended.push(turn) });
    await client.ask(sessionId);
    const before = client.received.length;
    for (const turn of [...ended, ...ended]) await call(turn);
    expect(diagnostics).toEqual([
      {
        ...{ code: "late_change", sessionId, error: undefined },
        message: `turn.${name} after the end of its turn was ignored. Await all work before the prompt handler returns, or use turn.session for work outside of turns.`,
      },
    ]);
    expect(client.received).toHaveLength(before);
  });

  test("defect N44: and a tool call that asks after the end is not run, because the turn is over", async () => {
    const ended: Turn[] = [];
    const { client, sessionId, diagnostics } = await open({ prompt: (turn) => void ended.push(turn) });
    await client.ask(sessionId);
    const call = ended[0]?.toolCall({ title: "Build" });
    expect(await call?.ask()).toBe(false);
    await expect(call?.run(() => "done")).rejects.toThrow(/"Build" was not run, because its turn is over/);
    expect(diagnostics.map(({ code }) => code)).toEqual(["late_change"]);
  });

  test("after a cancel is no mistake", async () => {
    const { client, sessionId, diagnostics } = await open({
      async prompt(turn) {
        await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve()));
        await undefined;
        turn.say("late");
      },
    });
    const asked = client.ask(sessionId);
    client.cancel(sessionId);
    await asked;
    expect(diagnostics).toEqual([]);
  });

  test.each([[{ text: "no type" }], [Promise.resolve("later")], [5]])("may not be %j", async (value) => {
    let thrown: unknown;
    const { client, sessionId } = await open({
      prompt(turn) {
        try {
          turn.say(value as never);
        } catch (error) {
          thrown = error;
        }
      },
    });
    await client.ask(sessionId);
    expect(thrown).toMatchObject({ name: "TypeError", message: expect.stringContaining("turn.say got ") });
  });
});
