import { describe, expect, test, vi } from "vitest";
import type { ToolCall, Turn } from "../src/index.js";
import { clientInfo, everything, type Frame, gate, open, openAs, seedHello, v2Hello } from "./raw-client.js";

const text = (value: string) => ({ type: "content", content: { type: "text", text: value } }) as const;
const piece = (n: number) => text(`${n}:`.padEnd(2048, "x"));
const count = 400;
const v1Hello = { protocolVersion: 1, clientCapabilities: everything, clientInfo };

/** Returns the tool calls that a version 1 client shows in the end, by the numbers of the pieces. */
function shown(updates: readonly Frame[]): Map<string, Frame> {
  const calls = new Map<string, Frame>();
  for (const { sessionUpdate: _, toolCallId, ...update } of updates) {
    if (toolCallId !== undefined) calls.set(toolCallId, { ...calls.get(toolCallId), ...update });
  }
  return calls;
}

const numbersOf = (call: Frame | undefined): readonly number[] =>
  (call?.content ?? []).map((item: Frame) => Number.parseInt(item.content.text, 10));

const all = Array.from({ length: count }, (_, n) => n);
const bytesOf = (updates: readonly Frame[]): number => JSON.stringify(updates).length;

/** One prompt of version 1, to a client that reads, or one that reads nothing until the handler is done. */
async function reported(prompt: (turn: Turn) => unknown, { reads = true } = {}) {
  const done = gate();
  const { client, sessionId, diagnostics, served } = await open({
    async prompt(turn) {
      await prompt(turn);
      done.open();
    },
  });
  if (!reads) client.channel.pause();
  const ended = client.ask(sessionId);
  await done.promise;
  client.channel.resume();
  return { answer: await ended, client, served, diagnostics };
}

describe("additions to a tool call in version 1", () => {
  test.each([true, false])(
    "defect B7: 400 pieces at once leave the connection open (client reads: %s)",
    async (reads) => {
      const { answer, client } = await reported(
        (turn) => {
          const call = turn.toolCall({ title: "Build" });
          for (const n of all) call.append(piece(n));
        },
        { reads },
      );
      expect(answer.result).toEqual({ stopReason: "end_turn" });
      const [call] = shown(client.updates()).values();
      expect(numbersOf(call)).toEqual(all);
      // Linear: not 160 MB.
      expect(bytesOf(client.updates())).toBeLessThan(8_000_000);
    },
  );

  test("defect B7: pieces of many calls in turn, each with its own content at the end", async () => {
    const { answer, client } = await reported((turn) => {
      const calls = Array.from({ length: 10 }, (_, n) => turn.toolCall({ title: `Build ${n}` }));
      for (const n of all) calls[n % 10]?.append(piece(n));
      for (const call of calls) call.finish();
    });
    expect(answer.result).toEqual({ stopReason: "end_turn" });
    const calls = [...shown(client.updates()).values()];
    expect(calls.map(numbersOf)).toEqual(calls.map((_, k) => all.filter((n) => n % 10 === k)));
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => "completed"));
  });

  test("defect B7: what is said next comes behind the pieces before it, a question too", async () => {
    const { client, sessionId } = await open({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Build" });
        for (const n of all) call.append(piece(n));
        turn.say("said");
        for (const n of all) call.append(piece(count + n));
        await call.requestPermission();
      },
    });
    const ended = client.ask(sessionId);
    const question = await client.call("session/request_permission");
    const before = (frame: (one: Frame) => boolean) => {
      const updates = client.received
        .slice(0, client.received.findIndex(frame))
        .map(({ params }) => params?.update ?? {});
      return numbersOf([...shown(updates).values()][0]);
    };
    expect(before(({ params }) => params?.update?.content?.text === "said")).toEqual(all);
    expect(before((frame) => frame === question)).toEqual([...all, ...all.map((n) => count + n)]);
    client.reply(question, { outcome: { outcome: "cancelled" } });
    await ended;
  });

  test.each<[string, (turn: Turn, call: ToolCall, n: number) => void]>([
    ["text", (turn) => turn.say("x")],
    ["another member of the call", (_, call, n) => call.update({ rawOutput: { n } })],
    ["the content as a whole", (_, call, n) => n < 200 && call.update({ content: all.slice(0, n + 1).map(piece) })],
    ["another call's end", (turn, _, n) => turn.toolCall({ title: `${n}` }).finish()],
    ["a terminal's output", (turn) => turn.session.terminal().write("x".repeat(100))],
  ])("defect B7: pieces and %s in turn, while the client does not read", async (_, between) => {
    let id = "";
    const { answer, client } = await reported(
      (turn) => {
        const call = turn.toolCall({ title: "Build" });
        id = call.id;
        for (const n of all) {
          call.append(piece(n));
          between(turn, call, n);
        }
      },
      { reads: false },
    );
    expect(answer.result).toEqual({ stopReason: "end_turn" });
    const numbers = numbersOf(shown(client.updates()).get(id));
    // Where the content was replaced, the pieces before that are in it.
    expect(numbers.slice(-200)).toEqual(all.slice(-200));
    expect(numbers.slice(0, 200)).toEqual(all.slice(0, 200));
    expect(bytesOf(client.updates())).toBeLessThan(64_000_000);
  });

  test("defect B7: the output of a terminal in a large content leaves the connection open", async () => {
    const { answer, client } = await reported(
      (turn) => {
        const call = turn.toolCall({ title: "Build" });
        for (const n of all) call.append(piece(n));
        const { terminalId, ...terminal } = turn.session.terminal({ command: "make" });
        call.append({ type: "terminal", terminalId });
        for (const n of all) {
          terminal.write(`${n} ${"x".repeat(4000)}\n`);
          turn.say("x");
        }
        terminal.exit({ exitCode: 0 });
      },
      { reads: false },
    );
    expect(answer.result).toEqual({ stopReason: "end_turn" });
    const [call] = shown(client.updates()).values();
    expect(call?.content.at(-1).content.text).toMatch(/399 x+\n\[exit code 0\]$/);
  });

  test("defect B7: a cancel and a close find everything sent that was added before", async () => {
    for (const end of ["session/cancel", "session/close"]) {
      const added = gate();
      const { client, sessionId } = await open({
        closeSession: () => undefined,
        async prompt(turn) {
          const call = turn.toolCall({ title: "Build" });
          for (const n of all) call.append(piece(n));
          added.open();
          await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        },
      });
      const ended = client.ask(sessionId);
      await added.promise;
      if (end === "session/close") await client.result(end, { sessionId });
      else client.cancel(sessionId);
      expect((await ended).result).toEqual({ stopReason: "cancelled" });
      const [call] = shown(client.updates()).values();
      expect(numbersOf(call)).toEqual(all);
    }
  });

  test("defect B7: who waits for each piece goes on only when the client reads", async () => {
    let added = 0;
    const { client, sessionId } = await open({
      async prompt(turn) {
        const call = turn.toolCall({ title: "Build" });
        for (const n of all) {
          await call.append(piece(n));
          added += 1;
        }
      },
    });
    const ended = client.ask(sessionId);
    await client.updates("tool_call");
    client.channel.pause();
    for (let tick = 0; tick < 20_000; tick++) await Promise.resolve();
    expect(added).toBeLessThan(count);
    client.channel.resume();
    await ended;
    expect(added).toBe(count);
    expect(numbersOf([...shown(client.updates()).values()][0])).toEqual(all);
  });

  test("defect B7: pieces that wait are sent after 50 ms, and one that cannot be sent is reported", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const done = gate();
      let call: ToolCall | undefined;
      const { client, sessionId, diagnostics } = await open({
        async prompt(turn) {
          call = turn.toolCall({ title: "Build" });
          call.append(text("x".repeat(20_000)));
          call.append(piece(1));
          call.append(piece(2));
          await done.promise;
        },
      });
      const ended = client.ask(sessionId);
      await client.update("tool_call_update");
      expect(client.updates("tool_call_update").map(({ content }) => content.length)).toEqual([1]);
      await vi.advanceTimersByTimeAsync(50);
      expect(client.updates("tool_call_update").map(({ content }) => content.length)).toEqual([1, 3]);
      call?.append({
        type: "content",
        content: { type: "text", text: "y", annotations: { priority: "high" } },
      } as never);
      await vi.advanceTimersByTimeAsync(50);
      expect(diagnostics).toMatchObject([
        { code: "outgoing_invalid", message: "Content of a tool call could not be sent.", sessionId },
      ]);
      done.open();
      await ended;
    } finally {
      vi.useRealTimers();
    }
  });
});

test.each([
  ["v2", v2Hello],
  ["seed", seedHello],
  ["v1", v1Hello],
] as const)("defect B7: 400 pieces come as one each, and whole in version 1 (%s)", async (dialect, hello) => {
  const { client, sessionId } = await openAs(hello, {
    prompt(turn) {
      const call = turn.toolCall({ title: "Build" });
      for (const n of all) call.append(piece(n));
    },
  });
  await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
  if (dialect === "v2") await client.next(({ params }) => params?.update?.state === "idle");
  if (dialect === "v1") return expect(numbersOf([...shown(client.updates()).values()][0])).toEqual(all);
  const pieces = client.updates("tool_call_content_chunk");
  expect(pieces.map(({ content }) => Number.parseInt(content.content.text, 10))).toEqual(all);
});
