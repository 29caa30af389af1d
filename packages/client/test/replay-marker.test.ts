import { messageText } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import { echo, idle, openDraft, openDraftSession, piece } from "./draft-agent.js";
import { back, RawAgent, settle } from "./raw-agent.js";

const place = { cwd: "/work" };
const marker = { sessionUpdate: "replay_complete" };

describe("the marker after a replay", () => {
  test("P-REPLAY-06: divides the history from what is live", async () => {
    const { agent, client } = await openDraft();
    const restoring = client.restore("s-0", place);
    const asked = await agent.call("session/resume");
    agent.update("s-0", echo("u-1", "q"), piece("a"), marker, piece("live", "a-2"), idle());
    agent.answer(asked, {});
    const { state } = await back(restoring);
    expect(state.history).toEqual({ end: "agent:a-1" });
    expect([...state.timeline].map(({ key }) => key)).toEqual(["user:u-1", "agent:a-1", "agent:a-2"]);
    expect(state.anomalies).toEqual([]);
  });

  test("P-REPLAY-08, P-REPLAY-09: without a marker the answer ends the replay; with one the answer is awaited", async () => {
    const { agent, client } = await openDraft();
    const restoring = client.restore("s-0", place);
    const asked = await agent.call("session/resume");
    agent.update("s-0", echo("u-1", "q"));
    agent.answer(asked, {});
    expect((await back(restoring)).state.history).toEqual({ end: "user:u-1" });
  });

  test("P-REPLAY-07, P-REPLAY-14: a truncated replay changes nothing in the open session", async () => {
    const { agent, client, session } = await openDraftSession();
    agent.update("s-1", echo("u-1", "q"), piece("whole answer"), idle("end_turn"));
    await settle(agent);
    const before = session.state;
    const restoring = client.restore("s-1", place);
    const asked = await agent.call("session/resume");
    agent.update("s-1", echo("u-1", "q"), piece("whole"));
    agent.refuse(asked, -32603, "History could not be read");
    expect(await restoring).toMatchObject({ status: "unavailable", reason: "refused" });
    expect(session.state.timeline).toBe(before.timeline);
    expect(session.state.history).toBeUndefined();
  });

  test("P-REPLAY-15: a marker without a replay is noted and not shown", async () => {
    const { agent, session } = await openDraftSession();
    agent.update("s-1", marker, piece("a"));
    await settle(agent);
    expect(session.state.timeline.length).toBe(1);
    expect(session.state.anomalies).toMatchObject([{ what: "an unexpected end of a replay" }]);
  });

  test("P-REPLAY-17: a second restore is refused while one is open, and allowed after its end", async () => {
    const { agent, client } = await openDraft();
    const first = client.restore("s-0", place);
    const asked = await agent.call("session/resume");
    expect(await client.restore("s-0", place)).toMatchObject({ status: "unavailable", reason: "busy" });
    agent.refuse(asked, -32603, "History could not be read");
    await first;
    const again = client.restore("s-0", place);
    agent.send(RawAgent.update("s-0", marker), RawAgent.result(await agent.call("session/resume"), {}));
    expect((await back(again)).state.history).toEqual({});
  });

  test("P-REPLAY-06: reaches the restored session alone, beside an open one", async () => {
    const { agent, client, session } = await openDraftSession();
    agent.update("s-1", echo("u-1", "q"), piece("a"), idle("end_turn"));
    await settle(agent);
    const restoring = client.restore("s-1", place);
    const asked = await agent.call("session/resume");
    agent.update("s-1", echo("u-1", "q"), piece("a"), marker);
    agent.answer(asked, {});
    const restored = await back(restoring);
    expect(session.state.anomalies).toEqual([]);
    expect(restored.state.history).toEqual({ end: "agent:a-1" });
    const entry = restored.state.timeline.at(-1);
    expect(entry?.type === "message" && messageText(entry)).toBe("a");
  });

  test("P-REPLAY-14: child sessions of the replay are opened once, with their listeners", async () => {
    const { agent, client } = await openDraft();
    const heard: string[] = [];
    const restoring = client.restore("s-0", place, ({ type }, session) => {
      if (type === "replay_started") session.onChild((kid) => void kid.onEvent((event) => void heard.push(event.type)));
    });
    const asked = await agent.call("session/resume");
    await settle(agent);
    agent.update("s-0", { sessionUpdate: "subagent_update", sessionId: "kid" });
    agent.update("kid", piece("a"), marker);
    agent.update("s-0", marker);
    agent.answer(asked, {});
    const [kid] = (await back(restoring)).children;
    await settle(agent);
    expect(kid?.state).toMatchObject({ sessionId: "kid", cwd: "/work", history: { end: "agent:a-1" } });
    expect(heard.filter((type) => type === "session_opened")).toHaveLength(1);
  });
});
