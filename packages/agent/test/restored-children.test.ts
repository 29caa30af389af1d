import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AgentHandlers, createMemoryLog, type SessionLog, type Turn } from "../src/index.js";
import { createFileLog } from "../src/node/index.js";
import { clientInfo, connectAs, everything, type Frame, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const v1WithChildren = { ...v1Hello, clientCapabilities: { ...everything, subagents: {} } };
const place = { cwd: "/work", mcpServers: [] };
const replayFrom = { type: "start" };

/** A turn with a child and its own child. The last child is at work when the agent dies. */
const family = (turn: Turn): void => {
  turn.say("Root.");
  const kid = turn.session.child("Kid", { description: "Runs the suite", cancel: true });
  kid.say("All ");
  kid.say("green.");
  const grandkid = kid.child("Grandkid");
  grandkid.toolCall({ title: "npm test" });
  kid.idle("refusal");
  turn.say(" Done.");
};

/** Runs one turn, and ends the connection as the death of an agent does: without a close of the session. */
async function died(log: SessionLog, hello: object, work = family): Promise<{ sessionId: string; live: Frame[] }> {
  const { client, served } = await connectAs(hello, { log, prompt: async (turn) => void (await work(turn)) });
  const sessionId = await client.newSession();
  await client.result("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
  if (hello === v2Hello)
    await client.next(({ params }) => params?.sessionId === sessionId && params.update?.state === "idle");
  const live = client.received.filter(({ method }) => method === "session/update").map(({ params }) => params);
  await client.close();
  await served.closed;
  return { sessionId, live };
}

/** The updates of a restore as `[session, kind, text]`, with the titles of the children as names of sessions. */
async function restored(log: SessionLog, hello: object, [method, params]: [string, Frame], more: object = {}) {
  const { client } = await connectAs(hello, { log, prompt: () => undefined, ...more } as Partial<AgentHandlers>);
  const answer = await client.request(method, { ...params, ...place });
  expect(answer.error).toBeUndefined();
  const frames = client.received.slice(0, client.received.indexOf(answer)).filter((frame) => frame.method);
  const names = new Map<string, string>([[params.sessionId, "root"]]);
  for (const {
    params: { update },
  } of frames)
    if (update.title) names.set(update.sessionId ?? "", update.title);
  const story = frames.map(({ params: { sessionId, update } }) => [
    names.get(sessionId) ?? sessionId,
    update.sessionUpdate,
    names.get(update.sessionId) ?? [update.content].flat()[0]?.text ?? update.status ?? "",
    ...(update.state ? [update.state.state ?? update.state, update.state.stopReason ?? update.stopReason] : []),
  ]);
  return { client, frames, story };
}

const wholeStory = [
  ["root", "subagent_update", "Kid"],
  ["Kid", "subagent_update", "Grandkid"],
  ["Grandkid", "tool_call_update", "cancelled"],
  ["Grandkid", "replay_complete", ""],
  ["Kid", "agent_message", "All green."],
  ["Kid", "replay_complete", ""],
  ["root", "user_message", "go"],
  ["root", "agent_message", "Root. Done."],
  ["root", "replay_complete", ""],
  ["Kid", "subagent_update", "Grandkid", "idle", "cancelled"],
  ["Grandkid", "state_update", "", "idle", "cancelled"],
  ["root", "subagent_update", "Kid", "idle", "refusal"],
  ["Kid", "state_update", "", "idle", "refusal"],
  ["root", "state_update", "", "idle", undefined],
];

describe("a restore of a session with child sessions", () => {
  for (const [name, open] of [
    ["memory", async () => createMemoryLog()],
    ["memory, compacted at each commit", async () => createMemoryLog({ compactAbove: 0 })],
    [
      "files",
      async () => {
        const folder = await mkdtemp(join(tmpdir(), "turnkit-children-"));
        onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
        return createFileLog(folder);
      },
    ],
  ] as const) {
    it(`P-REPLAY-04, P-REPLAY-10, P-REPLAY-13: version 2, ${name}: children are announced first, each has its own mark, and one last state`, async () => {
      const log = await open();
      const { sessionId, live } = await died(log, v2Hello);
      const { frames, story } = await restored(log, v2Hello, ["session/resume", { sessionId, replayFrom }]);
      expect(story).toEqual(wholeStory);
      const isAnnouncement = (update: Frame) => update.title === "Kid";
      const before = live.find(({ update }) => isAnnouncement(update))?.update;
      const after = frames.find(({ params }) => isAnnouncement(params.update))?.params.update;
      // Nobody can cancel the child any more.
      expect({ ...after, capabilities: { cancel: {} } }).toEqual(before);
    });
  }

  it("P-REPLAY-04: a child without history has its own mark", async () => {
    const log = createMemoryLog();
    const { sessionId } = await died(log, v2Hello, ({ session }) => session.child("Kid").idle());
    const { story } = await restored(log, v2Hello, ["session/resume", { sessionId, replayFrom }]);
    expect(story.slice(0, 2)).toEqual([
      ["root", "subagent_update", "Kid"],
      ["Kid", "replay_complete", ""],
    ]);
  });

  it("P-REPLAY-04: the second restart replays the same, and a deletion leaves nothing", async () => {
    const log = createMemoryLog();
    const { sessionId } = await died(log, v2Hello);
    for (let time = 0; time < 2; time += 1) {
      const { client, story } = await restored(log, v2Hello, ["session/resume", { sessionId, replayFrom }]);
      expect(story).toEqual(wholeStory);
      await client.result("session/close", { sessionId });
    }
    const { client } = await connectAs(v2Hello, { log, prompt: () => undefined });
    await client.result("session/delete", { sessionId });
    expect(await client.error("session/resume", { sessionId, ...place, replayFrom })).toMatchObject({ code: -32002 });
  });

  it("P-REPLAY-02, P-REPLAY-13: without a replay, no child is announced and none has a mark", async () => {
    const log = createMemoryLog();
    const { sessionId } = await died(log, v2Hello);
    const { story } = await restored(log, v2Hello, ["session/resume", { sessionId }]);
    expect(story).toEqual([["root", "state_update", "", "idle", undefined]]);
  });

  it("P-SUB1-09: version 1 replays children as announced, and the answer ends it", async () => {
    const log = createMemoryLog();
    const { sessionId } = await died(log, v1WithChildren);
    const { story } = await restored(log, v1WithChildren, ["session/load", { sessionId }]);
    expect(story).toEqual([
      ["root", "subagent_update", "Kid"],
      ["Kid", "subagent_update", "Grandkid"],
      ["Grandkid", "tool_call", "failed"],
      ["Kid", "agent_message_chunk", "All green."],
      ["root", "user_message_chunk", "go"],
      ["root", "agent_message_chunk", "Root. Done."],
      ["Kid", "subagent_update", "Grandkid", "idle", "cancelled"],
      ["root", "subagent_update", "Kid", "idle", "refusal"],
    ]);
  });

  it("P-SUB1-02: a client without the opt-in gets nothing with a child's id", async () => {
    const log = createMemoryLog();
    const { sessionId } = await died(log, v2Hello);
    const { story } = await restored(log, v1Hello, ["session/load", { sessionId }]);
    expect(story.map(([id, kind]) => [id, kind])).toEqual([
      ["root", "user_message_chunk"],
      ["root", "agent_message_chunk"],
    ]);
  });
});
