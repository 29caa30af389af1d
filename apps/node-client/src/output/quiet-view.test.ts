import type { Session } from "@turnkit/client";
import { createSessionState, type SessionEvent } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { createQuietView } from "./quiet-view.js";

const text = (value: string) => ({ type: "text", text: value }) as const;
const prompt: SessionEvent = { type: "prompt_sent", promptId: "p", content: [text("Go")] };
const says = (value: string, messageId?: string): SessionEvent => ({
  ...{ type: "agent_message_chunk", content: text(value), ...(messageId !== undefined && { messageId }) },
});
const whole = (value: string, messageId: string): SessionEvent => ({
  ...{ type: "agent_message", messageId, content: [text(value)] },
});
const call: SessionEvent = { type: "tool_call_update", toolCallId: "c", title: "Look" };
const thought: SessionEvent = { type: "agent_thought_chunk", content: text("Hm.") };

/** Returns what a run prints. */
async function run(
  events: readonly SessionEvent[],
  end: Parameters<NonNullable<ReturnType<typeof createQuietView>["ended"]>>[0] = { exitCode: 0 },
) {
  const printed = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof printed) =>
    ({ write: (piece: string) => (printed[name] += piece) }) as unknown as NodeJS.WriteStream;
  const view = createQuietView({ stdout: stream("stdout"), stderr: stream("stderr"), env: {} });
  for (const event of events) await view.event(event, createSessionState());
  await view.ended?.(end);
  return printed;
}

describe("defect P7: --output quiet", () => {
  it.each<[string, SessionEvent[], string]>([
    ["pieces of one message", [prompt, says("Hel"), says("lo.")], "Hello.\n"],
    ["nothing", [prompt, thought, call], ""],
    [
      "messages around a tool call",
      [prompt, thought, says("First.\n\n"), call, says("\nThen.\n")],
      "First.\n\nThen.\n",
    ],
    ["messages with ids", [prompt, says("A", "1"), says("B", "2"), says("C", "2")], "A\n\nBC\n"],
    ["a whole message after its pieces", [prompt, says("A", "1"), whole("A and B", "1")], "A and B\n"],
    ["a changed message", [prompt, says("A", "1"), whole("B", "1"), says("C", "1")], "A\n\nBC\n"],
    ["lines inside a message", [prompt, says("a\n\n"), says("  b\n")], "a\n\n  b\n"],
    [
      "a report of tokens inside a message",
      [prompt, says("a"), { type: "usage_update", used: 1, size: 2 }, says("b")],
      "ab\n",
    ],
    ["an earlier conversation", [says("Long ago."), prompt, says("Now.")], "Now.\n"],
    ["sequences cut in two", [prompt, says("a\u001b]52;c;"), says("x\u0007b\u202e")], "ab<U+202E>\n"],
  ])("%s", async (_, events, stdout) => {
    expect(await run(events)).toEqual({ stdout, stderr: "" });
  });

  it("denied permissions, an early end and failures go to stderr", async () => {
    const options = [
      { optionId: "y", name: "Yes", kind: "allow_once" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ] as const;
    const asked = (requestId: string, title: string): SessionEvent => ({
      type: "permission_asked",
      requestId,
      title,
      options,
    });
    const answered = (requestId: string, optionId: string): SessionEvent => ({
      ...{ type: "permission_answered", requestId, outcome: { outcome: "selected", optionId } },
    });
    const events = [asked("1", "Read"), answered("1", "y"), asked("2", "Push\u001b[2K"), answered("2", "n")];
    expect(await run([prompt, ...events, says("Done.")], { exitCode: 3, stopReason: "max_tokens" })).toEqual({
      stdout: "Done.\n",
      stderr: "turnkit: Denied: Push␛[2K\nturnkit: It stopped at the limit of tokens.\n",
    });
    expect((await run([prompt], { exitCode: 1, error: { code: 1, message: "no model" } })).stderr).toContain(
      "no model",
    );
  });

  it("defect P28: a failure is reported once", async () => {
    const error = { code: 1, message: "no model" };
    const { stderr } = await run([prompt], { exitCode: 1, stopReason: "error", error });
    expect(stderr).toContain("no model");
    expect(stderr).not.toContain("It stopped");
  });

  it("defect P53: an answer without text is noted", async () => {
    const end = { exitCode: 0, stopReason: "end_turn" } as const;
    expect(await run([says("Long ago."), prompt, thought, call, says(" \n")], end)).toEqual({
      stdout: "",
      stderr: "turnkit: The agent ended its turn without any text.\n",
    });
    expect((await run([prompt, says("Done.")], end)).stderr).toBe("");
    // A session that is only shown has no answer.
    expect((await run([says("Long ago.")])).stderr).toBe("");
  });

  it("denials of subagents are shown too", async () => {
    let stderr = "";
    const write = (piece: string) => (stderr += piece);
    const stream = { write } as unknown as NodeJS.WriteStream;
    const view = createQuietView({ stdout: stream, stderr: stream, env: {} });
    const child = { id: "child" } as Session;
    await view.child?.({ type: "permission_asked", requestId: "1", title: "Push", options: [] }, child);
    await view.child?.({ type: "permission_answered", requestId: "1", outcome: { outcome: "cancelled" } }, child);
    expect(stderr).toBe("turnkit: Denied: Push\n");
  });

  describe("defect P64: notices of the agent, such as its retries", () => {
    const notice = (title: string, description?: string): SessionEvent => ({
      ...{ type: "notice", severity: "warning", title, ...(description !== undefined && { description }) },
    });
    it("are one line each on stderr, before the prompt too", async () => {
      const again = notice("Trying again in 2 s", "P answered 503:\nOverloaded.\u001b[2K");
      expect(await run([notice("No sandbox"), prompt, again, says("Done.")])).toEqual({
        stdout: "Done.\n",
        stderr: "turnkit: No sandbox\nturnkit: Trying again in 2 s: P answered 503:␊Overloaded.␛[2K\n",
      });
    });
    it("are not repeated", async () => {
      const again = notice("Trying again in 1 s", "busy");
      const { stderr } = await run([prompt, again, again, notice("Trying again in 1 s", "down"), again]);
      expect(stderr).toBe("turnkit: Trying again in 1 s: busy\nturnkit: Trying again in 1 s: down\n");
    });
    it("say that a compaction failed", async () => {
      const ends = { type: "compaction_update", compactionId: "c", status: "failed" } as const;
      const { stderr } = await run([prompt, { ...ends, error: "busy" }, { ...ends, status: "cancelled" }]);
      expect(stderr).toBe("turnkit: The agent could not compact what it remembers: busy\n");
    });
    it("of subagents have the name of the subagent", async () => {
      let stderr = "";
      const stream = { write: (piece: string) => (stderr += piece) } as unknown as NodeJS.WriteStream;
      const view = createQuietView({ stdout: stream, stderr: stream, env: {} });
      const parent = { state: { subagents: new Map([["child", { title: "Find callers" }]]) } };
      const child = { id: "child", parent, state: {} } as unknown as Session;
      await view.child?.(notice("Trying again in 1 s", "busy"), child);
      expect(stderr).toBe("turnkit: Find callers: Trying again in 1 s: busy\n");
    });
  });

  it("a long answer is printed in linear time", async () => {
    const start = performance.now();
    const { stdout } = await run([prompt, ...Array.from({ length: 100_000 }, () => says(" \n"))]);
    const { stdout: long } = await run([prompt, ...Array.from({ length: 100_000 }, () => says("word \n"))]);
    expect(performance.now() - start).toBeLessThan(5000);
    expect({ empty: stdout, long: long.length }).toEqual({ empty: "", long: 100_000 * 6 - 1 });
  });
});
