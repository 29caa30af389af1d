import { describe, expect, test, vi } from "vitest";
import { type AgentHandlers, createMemoryLog, type SessionLog, type Turn } from "../src/index.js";
import { open, openAs, seedHello, v2Hello } from "./raw-client.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const long = "x".repeat(33 * 1024 * 1024);
const chinese = "中".repeat(11 * 1024 * 1024);
const content = (text: string) => ({ type: "content", content: { type: "text", text } }) as const;

/** Updates that are too large for any client. */
const sayings: readonly [string, (turn: Turn) => unknown][] = [
  ["a message", (turn) => turn.say(long)],
  ["Chinese, which is longer in bytes than in letters", (turn) => turn.say(chinese)],
  ["control characters, which are longer as JSON", (turn) => turn.say("\u0001".repeat(6 * 1024 * 1024))],
  ["a tool call", (turn) => turn.toolCall({ title: "Read", rawInput: { long } })],
  ["a picture", (turn) => turn.say({ type: "image", data: long, mimeType: "image/png" })],
  [
    "usage with members of its own",
    (turn) => turn.session.emit({ type: "usage_update", used: 1, size: 2, _meta: { long } }),
  ],
];

async function eventsOf(log: SessionLog, sessionId: string): Promise<number> {
  let bytes = 0;
  for await (const event of log.read(sessionId)) bytes += JSON.stringify(event).length;
  return bytes;
}

describe.each([
  ["v1", (handlers: Partial<AgentHandlers>) => open(handlers)],
  ["v2", (handlers: Partial<AgentHandlers>) => openAs(v2Hello, handlers)],
  ["seed", (handlers: Partial<AgentHandlers>) => openAs(seedHello, handlers)],
] as const)("an update that no client reads (%s)", (_, openIn) => {
  test.each(sayings)("defect B13: %s is refused before it is stored, folded or sent", async (_name, say) => {
    const log = createMemoryLog();
    const found: unknown[] = [];
    const { client, sessionId } = await openIn({
      log,
      async prompt(turn: Turn) {
        const before = turn.session.state.timeline.length;
        try {
          await say(turn);
        } catch (error) {
          found.push(error, turn.session.state.timeline.length - before);
        }
        await turn.say("after");
      },
    });
    await client.ask(sessionId);
    expect(found).toMatchObject([{ code: "too_large", message: expect.stringContaining("bytes") }, 0]);
    expect(JSON.stringify(client.received).length).toBeLessThan(10_000);
    expect(await eventsOf(log, sessionId)).toBeLessThan(10_000);
  });
});

test("defect B13: an addition is refused where version 1 would repeat too much with it", async () => {
  const kinds: string[] = [];
  const { client, sessionId } = await open({
    async prompt(turn: Turn) {
      const call = turn.toolCall({ title: "Read" });
      for (let n = 0; n < 5; n += 1) {
        try {
          await call.append(content("x".repeat(8 * 1024 * 1024)));
          kinds.push("told");
        } catch (error) {
          kinds.push((error as { code: string }).code);
        }
      }
      call.update({ status: "completed" });
    },
  });
  await client.ask(sessionId);
  expect(kinds).toEqual(["told", "told", "told", "too_large", "too_large"]);
});
