import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryLog, RpcError, type TurnResult } from "../src/index.js";
import { createFileLog } from "../src/node/index.js";
import { clientInfo, everything, openAs, seedHello, v2Hello } from "./raw-client.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const MIB = 1_048_576;

async function tinyLog() {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return createFileLog(folder, { maxRecordBytes: 4_096 });
}

describe.each([
  ["v1", v1Hello],
  ["v2", v2Hello],
  ["seed", seedHello],
] as const)("a turn that fails with a very large error (%s)", (_, hello) => {
  test.each<readonly [string, () => never, string]>([
    [
      "a message",
      () => {
        throw new Error(`went wrong: ${"e".repeat(34 * MIB)}`);
      },
      "went wrong",
    ],
    [
      "Chinese",
      () => {
        throw new RpcError(-32_000, `wrong ${"中".repeat(12 * MIB)}`);
      },
      "wrong 中",
    ],
    [
      "data",
      () => {
        throw new RpcError(-32_000, "has data", { dump: "d".repeat(34 * MIB) });
      },
      "has data",
    ],
  ])("defect B13: ends, with what fits of %s", async (_name, prompt, begins) => {
    for (const log of [undefined, createMemoryLog(), await tinyLog()]) {
      const { client, sessionId } = await openAs(hello, { ...(log && { log }), prompt: async () => prompt() });
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
      expect(await client.ask(sessionId)).toBeDefined();
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
