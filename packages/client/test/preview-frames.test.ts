import { readFileSync } from "node:fs";
import { messageText } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Client, Session, Turn } from "../src/index.js";
import { openDraft } from "./draft-agent.js";
import { back, type Frame, newSession, open, type RawAgent, settle } from "./raw-agent.js";

type Step = { readonly section: string; readonly from: "client" | "agent"; readonly message: Frame };

const frames = readFileSync(new URL("../../schema/test/preview-frames.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Step);
const story = (section: string) => frames.filter((frame) => frame.section === section);
const place = { cwd: "/srv/app" };

/**
 * Plays a story of the Preview against a client: sends the agent's frames as they are, and checks the client's frames. The
 * ids of the client's requests are its own.
 *
 * @param acts what the client's program does for each request or notification of the client, in order
 */
async function play(agent: RawAgent, steps: readonly Step[], ...acts: readonly (() => unknown)[]): Promise<void> {
  const asked = new Map<unknown, Frame>();
  let act = 0;
  for (const { from, message } of steps) {
    if (from === "agent") {
      const answered = message.method === undefined ? asked.get(message.id) : undefined;
      agent.send(answered === undefined ? message : { ...message, id: answered.id });
      await settle(agent);
    } else if (message.method === undefined) {
      const { jsonrpc: _, ...answer } = await agent.answerTo(message.id);
      expect({ jsonrpc: "2.0", ...answer }).toEqual(message);
    } else {
      acts[act++]?.();
      const sent = await agent.call(message.method);
      expect(sent.params).toEqual(message.params);
      asked.set(message.id, sent);
    }
  }
}

async function openRoot(opened: { readonly agent: RawAgent; readonly client: Client }): Promise<Session> {
  return newSession(opened, "root1");
}

const texts = ({ state }: Session) =>
  [...state.timeline].map((entry) => (entry.type === "message" ? messageText(entry) : entry.type));

describe("a client and the frames of the Preview", () => {
  test("P-SUB-01, P-SUB-12, P-SUB-14 4.1: a child of version 2 works, asks, is cancelled and ends; its parent goes on", async () => {
    const asked: string[] = [];
    const { agent, client } = await openDraft(undefined, {
      permissions: ({ session, options: [first] }) => {
        asked.push(session.id);
        return { outcome: "selected", optionId: first?.optionId ?? "" };
      },
    });
    const session = await openRoot({ agent, client });
    const cancel = () => void session.children[0]?.cancel();
    await play(agent, story("4.1"), cancel);
    const [kid] = session.children as [Session];
    expect(asked).toEqual(["kid1"]);
    expect(kid.cwd).toBe("/srv/app/tests");
    expect(kid.state.activity).toMatchObject({ state: "idle", stopReason: "cancelled", background: [] });
    expect(kid.state.timeline.get("tool_call:k-t1")).toMatchObject({ status: "cancelled" });
    const call = session.state.timeline.get("tool_call:t1");
    expect(call).toMatchObject({ status: "cancelled" });
    expect(call?.type === "tool_call" && [...call.content]).toEqual([{ type: "session", sessionId: "kid1" }]);
    expect(session.state.subagents.get("kid1")).toMatchObject({ title: "Test runner" });
    await expect(kid.cancel()).rejects.toMatchObject({ code: "capability" });
  });

  test("P-SUB1-06, P-SUB1-07 4.2: a child of version 1 asks, and is cancelled; its parent reports its state", async () => {
    const { agent, client } = await open({ permissions: () => undefined });
    expect(agent.received[0]?.params.clientCapabilities).toMatchObject({ subagents: {}, plan: {} });
    const session = await openRoot({ agent, client });
    const [, ...steps] = story("4.2");
    await play(agent, steps, () => void session.children[0]?.cancel());
    const [kid] = session.children as [Session];
    expect(kid.state.activity).toMatchObject({ state: "idle", stopReason: "cancelled" });
    expect(texts(kid)).toContain("12 tests found");
    expect(session.state.pendingPermissions).toEqual([]);
  });

  test("P-REPLAY-06, P-REPLAY-09 4.3: a replay ends at its marker, and the restore at its answer", async () => {
    const { agent, client } = await openDraft();
    const restored: ReturnType<Client["restore"]>[] = [];
    await play(agent, story("4.3"), () => restored.push(client.restore("root1", place)));
    const session = await back(restored[0] as ReturnType<Client["restore"]>);
    expect(texts(session).filter((text) => text !== "subagent")).toEqual(["Fix the build", "Done"]);
    expect(session.state).toMatchObject({
      ...{ title: "Build fix", updatedAt: "2026-11-22T10:00:00Z", activity: { state: "idle" }, anomalies: [] },
      history: { end: "agent:a1" },
    });
  });

  test("P-REPLAY-07 4.4: a replay without a marker and with an error gives no session", async () => {
    const { agent, client } = await openDraft();
    const restored: ReturnType<Client["restore"]>[] = [];
    await play(agent, story("4.4"), () => restored.push(client.restore("root1", place)));
    expect(await restored[0]).toMatchObject({
      ...{ status: "unavailable", reason: "refused" },
      error: { code: -32603, message: expect.stringContaining("History could not be read") },
    });
  });

  test("P-IDEM-04, P-IDEM-14 4.5: a prompt that is sent again with its key on a new connection stays one message", async () => {
    const [asked, echo, resume, ...rest] = story("4.5") as [Step, Step, Step, ...Step[]];
    const { prompt, idempotencyKey } = asked.message.params;
    const first = await openDraft();
    const lost = await openRoot(first);
    const turns: Turn[] = [];
    await play(first.agent, [asked, echo], () => turns.push(lost.prompt(prompt, { idempotencyKey })));
    await first.agent.close();
    await expect(turns[0]?.ended).rejects.toMatchObject({ kind: "outcome-unknown", retry: "with-key", idempotencyKey });
    const { agent, client } = await openDraft();
    const restored: ReturnType<Client["restore"]>[] = [];
    // Our client asks for the history too, which begins with the message.
    const withReplay = { ...resume.message, params: { ...resume.message.params, replayFrom: { type: "start" } } };
    const [running, answer, again, answered] = rest as [Step, Step, Step, Step];
    await play(agent, [{ ...resume, message: withReplay }, echo, running, answer], () =>
      restored.push(client.restore("root1", place)),
    );
    const session = await back(restored[0] as ReturnType<Client["restore"]>);
    await play(agent, [again, answered], () => session.prompt(prompt, { idempotencyKey }));
    const users = [...session.state.timeline].filter((entry) => entry.type === "message" && entry.role === "user");
    expect(users).toMatchObject([{ messageId: "u9", prompt: { status: "accepted", idempotencyKey } }]);
    expect(session.state).toMatchObject({ activity: { state: "running" }, anomalies: [] });
  });

  test("P-BG-01 4.6: background work is listed until it ended; a cancel of it names the terminal", async () => {
    const { agent, client } = await openDraft();
    const session = await openRoot({ agent, client });
    const [started, listed, ...rest] = story("4.6") as [Step, Step, ...Step[]];
    await play(agent, [started, listed]);
    const work = { type: "terminal", terminalId: "term1" };
    const child = { type: "subagent", sessionId: "kid1" };
    expect(session.state.activity).toMatchObject({ state: "idle", background: [work, child] });
    await play(agent, rest, () => void session.cancelTerminal("term1"));
    expect(session.state.activity).toMatchObject({ state: "idle", background: [] });
    expect(session.state.terminals.get("term1")).toMatchObject({ exitStatus: { signal: "SIGTERM" } });
  });

  test.each([
    ["version 2", () => openDraft()],
    ["version 1", () => open()],
  ])(
    "P-PLAN-03, P-PLAN-04, P-PLAN-06 4.7: a plan changes its type under one id, and is removed, in %s",
    async (_, openOne) => {
      const { agent, client } = await openOne();
      const session = await openRoot({ agent, client });
      const [items, markdown, removed] = story("4.7") as [Step, Step, Step];
      for (const step of [items, markdown]) {
        await play(agent, [step]);
        expect([...session.state.plans]).toEqual([step.message.params.update.plan]);
      }
      await play(agent, [removed]);
      expect([...session.state.plans]).toEqual([]);
    },
  );

  test("P-PLAN-06 4.7: the checklist of version 1 has an id of its own, and no entries do not remove it", async () => {
    const { agent, client } = await open();
    const session = await openRoot({ agent, client });
    const [plan] = story("4.7 v1") as [Step];
    await play(agent, [plan]);
    const { entries } = plan.message.params.update;
    const [shown] = session.state.plans;
    expect(shown).toMatchObject({ type: "items", entries });
    agent.update("root1", { sessionUpdate: "plan", entries: [] });
    await settle(agent);
    expect([...session.state.plans]).toEqual([{ ...shown, entries: [] }]);
  });
});
