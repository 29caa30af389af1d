import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionEvent } from "@turnkit/session";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryLog, type SessionLog } from "../src/index.js";
import { createFileLog } from "../src/node/index.js";
import { all, seen } from "./log-reader.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 60_000 });

// The reducer's side of the law, over every kind of event, is one of the laws of session (`pnpm properties`).
const seed = 20261122;
const id = fc.constantFrom("a", "b");
const said = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("漢".repeat(200), "\u0000".repeat(100), "😀\ud83d", "\ude00"),
);
const block = fc.oneof(
  { weight: 4, arbitrary: said.map((text) => ({ type: "text", text })) },
  { weight: 1, arbitrary: fc.constant({ type: "image", data: "A".repeat(400), mimeType: "image/png" }) },
);
const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some).toString("base64"));
const status = fc.constantFrom("pending", "in_progress", "completed");
const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
const url = { mode: "url", url: "https://a" };
const of = (type: string, members: { readonly [member: string]: fc.Arbitrary<unknown> }, needed: string[] = []) =>
  fc.record<{ [member: string]: unknown }>(
    { type: fc.constant(type), ...members },
    { requiredKeys: ["type", ...needed] },
  );

const event = fc
  .oneof(
    { weight: 6, arbitrary: of("agent_message_chunk", { messageId: id, content: block }, ["content"]) },
    of("agent_thought_chunk", { messageId: id, content: block }, ["messageId", "content"]),
    of("user_message", { messageId: id, content: fc.array(block, { maxLength: 2 }) }, ["messageId"]),
    of("tool_call_update", { toolCallId: id, title: said, status, rawInput: said, rawOutput: said }, ["toolCallId"]),
    of(
      "tool_call_content_chunk",
      { toolCallId: id, content: fc.record({ type: fc.constant("content"), content: block }) },
      ["toolCallId", "content"],
    ),
    of("terminal_update", { terminalId: id, command: said, exitStatus: fc.constant({ exitCode: 0 }) }, ["terminalId"]),
    { weight: 3, arbitrary: of("terminal_output_chunk", { terminalId: id, data: bytes }, ["terminalId", "data"]) },
    of("compaction_update", { compactionId: id, status }, ["compactionId", "status"]),
    of("compaction_summary_chunk", { compactionId: id, content: block }, ["compactionId", "content"]),
    of("permission_asked", { requestId: id, title: said, options: fc.constant(options) }, [
      "requestId",
      "title",
      "options",
    ]),
    of("permission_answered", { requestId: id }, ["requestId"]),
    id.map((requestId) => ({ type: "elicitation_asked", requestId, message: "Go", elicitationId: requestId, ...url })),
    of("elicitation_answered", { requestId: id, answer: fc.constant({ action: "accept" }) }, ["requestId", "answer"]),
    of("elicitation_completed", { elicitationId: id }, ["elicitationId"]),
    id.map((planId) => ({ type: "plan_update", plan: { type: "markdown", planId, content: "x" } })),
    of("plan_removed", { planId: id }, ["planId"]),
    of("session_info_update", { title: said }),
    of("turn_started", { promptId: id }, ["promptId"]),
    of("turn_ended", { promptId: id, stopReason: fc.constantFrom("end_turn", "cancelled") }, ["promptId"]),
    of("notice", { severity: fc.constant("info"), title: said }, ["severity", "title"]),
  )
  .map((one) => JSON.parse(JSON.stringify(one)) as SessionEvent);

/** A conversation, and behind which of its events the log is committed, and opened anew. */
const conversation = fc.array(fc.record({ event, next: fc.constantFrom("more", "more", "more", "commit", "reopen") }), {
  maxLength: 60,
  size: "max",
});

async function newFileLog(): Promise<SessionLog> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return createFileLog(folder, { compactBytes: 1, maxRecordBytes: 4_000 });
}

test.each([
  // Each commit waits for the disk.
  ["in a file", 25, newFileLog],
  ["in memory", 300, async () => createMemoryLog({ compactAbove: 0 })],
])(
  "defect B10: a log %s that is compacted at any event reads as if it never was",
  { timeout: 120_000 },
  async (_, numRuns, open) => {
    const log = await open();
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(conversation, async (received) => {
        const sessionId = `s${serial++}`;
        let writer = await log.open(sessionId, { sessionId, cwd: "/work" });
        writer.onProblem?.((message, error) => expect.fail(`${message} ${error}`));
        for (const [at, { event, next }] of received.entries()) {
          writer.append(event);
          if (next === "more") continue;
          // What is committed is compacted behind the commit; the next one waits for that.
          await writer.commit();
          await writer.commit();
          const before = received.slice(0, at + 1).map((one) => one.event);
          expect(seen(await all(log.read(sessionId)))).toEqual(seen(before));
          if (next === "commit") continue;
          await writer[Symbol.asyncDispose]();
          writer = await log.open(sessionId);
        }
        await writer[Symbol.asyncDispose]();
        expect(seen(await all(log.read(sessionId)))).toEqual(seen(received.map((one) => one.event)));
      }),
      { numRuns, seed },
    );
  },
);
