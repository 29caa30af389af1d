import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryLog, RpcError, type TurnResult } from "../src/index.js";
import { createFileLog } from "../src/node/index.js";
import { clientInfo, everything, type Frame, openAs, type RawClient, seedHello, v2Hello } from "./raw-client.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const MIB = 1_048_576;

async function tinyLog() {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return createFileLog(folder, { maxRecordBytes: 4_096 });
}

// Made once: each takes longer than a test.
const largeErrors = [
  ["a message", new Error(`went wrong: ${"e".repeat(34 * MIB)}`), "went wrong"],
  ["Chinese", new RpcError(-32_000, `wrong ${"中".repeat(12 * MIB)}`), "wrong 中"],
  ["data", new RpcError(-32_000, "has data", { dump: "d".repeat(34 * MIB) }), "has data"],
] as const;
const longStopReason = `_mine${"😀".repeat(9 * MIB)}`;

/** A handler whose first turn ends with `end`. Further turns end as usual. */
function firstEndsWith(end: () => TurnResult): () => Promise<TurnResult> {
  let turns = 0;
  return async () => {
    turns += 1;
    return turns === 1 ? end() : {};
  };
}

describe.each([
  ["v1", v1Hello],
  ["v2", v2Hello],
  ["seed", seedHello],
] as const)("a turn that fails with a very large error (%s)", (_, hello) => {
  test.each(largeErrors)("defect B13: ends, with what fits of %s", async (_name, error, begins) => {
    const prompt = () =>
      firstEndsWith(() => {
        throw error;
      });
    for (const log of [undefined, createMemoryLog(), await tinyLog()]) {
      const { client, sessionId } = await openAs(hello, { ...(log && { log }), prompt: prompt() });
      const answer = await client.ask(sessionId);
      if (hello === v2Hello) {
        const idle = await client.next((frame) => frame.params?.update?.state === "idle");
        expect(JSON.stringify(idle)).toContain(begins);
        expect(JSON.stringify(idle).length).toBeLessThan(100_000);
      } else {
        expect(JSON.stringify(answer.error)).toContain(begins);
        expect(JSON.stringify(answer.error).length).toBeLessThan(100_000);
      }
      // The session goes on.
      expect(await client.ask(sessionId)).toHaveProperty("result");
    }
  });

  test("defect B13: ends where the usage of a turn is too large, without it", async () => {
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2, _meta: { dump: "d".repeat(34 * MIB) } };
    const { client, sessionId } = await openAs(hello, {
      prompt: async (): Promise<TurnResult> => ({ stopReason: "end_turn", usage: usage as never }),
    });
    await client.ask(sessionId);
    if (hello === v2Hello) await client.next((frame) => frame.params?.update?.state === "idle");
    expect(JSON.stringify(client.received)).toContain("end_turn");
  });

  test.each<readonly [string, (stopReason: string) => unknown]>([
    ["a string", (stopReason) => stopReason],
    ["a member", (stopReason) => ({ stopReason })],
    ["a member beside a usage", (stopReason) => ({ stopReason, usage: { totalTokens: 3, _meta: { stopReason } } })],
  ])("defect B13: ends where its stop reason is very long, as %s, with the beginning of it", async (_name, result) => {
    for (const log of [undefined, createMemoryLog(), await tinyLog()]) {
      const { client, sessionId, diagnostics } = await openAs(hello, {
        ...(log && { log }),
        prompt: firstEndsWith(() => result(longStopReason) as TurnResult),
      });
      const answer = await client.ask(sessionId);
      const end = hello === v2Hello ? await idleState(client) : answer.result;
      const said = end.stopReason === "end_turn" ? end._meta["turnkit.stopReason"] : end.stopReason;
      expect(said).toMatch(/^_mine(😀)+…$/u);
      expect(said).toHaveLength(256);
      expect(diagnostics.map(({ message }) => message)).toContain(
        "The stop reason of a turn was too long, and was cut.",
      );
      expect(await client.ask(sessionId)).toHaveProperty("result");
    }
  });

  test("defect B13: ends where a usage and its own stop reason are as large as may be", async () => {
    const log = await tinyLog();
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2, _meta: { x: "u".repeat(3_400) } };
    const { client, sessionId } = await openAs(hello, {
      log,
      prompt: async () => ({ stopReason: `_${"\u0001".repeat(255)}` as never, usage: usage as never }),
    });
    const answer = await client.ask(sessionId);
    if (hello === v2Hello) await idleState(client);
    expect(answer).toHaveProperty("result");
    expect(await client.ask(sessionId)).toHaveProperty("result");
  });
});

async function idleState(client: RawClient): Promise<Frame> {
  return (await client.next((frame) => frame.params?.update?.state === "idle")).params.update;
}

test("defect B13: background work leaves room for the end of a turn, and is refused where it would not", async () => {
  const refused: unknown[] = [];
  const { client, sessionId } = await openAs(v2Hello, {
    prompt(turn) {
      // The first fits into an update, but into none with an end beside it.
      for (const size of [32 * MIB - 64 * 1024 - 200, 31 * MIB]) {
        try {
          turn.session.setBackground([{ type: "terminal", terminalId: "t", _meta: { x: "x".repeat(size) } }]);
        } catch (error) {
          refused.push(error);
        }
      }
      throw new RpcError(-32_000, "m".repeat(60_000));
    },
  });
  await client.ask(sessionId);
  const idle = await idleState(client);
  expect(refused).toMatchObject([{ code: "too_large" }]);
  expect(JSON.stringify(idle)).toContain("mmm");
  expect(JSON.stringify(idle).length).toBeGreaterThan(31 * MIB);
});

test("an error of a usual size comes as it was thrown", async () => {
  const { client, sessionId } = await openAs(v1Hello, {
    prompt() {
      throw new RpcError(-32_000, "m".repeat(10_000), { a: ["b".repeat(10_000)] });
    },
  });
  const { error } = await client.ask(sessionId);
  expect(error).toEqual({ code: -32_000, message: "m".repeat(10_000), data: { a: ["b".repeat(10_000)] } });
});

test("defect B1: a prompt that is larger than a record is refused with the option that would let it in", async () => {
  const { client, sessionId } = await openAs(v1Hello, { log: await tinyLog() });
  const { error } = await client.ask(sessionId, "x".repeat(5_000));
  expect(JSON.stringify(error)).toMatch(/createFileLog a larger maxRecordBytes/);
});
