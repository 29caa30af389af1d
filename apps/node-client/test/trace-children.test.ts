import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder, turnkit } from "./turnkit.js";

const key = "0b9f6a52";
const update = (sessionId: string, update: object) => ({
  received: { method: "session/update", params: { sessionId, update } },
});
const ask = (id: number, method: string, params: object) => ({ sent: { id, method, params } });
const answer = (id: number, result: object) => ({ received: { id, result } });
const text = (said: string) => [{ type: "text", text: said }];
const prompt = { sessionId: "root1", prompt: text("Deploy"), idempotencyKey: key };

/** Conversation with a subagent of a subagent, a prompt that was sent twice, and a restore. */
const conversation = [
  ask(0, "initialize", { protocolVersion: 2 }),
  answer(0, { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: {} } }),
  ask(1, "session/new", { cwd: "/w" }),
  answer(1, { sessionId: "root1" }),
  ask(2, "session/prompt", prompt),
  answer(2, { messageId: "u1" }),
  update("root1", { sessionUpdate: "user_message", messageId: "u1", content: text("Deploy") }),
  update("root1", { sessionUpdate: "state_update", state: "running" }),
  update("root1", {
    sessionUpdate: "subagent_update",
    sessionId: "kid1",
    title: "Test\u001b[2J runner",
    capabilities: { cancel: {} },
  }),
  update("kid1", { sessionUpdate: "state_update", state: "running" }),
  update("kid1", { sessionUpdate: "subagent_update", sessionId: "kid2", title: "Linker" }),
  update("kid2", { sessionUpdate: "agent_message_chunk", messageId: "k", content: { type: "text", text: "Link" } }),
  update("kid2", { sessionUpdate: "agent_message_chunk", messageId: "k", content: { type: "text", text: "ed." } }),
  { sent: { method: "session/cancel", params: { sessionId: "kid1" } } },
  update("kid1", { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" }),
  update("root1", { sessionUpdate: "agent_message", messageId: "a1", content: text("Deployed.") }),
  update("root1", { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" }),
  ask(3, "session/prompt", prompt),
  answer(3, { messageId: "u1" }),
  ask(4, "session/resume", { sessionId: "root1", cwd: "/w", replayFrom: { type: "start" } }),
  update("root1", { sessionUpdate: "user_message", messageId: "u1", content: text("Deploy") }),
  update("root1", { sessionUpdate: "agent_message", messageId: "a1", content: text("Deployed.") }),
  update("root1", { sessionUpdate: "replay_complete" }),
  update("root1", { sessionUpdate: "state_update", state: "idle" }),
  answer(4, {}),
];

function folderWithLog(): string {
  const lines = conversation.map((entry, index) => {
    const [[way, frame]] = Object.entries(entry) as [[string, object]];
    return { ms: index * 10, [way]: { jsonrpc: "2.0", ...frame } };
  });
  const cwd = createFolder();
  const head = { wire: 1, at: "2026-11-21T08:00:00.000Z" };
  writeFileSync(join(cwd, "wire.jsonl"), [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return cwd;
}

describe("a log with child sessions, keys and a replay", () => {
  it("P-SUB-07, P-IDEM-04, P-REPLAY-06: trace show says whose child a session is, which prompt came twice, and where a replay ends", async () => {
    const { code, stdout } = await turnkit(["trace", "show", "wire.jsonl"], { cwd: folderWithLog() });
    expect(code).toBe(0);
    const notes = stdout
      .split("\n")
      .flatMap((line) => /^.{10}(\S+ \S+(?: \w+)? \[.*\](?: ×2)?) /.exec(`${line} `)?.[1] ?? []);
    const kid1 = '"Test\\u001b[2J runner", a child of root1';
    expect(notes).toEqual([
      `← session/update subagent_update [kid1 ${kid1}]`,
      `← session/update state_update [in kid1 ${kid1}]`,
      '← session/update subagent_update [kid2 "Linker", a child of kid1, a child of root1]',
      '← session/update agent_message_chunk [in kid2 "Linker", a child of kid1, a child of root1] ×2',
      `→ session/cancel [in kid1 ${kid1}]`,
      `← session/update state_update [in kid1 ${kid1}]`,
      "→ session/prompt [again, as at 0.040]",
      "← session/update replay_complete [end of the history of root1]",
    ]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain(`idempotencyKey: "${key}"`);
  });

  it("P-SUB-12: trace replay shows the subagents, and repeats the cancel of one, a second attempt of a prompt and a restore", async () => {
    const { code, stdout, stderr } = await turnkit(["trace", "replay", "wire.jsonl"], { cwd: folderWithLog() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/runner: started[\s\S]*Linker: started[\s\S]*runner: cancelled/);
    expect(stdout).not.toContain("\u001b[2J");
  });
});
