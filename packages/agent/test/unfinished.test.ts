import { describe, expect, test, vi } from "vitest";
import type { StopReason, Turn } from "../src/index.js";
import { aborted, clientInfo, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: {} };
const hellos = { "version 1": v1Hello, "version 2": v2Hello, "the seed draft": seedHello };

describe.each(Object.entries(hellos))("defect F13: at the end of a turn, in %s", (_, hello) => {
  const after = async (prompt: (turn: Turn) => unknown, until = "stopReason") => {
    const opened = await openAs(hello, { prompt: async (turn) => (await prompt(turn)) as undefined });
    const { client, sessionId } = opened;
    client.prompt(sessionId);
    await vi.waitFor(() => expect(JSON.stringify(client.received)).toContain(until));
    return { ...opened, statuses: client.updates().flatMap(({ status }) => status ?? []) };
  };
  const ended = hello === v2Hello || hello === seedHello ? /cancelled|failed/ : /failed/;

  test("a tool call that never ended is reported with its title, and ended", async () => {
    let session: Turn["session"] | undefined;
    const { statuses, diagnostics, sessionId } = await after((turn) => {
      session = turn.session;
      turn.toolCall({ title: "Done" }).finish();
      turn.toolCall({ title: "Read notes" });
    });
    expect(statuses.at(-1)).toMatch(ended);
    expect(session?.state.timeline.toArray().filter((entry) => entry.type === "tool_call")).toMatchObject([
      { status: "completed" },
      { status: "cancelled" },
    ]);
    expect(diagnostics).toEqual([
      { code: "unfinished", sessionId, message: expect.stringContaining('"Read notes"'), error: undefined },
    ]);
  });

  test("a run that nobody awaits is reported once, whatever it does later", async () => {
    const work = gate();
    let running: Promise<unknown> | undefined;
    const { client, diagnostics } = await after((turn) => {
      const call = turn.toolCall({ title: "Read" });
      running = call.run(() => work.promise);
    });
    const reported = client.received.length;
    work.open();
    await running;
    expect(client.received).toHaveLength(reported);
    expect(diagnostics.map(({ code }) => code)).toEqual(["unfinished"]);
  });

  test("tool calls of a turn that failed are ended too", async () => {
    const { statuses, diagnostics } = await after((turn) => {
      turn.toolCall({ title: "Read" });
      throw new Error("the disk is full");
    }, "the disk is full");
    expect(statuses.at(-1)).toMatch(ended);
    expect(diagnostics.map(({ code }) => code)).toEqual(expect.arrayContaining(["handler_failed", "unfinished"]));
  });

  test("tool calls that go on in the background, or ended by `emit`, are no report, whether a turn or the session has them", async () => {
    const { diagnostics, statuses } = await after((turn) => {
      const { id } = turn.toolCall({ title: "Watch" });
      const served = turn.session.toolCall({ title: "Serve" });
      turn.session.setBackground([id, served.id].map((toolCallId) => ({ type: "tool_call", toolCallId })));
      turn.emit({ type: "tool_call_update", toolCallId: turn.toolCall({ title: "Read" }).id, status: "completed" });
    });
    expect(diagnostics).toEqual([]);
    expect(statuses).toEqual(["pending", "pending", "pending", "completed"]);
  });

  test("tool calls of a cancelled turn are cancelled without a report", async () => {
    const begun = gate<Turn>();
    const { client, sessionId, diagnostics } = await openAs(hello, {
      async prompt(turn) {
        turn.toolCall({ title: "Read" });
        begun.open(turn);
        await aborted(turn.signal);
      },
    });
    client.prompt(sessionId);
    const { session } = await begun.promise;
    client.cancel(sessionId);
    await vi.waitFor(() => expect(JSON.stringify(client.received)).toContain('"stopReason":"cancelled"'));
    expect(session.state.timeline.at(-1)).toMatchObject({ type: "tool_call", status: "cancelled" });
    expect(diagnostics).toEqual([]);
  });

  test.each(["finished", "", "END_TURN", "constructor"])(
    "the unknown stop reason %j is reported, and sent as end_turn",
    async (reason) => {
      const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
      const { client, diagnostics, sessionId } = await after(() => ({ stopReason: reason as StopReason, usage }));
      expect(JSON.stringify(client.received)).toContain('"stopReason":"end_turn"');
      expect(diagnostics).toMatchObject([
        { code: "handler_failed", sessionId, message: expect.stringContaining(JSON.stringify(reason)) },
      ]);
    },
  );

  test.each(["refusal", "max_tokens", "_paused"] as const)("the stop reason %j stays", async (reason) => {
    const { client, diagnostics } = await after(() => reason);
    expect(JSON.stringify(client.received)).toMatch(`topReason":"${reason}"`);
    expect(diagnostics).toEqual([]);
  });
});

describe("defect F13: a result of a prompt handler that no client can read", () => {
  test.each<[string, unknown, string]>([
    ["a number", 7, "neither a stop reason nor an object"],
    ["a truth", true, "neither a stop reason nor an object"],
    ["a list", ["end_turn"], "neither a stop reason nor an object"],
    ["usage as text", { usage: "many" }, "usage that is not an object"],
    ["metadata as a list", { _meta: [1] }, "_meta that is not an object"],
  ])("is reported and left out: %s", async (_, result, message) => {
    const { client, sessionId, diagnostics } = await openAs(v1Hello, { prompt: async () => result as undefined });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(diagnostics).toMatchObject([{ code: "handler_failed", message: expect.stringContaining(message) }]);
  });

  test("is not `null`, and the other members stay", async () => {
    const results: unknown[] = [null, { stopReason: "refusal", usage: 1, _meta: { "example.com": 1 } }];
    const { client, sessionId, diagnostics } = await openAs(v1Hello, {
      prompt: async () => results.shift() as undefined,
    });
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
    expect(diagnostics).toEqual([]);
    const answer = await client.ask(sessionId);
    expect(answer.result).toEqual({ stopReason: "refusal", _meta: { "example.com": 1 } });
    expect(diagnostics).toHaveLength(1);
  });
});
