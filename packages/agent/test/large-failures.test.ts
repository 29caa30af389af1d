import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryLog, type Turn } from "../src/index.js";
import { createFileLog } from "../src/node/index.js";
import { clientInfo, type Frame, openAs, seedHello, v2Hello } from "./raw-client.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const MIB = 1_048_576;
const v1Hello = { protocolVersion: 1, clientInfo };
const text = (value: string) => ({ type: "content", content: { type: "text", text: value } }) as const;

async function smallLog() {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return createFileLog(folder, { maxRecordBytes: 65_536 });
}

// An odd offset: each cut at an even place is inside a pair.
const longReason = (characters: number) => `it${"😀".repeat(characters)}`.slice(1);
// 36 MiB of bytes, where 32 MiB fit; fewer characters than would fit.
const tooLong = longReason(9 * MIB);

const bounds = [
  ["no log", () => undefined, tooLong],
  ["a log in memory", () => createMemoryLog(), tooLong],
  ["a log of small records", smallLog, longReason(40_000)],
] as const;

const ways: readonly (readonly [string, (turn: Turn, reason: string) => unknown])[] = [
  [
    "run",
    (turn, reason) =>
      turn.toolCall({ title: "Test" }).run(() => {
        throw new Error(reason);
      }),
  ],
  ["fail", (turn, reason) => turn.toolCall({ title: "Test" }).fail(reason)],
];

/** The last status of the only tool call, and all text of its content. */
function outcomeOf(updates: readonly Frame[]) {
  const calls = updates.filter(({ sessionUpdate }) => String(sessionUpdate).startsWith("tool_call"));
  const contents = calls.flatMap(({ content }) => (Array.isArray(content) ? content : content ? [content] : []));
  return { status: calls.findLast(({ status }) => status)?.status, reason: contents.at(-1)?.content?.text };
}

describe.each([
  ["v1", v1Hello],
  ["v2", v2Hello],
  ["seed", seedHello],
] as const)("a tool call that fails with a very long text (%s)", (_, hello) => {
  describe.each(bounds)("with %s", (_name, createLog, reason) => {
    test.each(ways)("defect B13: has failed, with the beginning of the text: %s", async (way, fail) => {
      const log = await createLog();
      const thrown: unknown[] = [];
      const { client, sessionId } = await openAs(hello, {
        ...(log && { log }),
        async prompt(turn) {
          await Promise.resolve(fail(turn, reason)).catch((error: unknown) => thrown.push(error));
          await turn.say("after");
        },
      });
      await client.ask(sessionId);
      await client.update("agent_message_chunk");
      const outcome = outcomeOf(client.updates());
      expect(outcome.status).toBe("failed");
      expect(outcome.reason).toSatisfy((said: string) => reason.startsWith(said.slice(0, -1)) && said.endsWith("😀…"));
      if (way === "run") expect((thrown[0] as Error).message === reason).toBe(true);
      expect(thrown).toHaveLength(way === "run" ? 1 : 0);
    });
  });
});

test("defect B13: a call whose content leaves no room in version 1 fails without its text, which is reported", async () => {
  const { client, sessionId, diagnostics } = await openAs(v1Hello, {
    async prompt(turn) {
      const call = turn.toolCall({ title: "Test" });
      // An update has 32 MiB without 64 KiB. Each addition sends all of them again.
      call.append(text("x".repeat(32 * MIB - 72 * 1024)));
      for (let left = 8 * 1024; left >= 1; left = Math.floor(left / 2)) {
        try {
          await call.append(text("x".repeat(left)));
        } catch {
          // Less is tried next.
        }
      }
      call.fail("went wrong");
    },
  });
  await client.ask(sessionId);
  expect(outcomeOf(client.updates()).status).toBe("failed");
  expect(diagnostics.map(({ message }) => message)).toEqual(["The reason of a failed tool call was left out."]);
});

test.each<readonly [string, () => unknown]>([
  ["an object without a prototype", () => Object.create(null)],
  [
    "an error whose message throws",
    () => Object.defineProperty(new Error("x"), "message", { get: () => expect.fail("read") }),
  ],
  ["an error whose message is no text", () => Object.assign(new Error("x"), { message: 1n })],
  ["nothing", () => undefined],
])("defect B13: a tool that throws %s has failed, and run rejects with it", async (_, create) => {
  const error = create();
  const thrown: unknown[] = [];
  const { client, sessionId } = await openAs(v2Hello, {
    async prompt(turn) {
      const work = () => Promise.reject(error);
      await turn
        .toolCall({ title: "Test" })
        .run(work)
        .catch((fault: unknown) => thrown.push(fault));
      await turn.say("after");
    },
  });
  await client.ask(sessionId);
  await client.update("agent_message_chunk");
  expect(outcomeOf(client.updates()).status).toBe("failed");
  expect(thrown[0] === error && thrown.length === 1).toBe(true);
});
