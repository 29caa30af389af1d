import type { SessionEvent } from "@turnkit/session";
import { createSessionState, reduce } from "@turnkit/session";
import { describe, expect, test, vi } from "vitest";
import { createMemoryLog, replayEvents } from "../src/index.js";
import { clientInfo, connectAs, everything, type Frame, seedHello, v2Hello } from "./raw-client.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const MIB = 1_048_576;
/** A little more than one update may take. */
const PIECES = 180;
const chinese = "中".repeat(64 * 1024);
const long = "x".repeat(33 * MIB);
const call = { type: "tool_call_update", toolCallId: "t" } as const;
const item = (text: string) => ({ type: "content", content: { type: "text", text } }) as const;
const many = (count: number, event: SessionEvent): SessionEvent[] => Array<SessionEvent>(count).fill(event);

/** Restores a session whose log has these events, and returns the client's messages. */
async function restored(hello: object, events: readonly SessionEvent[], limits = {}) {
  const log = createMemoryLog();
  const writer = await log.open("s", { sessionId: "s", cwd: "/work" });
  for (const event of events) writer.append(event);
  await writer.commit();
  await writer[Symbol.asyncDispose]();
  const { client, diagnostics } = await connectAs(hello, { log }, { limits });
  const [method, more] =
    hello === v2Hello ? ["session/resume", { replayFrom: { type: "start" } }] : ["session/load", {}];
  await client.result(method as string, { sessionId: "s", cwd: "/work", mcpServers: [], ...(more as object) });
  return { client, diagnostics };
}

/** Counts the Chinese letters. Each has three bytes, and every other character of these frames has one. */
function lettersIn(frames: readonly Frame[]): number {
  const extra = frames.map((frame) => JSON.stringify(frame)).map((json) => Buffer.byteLength(json) - json.length);
  return extra.reduce((sum, bytes) => sum + bytes, 0) / 2;
}
const most = (frames: readonly Frame[]): number =>
  Math.max(...frames.map((frame) => Buffer.byteLength(JSON.stringify(frame))));

describe.each([
  ["v1", v1Hello],
  ["v2", v2Hello],
  ["seed", seedHello],
] as const)("a replay of more than one update holds (%s)", (dialect, hello) => {
  test.each([
    ["a message of many pieces", "agent_message_chunk"],
    ["a thought", "agent_thought_chunk"],
    ["a prompt that was told in pieces", "user_message_chunk"],
  ] as const)("defect B1: %s comes back whole, in updates that a client reads", async (_, type) => {
    const pieces = many(PIECES, { type, messageId: "m", content: { type: "text", text: chinese } });
    const { client, diagnostics } = await restored(hello, pieces);
    const updates = client.updates();
    expect(lettersIn(updates)).toBe(PIECES * chinese.length);
    expect(most(updates)).toBeLessThan(32 * MIB);
    expect(diagnostics.filter(({ code }) => code !== "loss")).toEqual([]);
  });

  test("defect B1: one text that is larger than an update comes back in pieces", async () => {
    const text = "中".repeat(11.5 * MIB);
    const { client } = await restored(hello, [
      { type: "user_message", messageId: "m", content: [{ type: "text", text }] },
    ]);
    expect(lettersIn(client.updates())).toBe(text.length);
    expect(most(client.updates())).toBeLessThan(32 * MIB);
  });

  test("defect B1: what fits into no update is left out with a report, and all else comes back", async () => {
    const { client, diagnostics } = await restored(hello, [
      { ...call, title: "Read", status: "completed" },
      { ...call, rawOutput: { long } },
      { type: "agent_message", messageId: "p", content: [{ type: "image", data: long, mimeType: "image/png" }] },
      { type: "agent_message_chunk", messageId: "m", content: { type: "text", text: "after" } },
    ]);
    const received = JSON.stringify(client.updates());
    expect(received).toContain("Read");
    expect(received).toContain("after");
    expect(received.length).toBeLessThan(10_000);
    const reports = diagnostics.filter(({ code }) => code !== "loss").map((one) => JSON.stringify(one));
    expect(reports).toHaveLength(2);
    expect(reports[0]).toContain("tool_call_update");
  });

  test("defect B1: content of a tool call comes back as far as the dialect can say it", async () => {
    const content = many(PIECES, { type: "tool_call_content_chunk", toolCallId: "t", content: item(chinese) });
    const { client, diagnostics } = await restored(hello, [
      { ...call, title: "Read", status: "in_progress" },
      ...content,
      { ...call, status: "completed" },
      { type: "agent_message_chunk", messageId: "m", content: { type: "text", text: "after" } },
    ]);
    const received = client.updates();
    expect(JSON.stringify(received)).toContain("after");
    expect(most(received)).toBeLessThan(32 * MIB);
    const reports = diagnostics.filter(({ code }) => code !== "loss");
    if (dialect === "v1") return expect(reports.length).toBe(1);
    expect(lettersIn(received)).toBe(PIECES * chinese.length);
    expect(reports).toEqual([]);
  });
});

test("defect B1: a terminal with more output than an update holds comes back whole, its exit last", async () => {
  const data = btoa("0123456789ab".repeat(MIB / 12 + 1));
  const { client } = await restored(
    v2Hello,
    [
      { type: "terminal_update", terminalId: "x", command: "make" },
      ...many(26, { type: "terminal_output_chunk", terminalId: "x", data }),
      { type: "terminal_update", terminalId: "x", exitStatus: { exitCode: 0 } },
    ],
    { terminalBytes: 64 * MIB },
  );
  const updates = client.updates();
  expect(most(updates)).toBeLessThan(32 * MIB);
  const state = updates.map((update) => atob(update.data ?? update.output?.data ?? "")).join("");
  expect(state.length).toBe(26 * atob(data).length);
  expect(updates.findLast(({ terminalId }) => terminalId === "x")).toMatchObject({ exitStatus: { exitCode: 0 } });
}, 30_000);

test("defect B1: replayEvents gives events that can be emitted, and that lead to what was said", () => {
  let state = createSessionState({ entryBytes: Number.POSITIVE_INFINITY });
  const piece: SessionEvent = { type: "agent_message_chunk", messageId: "m", content: { type: "text", text: chinese } };
  for (let n = 0; n < PIECES; n++) state = reduce(state, piece);
  const events = replayEvents(state);
  expect(most(events)).toBeLessThan(32 * MIB);
  expect(lettersIn(events)).toBe(PIECES * chinese.length);
  expect(events.reduce(reduce, createSessionState()).timeline.length).toBe(1);
});
