import { describe, expect, test } from "vitest";
import { chatOver, shortly } from "./chat.js";
import { call, openSession, openV2, output, patch, say } from "./conversation.js";

async function turnWith(...updates: object[]) {
  const { agent, session } = await openSession();
  const reading = await chatOver(session).ask("Hi");
  const prompt = await agent.call("session/prompt");
  for (const update of updates) await agent.update(update);
  await agent.answer(prompt, { stopReason: "end_turn" });
  return reading.done;
}

const diff = { type: "diff", path: "/work/a.ts", oldText: "a", newText: "b" };

describe("a tool call", () => {
  test("has its input, its output so far, and its output", async () => {
    const { message, errors, chunks } = await turnWith(
      call("c1", { kind: "read", rawInput: { path: "a.ts" }, locations: [{ path: "/work/a.ts", line: 3 }] }),
      patch("c1", { status: "in_progress", content: output("half") }),
      patch("c1", { status: "completed", content: output("whole"), rawOutput: { lines: 2 } }),
    );
    expect(errors).toEqual([]);
    expect(chunks.flatMap((chunk) => ("toolCallId" in chunk ? [chunk.type] : []))).toEqual([
      ...["tool-input-available", "tool-output-available", "tool-output-available"],
    ]);
    expect(chunks[2]).toMatchObject({ preliminary: true, output: { status: "in_progress", content: output("half") } });
    expect(message.parts).toEqual([
      {
        ...{ type: "dynamic-tool", toolName: "read", toolCallId: "c1", title: "Call c1", state: "output-available" },
        ...{ input: { path: "a.ts" }, providerExecuted: true },
        output: {
          ...{ kind: "read", status: "completed", locations: [{ path: "/work/a.ts", line: 3 }] },
          ...{ content: output("whole"), rawOutput: { lines: 2 } },
        },
      },
    ]);
  });

  test("in version 2 has its name", async () => {
    const { agent, session } = await openV2();
    const reading = await chatOver(session).ask("Hi");
    const prompt = await agent.call("session/prompt");
    await agent.update({ sessionUpdate: "state_update", state: "running", background: [] });
    await agent.answer(prompt, { messageId: "u-1" });
    await agent.update(patch("c1", { name: "read_file", title: "Read", kind: "read", status: "completed" }));
    await agent.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    expect(shortly((await reading.done).message)).toContain("read_file output-available");
  });

  test.each([
    ["failed", { content: output("No such file") }, "No such file"],
    ["failed", { rawOutput: "raw words" }, "raw words"],
    ["failed", {}, "failed"],
  ])("that %s with %o has the error %s", async (status, members, errorText) => {
    const { message } = await turnWith(call("c1"), patch("c1", { status, ...members }));
    expect(message.parts).toMatchObject([{ state: "output-error", errorText }]);
  });

  test("whose title, input or kind changes late keeps its output", async () => {
    const { message } = await turnWith(
      call("c1"),
      patch("c1", { status: "in_progress", content: output("half") }),
      patch("c1", { title: "Read a.ts", rawInput: { path: "a.ts" }, kind: "read" }),
    );
    expect(message.parts).toMatchObject([
      { toolName: "read", title: "Read a.ts", input: { path: "a.ts" }, output: { content: output("half") } },
    ]);
  });

  test("has diffs and terminals as parts of their own, each once and in its newest form", async () => {
    const { message, chunks } = await turnWith(
      call("c1", { kind: "edit", content: [diff] }),
      say("done"),
      patch("c1", { status: "completed", content: [diff, ...output("ok"), { ...diff, path: "/work/b.ts" }] }),
    );
    expect(message.parts).toMatchObject([
      { type: "dynamic-tool", output: { content: output("ok") } },
      { type: "data-acp-diff", id: "c1/0", data: { toolCallId: "c1", changes: [{ path: "/work/a.ts" }] } },
      { type: "text" },
      { type: "data-acp-diff", id: "c1/2", data: { changes: [{ path: "/work/b.ts" }] } },
    ]);
    expect(chunks.filter((chunk) => "id" in chunk && chunk.id === "c1/2")).toHaveLength(1);
  });

  test("of an earlier turn that changes later is shown again", async () => {
    const { agent, session } = await openSession();
    const chat = chatOver(session);
    const first = await chat.ask("one");
    const one = await agent.call("session/prompt");
    await agent.update(call("c1"));
    await agent.answer(one, { stopReason: "end_turn" });
    expect(shortly((await first.done).message)).toEqual(["other input-available"]);
    const second = await chat.ask("two");
    const two = await agent.call("session/prompt");
    await agent.update(patch("c1", { status: "completed", content: output("late") }));
    await agent.answer(two, { stopReason: "end_turn" });
    const { message, errors } = await second.done;
    expect([shortly(message), errors]).toEqual([["other output-available"], []]);
  });
});

test("a terminal is a part with its newest output and its end", async () => {
  const { agent, session } = await openV2();
  const reading = await chatOver(session).ask("Hi");
  const prompt = await agent.call("session/prompt");
  await agent.update({ sessionUpdate: "state_update", state: "running", background: [] });
  await agent.answer(prompt, { messageId: "u-1" });
  const data = (text: string) => Buffer.from(text).toString("base64");
  const chunk = (text: string) => ({ sessionUpdate: "terminal_output_chunk", terminalId: "x", data: data(text) });
  await agent.update(
    { sessionUpdate: "terminal_update", terminalId: "other", command: "sleep" },
    { sessionUpdate: "terminal_update", terminalId: "x", command: "npm test", cwd: "/work" },
    patch("c1", { title: "Test", status: "in_progress", content: [{ type: "terminal", terminalId: "x" }] }),
  );
  await agent.update(chunk("1 passed\n"));
  await agent.update(chunk("x".repeat(20_000)));
  await agent.update({ sessionUpdate: "terminal_update", terminalId: "x", exitStatus: { exitCode: 0 } });
  await agent.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
  const { message } = await reading.done;
  const shown = { terminalId: "x", command: "npm test", cwd: "/work", exitStatus: { exitCode: 0 } };
  expect(message.parts.slice(1)).toEqual([
    { type: "data-acp-terminal", id: "x", data: { ...shown, text: "x".repeat(16_384), isCut: true } },
  ]);
});
