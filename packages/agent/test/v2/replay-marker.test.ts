import { describe, expect, test } from "vitest";
import { type AgentHandlers, createMemoryLog, RpcError } from "../../src/index.js";
import { aborted, connectAs, openAs, v2Hello } from "../raw-client.js";

const place = { cwd: "/work", mcpServers: [] };
const resume = (sessionId: string) => ({ sessionId, ...place, replayFrom: { type: "start" } });
const kinds = (updates: readonly Record<string, unknown>[]) => updates.map(({ sessionUpdate }) => sessionUpdate);

describe("the marker after a replay", () => {
  test("P-REPLAY-01, P-REPLAY-05, P-REPLAY-10: follows the history of the log; title, usage and state follow the marker", async () => {
    const log = createMemoryLog();
    const { client: first, sessionId } = await openAs(v2Hello, {
      log,
      prompt(turn) {
        turn.session.setTitle("Counting");
        turn.say("One");
        turn.session.reportUsage({ used: 1, size: 9 });
      },
    });
    await first.ask(sessionId, "Count!");
    await first.update("state_update", 1);
    await first.result("session/close", { sessionId });
    const { client } = await connectAs(v2Hello, { log, prompt: () => {} });
    await client.result("session/resume", resume(sessionId));
    expect(kinds(client.updates())).toEqual([
      "user_message",
      "agent_message",
      "replay_complete",
      "session_info_update",
      "usage_update",
      "state_update",
    ]);
  });

  test("P-REPLAY-12: follows messages that are replayed as a whole, because a client may still have their pieces", async () => {
    const log = createMemoryLog();
    const { client: first, sessionId } = await openAs(v2Hello, {
      log,
      prompt(turn) {
        for (const piece of ["One, ", "two, ", "three"]) turn.say(piece);
      },
    });
    await first.ask(sessionId, "Count!");
    await first.update("state_update", 1);
    expect(first.updates("agent_message_chunk")).toHaveLength(3);
    await first.result("session/resume", resume(sessionId));
    const [message] = first.updates("agent_message");
    expect(message?.content).toEqual([{ type: "text", text: "One, two, three" }]);
    expect(first.updates("agent_message_chunk")).toHaveLength(3);
  });

  test("P-REPLAY-01: is sent once for an empty history", async () => {
    const log = createMemoryLog();
    const { client: first, sessionId } = await openAs(v2Hello, { log, prompt: () => {} });
    await first.result("session/close", { sessionId });
    const { client } = await connectAs(v2Hello, { log, prompt: () => {} });
    await client.result("session/resume", resume(sessionId));
    expect(kinds(client.updates())).toEqual(["replay_complete", "state_update"]);
  });

  test("P-REPLAY-02: is missing if the replay cannot be finished", async () => {
    const { client } = await connectAs(v2Hello, {
      prompt: () => {},
      restoreSession(_, session) {
        session.emit({ type: "user_message", messageId: "u", content: [{ type: "text", text: "before" }] });
        throw RpcError.internalError("the history cannot be read");
      },
    });
    expect(await client.error("session/resume", resume("s-1"))).toMatchObject({ code: -32603 });
    expect(kinds(client.updates())).not.toContain("replay_complete");
  });

  test("P-REPLAY-03, P-REPLAY-11: live updates of an open session follow the marker and the answer's snapshot", async () => {
    const log = createMemoryLog();
    const speak: ((text: string) => void)[] = [];
    const { client, sessionId } = await openAs(v2Hello, {
      log,
      newSession: (_, session) =>
        void speak.push((text) => void session.emit({ type: "notice", severity: "info", title: text })),
      restoreSession: () => {
        speak[0]?.("live");
      },
      prompt: (turn) => void turn.say("One"),
    });
    await client.ask(sessionId, "Count!");
    await client.update("state_update", 1);
    const before = client.updates().length;
    await client.result("session/resume", resume(sessionId));
    const received = kinds(client.updates().slice(before));
    expect(received.indexOf("notice")).toBeGreaterThan(received.indexOf("replay_complete"));
    expect(received.filter((kind) => kind === "replay_complete")).toHaveLength(1);
  });

  const untilCancelled: AgentHandlers["prompt"] = async (turn) => {
    turn.say("One, ");
    const kid = turn.session.child("Kid");
    await aborted(turn.signal);
    kid.say("Stopped.");
    turn.say("two");
  };
  const storyOf = (updates: readonly Record<string, any>[]) =>
    updates.map(({ sessionUpdate, title, content, state }) =>
      [sessionUpdate, title, [content].flat()[0]?.text, state?.state ?? state].filter(Boolean).join(" "),
    );

  test.each<[string, Partial<AgentHandlers>]>([
    ["", {}],
    [", after a closeSession", { closeSession: () => undefined }],
  ])("P-REPLAY-03: what a turn says after the request is in the replay once, at its place%s", async (_, more) => {
    const { client, sessionId } = await openAs(v2Hello, { log: createMemoryLog(), prompt: untilCancelled, ...more });
    await client.ask(sessionId, "Count!");
    await client.update("subagent_update");
    const before = client.updates().length;
    await client.result("session/resume", resume(sessionId));
    const [story, after] = [storyOf(client.updates()), storyOf(client.updates().slice(before))];
    expect(after.slice(0, after.lastIndexOf("replay_complete") + 1)).toEqual([
      "subagent_update Kid",
      "agent_message Stopped.",
      "replay_complete",
      "user_message Count!",
      "agent_message One, two",
      "replay_complete",
    ]);
    expect(story.filter((one) => /two|Stopped/.test(one))).toHaveLength(2);
    expect(after.filter((one) => one === "state_update idle").length).toBeGreaterThan(0);
    expect(client.updates("state_update").map(({ stopReason }) => stopReason)).toContain("cancelled");
  });

  test("P-REPLAY-03: after a refused restore, the client gets what the session said since the request", async () => {
    const { client, sessionId } = await openAs(v2Hello, {
      log: createMemoryLog(),
      prompt: untilCancelled,
      restoreSession: () => {
        throw RpcError.internalError("no");
      },
    });
    await client.ask(sessionId, "Count!");
    await client.update("subagent_update");
    const before = client.updates().length;
    expect(await client.error("session/resume", resume(sessionId))).toMatchObject({ code: -32603 });
    await client.next(({ params }) => params?.update?.content?.text === "two");
    const received = storyOf(client.updates().slice(before));
    expect(received.filter((one) => one.startsWith("agent_message_chunk"))).toEqual([
      "agent_message_chunk Stopped.",
      "agent_message_chunk two",
    ]);
  });
});
