import { describe, expect, test } from "vitest";
import type { ToolCall, Turn } from "../src/index.js";
import { aborted, type Frame, gate, open } from "./raw-client.js";

const text = (value: string) => ({ type: "content", content: { type: "text", text: value } }) as const;

/** Runs one prompt and tells the updates about tool calls, without their ids. */
async function toolUpdates(prompt: (turn: Turn) => unknown): Promise<Frame[]> {
  const { client, sessionId } = await open({
    async prompt(turn) {
      await prompt(turn);
    },
  });
  await client.ask(sessionId);
  return client.updates().map(({ toolCallId, ...update }) => update);
}

describe("a tool call", () => {
  test("V1-PERM-01 V2-PERM-04: ask tells what the call is at this moment", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Edit", kind: "edit", rawInput: { path: "/a" } });
        call.append(text("one"));
        call.update({ title: "Edit a", status: "in_progress", locations: [{ path: "/a" }] });
        await call.requestPermission();
      },
    });
    const prompt = client.prompt(sessionId);
    const { id, params } = await client.call("session/request_permission");
    const { toolCallId } = await client.update("tool_call");
    expect(params.toolCall).toEqual({
      toolCallId,
      title: "Edit a",
      kind: "edit",
      status: "in_progress",
      content: [text("one")],
      locations: [{ path: "/a" }],
      rawInput: { path: "/a" },
    });
    client.send({ id, result: { outcome: { outcome: "cancelled" } } });
    await client.answer(prompt);
  });

  test("ask leaves content away of which the state holds a part only: the client has the whole", async () => {
    const { client, sessionId } = await open(
      {
        async prompt(turn) {
          const call = turn.toolCall({ title: "Read" });
          for (let n = 0; n < 20; n++) call.append(text("x".repeat(4_000)));
          await call.requestPermission();
        },
      },
      { limits: { stateBytes: 60_000 } },
    );
    const prompt = client.prompt(sessionId);
    const { id, params } = await client.call("session/request_permission");
    expect(params.toolCall).not.toHaveProperty("content");
    client.send({ id, result: { outcome: { outcome: "cancelled" } } });
    await client.answer(prompt);
  });

  test("V1-TOOL-01 V1-UPD-10 V1-UPD-13: is told whole at first and by changes afterwards", async () => {
    const updates = await toolUpdates((turn) => {
      const call = turn.toolCall({ title: "Read", name: "read_file", kind: "read", rawInput: { path: "/a" } });
      call.update({ title: "Read a", locations: [{ path: "/a", line: 3 }] });
      call.finish({ rawOutput: "text" });
    });
    expect(updates).toEqual([
      {
        sessionUpdate: "tool_call",
        title: "Read",
        name: "read_file",
        kind: "read",
        status: "pending",
        rawInput: { path: "/a" },
      },
      { sessionUpdate: "tool_call_update", title: "Read a", locations: [{ path: "/a", line: 3 }] },
      { sessionUpdate: "tool_call_update", status: "completed", rawOutput: "text" },
    ]);
  });

  test("V1-TOOL-01: ids are unique in the session", async () => {
    const { client, sessionId } = await open({ prompt: (turn) => void turn.toolCall({ title: "x" }).finish() });
    await client.ask(sessionId);
    await client.ask(sessionId);
    expect(new Set(client.updates("tool_call").map(({ toolCallId }) => toolCallId)).size).toBe(2);
  });

  test("a patch cannot speak for another call", async () => {
    const patch: object = { type: "agent_message_chunk", toolCallId: "another", status: "in_progress" };
    const { client, sessionId } = await open({
      prompt(turn) {
        turn.toolCall({ title: "Read" }).update(patch);
      },
    });
    await client.ask(sessionId);
    const [{ toolCallId }, ...changes] = client.updates().slice(0, -1) as [Frame, ...Frame[]];
    expect(changes).toEqual([{ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" }]);
    expect(toolCallId).not.toBe("another");
  });

  test("V1-TOOL-04: run tells in_progress and completed, and hands on the result", async () => {
    const results: unknown[] = [];
    const updates = await toolUpdates(async (turn) => {
      const call = turn.toolCall({ title: "x" });
      results.push(await call.run(async (signal) => signal === turn.signal));
      results.push(await turn.toolCall({ title: "y" }).run(() => "at once"));
    });
    expect(results).toEqual([true, "at once"]);
    expect(updates.map(({ status }) => status)).toEqual([
      "pending",
      "in_progress",
      "completed",
      "pending",
      "in_progress",
      "completed",
    ]);
  });

  test("V1-PERM-09: run that fails tells failed with the reason, and throws it", async () => {
    const boom = new Error("no such file");
    const seen: unknown[] = [];
    const updates = await toolUpdates(async (turn) => {
      const call = turn.toolCall({ title: "x", content: [text("before")] });
      seen.push(await call.run(() => Promise.reject(boom)).catch((error: unknown) => error));
      const thrower = turn.toolCall({ title: "y" });
      const fails = () => {
        throw "a string";
      };
      seen.push(await thrower.run(fails).catch((error: unknown) => error));
    });
    expect(seen).toEqual([boom, "a string"]);
    expect(updates.slice(1, 4)).toEqual([
      { sessionUpdate: "tool_call_update", status: "in_progress" },
      { sessionUpdate: "tool_call_update", content: [text("before"), text("no such file")] },
      { sessionUpdate: "tool_call_update", status: "failed" },
    ]);
    expect(updates.at(-2)).toMatchObject({ content: [text("a string")] });
  });

  test("defect N57: run that fails and that nobody awaits is shown as failed, and its error goes nowhere else", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    const others = process.rawListeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", note);
    try {
      const updates = await toolUpdates(async (turn) => {
        const call = turn.toolCall({ title: "x" });
        void call.run(() => Promise.reject(new Error("no such file")));
        await new Promise(setImmediate);
      });
      expect(updates.at(-1)).toMatchObject({ status: "failed" });
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
      for (const other of others) process.on("unhandledRejection", other as never);
    }
  });

  test("defect N57: a mistake in run is seen although nobody awaits it", async () => {
    const { client, sessionId } = await open({
      prompt(turn) {
        void turn.toolCall({ title: "x" }).run("work" as never);
      },
    });
    expect((await client.ask(sessionId)).error?.data?.details).toContain("pass the work as a function");
  });

  test("V1-TOOL-03: run that a cancel ends is failed in version 1, without inventing a reason", async () => {
    const losses: unknown[] = [];
    const { client, sessionId } = await open(
      {
        async prompt(turn) {
          await turn.toolCall({ title: "x" }).run(async (signal) => {
            await aborted(signal);
            throw signal.reason;
          });
        },
      },
      { onLoss: ({ id }) => losses.push(id) },
    );
    const prompt = client.prompt(sessionId);
    await client.update("tool_call_update");
    client.cancel(sessionId);
    expect((await client.answer(prompt)).result).toEqual({ stopReason: "cancelled" });
    const last = client.updates().at(-1);
    expect(last).toMatchObject({ status: "failed", _meta: { "turnkit.status": "cancelled" } });
    expect(last).not.toHaveProperty("content");
    expect(losses).toEqual(["tool-call-status"]);
  });

  test("run that succeeds in spite of a cancel is completed", async () => {
    const { client, sessionId } = await open({
      prompt: (turn) => turn.toolCall({ title: "x" }).run((signal) => aborted(signal)),
    });
    const prompt = client.prompt(sessionId);
    await client.update("tool_call_update");
    client.cancel(sessionId);
    await client.answer(prompt);
    expect(client.updates().at(-1)).toMatchObject({ status: "completed" });
  });

  test("V1-UPD-15: append sends the whole content", async () => {
    const updates = await toolUpdates((turn) => {
      const call = turn.toolCall({ title: "x" });
      call.append(text("one"));
      call.append({ type: "diff", changes: [{ operation: "modify", path: "/a", oldText: "1", newText: "2" }] });
      call.append({ type: "terminal", terminalId: "t" });
      call.update({ content: [] });
    });
    const diff = { type: "diff", path: "/a", oldText: "1", newText: "2" };
    expect(updates.slice(1, -1).map(({ content }) => content)).toEqual([
      [text("one")],
      [text("one"), diff],
      [text("one"), diff, { type: "terminal", terminalId: "t" }],
      [],
    ]);
  });

  test.each<[string, (call: ToolCall) => unknown]>([
    ["finish", (call) => call.finish()],
    ["fail", (call) => call.fail("why")],
    ["update", (call) => call.update({ status: "failed" })],
  ])("nothing after the final status of %s", async (_, end) => {
    const updates = await toolUpdates(async (turn) => {
      const call = turn.toolCall({ title: "x" });
      end(call);
      call.update({ title: "late" });
      call.append(text("late"));
      call.fail("late");
      call.finish();
      expect(await call.run(() => 7)).toBe(7);
      turn.toolCall({ title: "marker" });
    });
    const marker = updates.findIndex(({ title }) => title === "marker");
    // The marker itself is ended with the turn.
    expect(marker).toBe(updates.length - 2);
    expect(["completed", "failed"]).toContain(updates[marker - 1]?.status);
    expect(updates.map(({ title }) => title)).not.toContain("late");
  });

  test("fail says why in the content", async () => {
    const updates = await toolUpdates((turn) => turn.toolCall({ title: "x" }).fail("The user said no."));
    expect(updates.slice(1)).toEqual([
      { sessionUpdate: "tool_call_update", content: [text("The user said no.")] },
      { sessionUpdate: "tool_call_update", status: "failed" },
    ]);
  });

  test("nothing after its turn, and nothing throws", async () => {
    const calls: ToolCall[] = [];
    const { client, sessionId } = await open({ prompt: (turn) => void calls.push(turn.toolCall({ title: "x" })) });
    await client.ask(sessionId);
    calls[0]?.append(text("late"));
    calls[0]?.finish();
    expect(await calls[0]?.ask()).toBe(false);
    await client.ask(sessionId);
    expect(client.updates().map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      ...["tool_call", "tool_call_update"],
      ...["tool_call", "tool_call_update"],
    ]);
  });

  test("several run side by side", async () => {
    const first = gate();
    const updates = await toolUpdates((turn) =>
      Promise.all([
        turn.toolCall({ title: "a" }).run(() => first.promise),
        turn.toolCall({ title: "b" }).run(() => first.open()),
      ]),
    );
    expect(updates.filter(({ status }) => status === "completed")).toHaveLength(2);
  });
});
