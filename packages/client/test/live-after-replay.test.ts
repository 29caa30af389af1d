import { messageText } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { echo, idle, openDraftSession, piece, running } from "./draft-agent.js";
import { settle } from "./raw-agent.js";

const marker = { sessionUpdate: "replay_complete" };
const notice = { sessionUpdate: "notice", severity: "info", title: "Low on tokens" };
const announced = (sessionId: string) => ({ sessionUpdate: "subagent_update", sessionId, title: sessionId });

const textsOf = ({ state }: Session) =>
  [...state.timeline].map((entry) => (entry.type === "message" ? messageText(entry) : entry.type));

/** A session with one answered prompt, while it is restored. */
async function openRestoring(...more: [sessionId: string, ...updates: object[]][]) {
  const opened = await openDraftSession();
  const { agent, client, session } = opened;
  agent.update("s-1", echo("u-1", "q"), piece("a"), idle("end_turn"));
  for (const [id, ...updates] of more) agent.update(id, ...updates);
  await settle(agent);
  const restoring = client.restore("s-1", { cwd: "/work" });
  const asked = await agent.call("session/resume");
  const refuse = async () => {
    agent.refuse(asked, -32603, "a server of MCP did not start");
    expect(await restoring).toMatchObject({ status: "unavailable", reason: "refused" });
  };
  return { ...opened, refuse, restoring, asked, children: session.children };
}

describe("what an agent sends between the marker of a replay and the refusal", () => {
  test.each([
    ["an idle session whose conversation was replayed", [echo("u-1", "q"), piece("a")]],
    ["an idle session with an empty replay", []],
  ])("P-REPLAY-06: reaches %s, at once", async (_, replay) => {
    const { agent, session, refuse } = await openRestoring();
    agent.update("s-1", ...replay, marker, piece("live", "a-2"));
    await settle(agent);
    expect(textsOf(session)).toEqual(["q", "a", "live"]);
    agent.update("s-1", piece(", too", "a-2"));
    await refuse();
    expect(textsOf(session)).toEqual(["q", "a", "live, too"]);
    expect(session.state.anomalies).toEqual([]);
  });

  test("defect B2, P-REPLAY-06: follows the late updates of the turn before", async () => {
    const { agent, session, refuse } = await openRestoring();
    agent.update("s-1", piece("late", "a-2"), marker, piece("live", "a-3"));
    await refuse();
    expect(textsOf(session)).toEqual(["q", "a", "late", "live"]);
  });

  test("defect B2, P-REPLAY-06: follows the late updates of the turn before, without the replay between them", async () => {
    const { agent, session, refuse } = await openRestoring();
    const title = { sessionUpdate: "session_info_update", title: "New" };
    agent.update("s-1", piece("late", "a-2"), echo("u-1", "q"), piece("a"), title, marker, piece("live", "a-3"));
    await refuse();
    expect(textsOf(session)).toEqual(["q", "a", "late", "live"]);
    expect(session.state.title).toBe("New");
  });

  test("P-REPLAY-06: reaches earlier messages of a session at work", async () => {
    const { agent, session, refuse } = await openRestoring(["s-1", running, echo("u-2", "again")]);
    agent.update("s-1", echo("u-1", "q"), piece("a"), marker, piece(" more"), notice);
    await refuse();
    expect(textsOf(session)).toEqual(["q", "a more", "again", "notice"]);
  });

  test("P-REPLAY-06, P-REPLAY-11: reaches an idle child session", async () => {
    const { agent, children, refuse } = await openRestoring(["s-1", announced("kid")], ["kid", piece("a")]);
    const [kid] = children as [Session];
    agent.update("s-1", echo("u-1", "q"), piece("a"), announced("kid"));
    agent.update("kid", piece("a"), marker, piece("live", "a-2"), running);
    await settle(agent);
    expect(textsOf(kid)).toEqual(["a", "live"]);
    expect(kid.state.activity.state).toBe("running");
    agent.update("kid", piece(", too", "a-2"), idle("end_turn"));
    agent.update("s-1", marker);
    await refuse();
    expect(textsOf(kid)).toEqual(["a", "live, too"]);
    expect(kid.state.activity).toMatchObject({ state: "idle", stopReason: "end_turn" });
  });

  test("P-REPLAY-06: reaches a child session that is announced after the marker", async () => {
    const { agent, session, refuse } = await openRestoring();
    agent.update("s-1", echo("u-1", "q"), piece("a"), marker, announced("kid"));
    agent.update("kid", running, piece("live"));
    await refuse();
    expect(session.children.map(textsOf)).toEqual([["live"]]);
  });
});

describe("defect R14: P-REPLAY-14, P-SUB-18: what a child session that only a refused restore announced has said is kept", () => {
  const replay = [echo("u-1", "q"), piece("a")];
  test.each<[string, [id: string, ...updates: object[]][]]>([
    [
      "in the replay",
      [
        ["s-1", ...replay, announced("kid")],
        ["kid", piece("old", "o"), marker, piece("live", "l")],
      ],
    ],
    [
      "before the replay",
      [
        ["s-1", announced("kid")],
        ["kid", piece("old", "o"), marker, piece("live", "l")],
        ["s-1", ...replay],
      ],
    ],
    [
      "after its updates",
      [
        ["kid", piece("old", "o"), piece("live", "l")],
        ["s-1", ...replay, announced("kid")],
      ],
    ],
  ])("announced %s", async (_, updates) => {
    const { agent, session, diagnostics, refuse } = await openRestoring();
    for (const [id, ...more] of updates) agent.update(id, ...more);
    await settle(agent);
    await refuse();
    expect(session.children.map((kid) => [kid.id, textsOf(kid)])).toEqual([["kid", ["old", "live"]]]);
    agent.update("kid", piece(", more", "l"));
    await settle(agent);
    expect(session.children.map(textsOf)).toEqual([["old", "live, more"]]);
    expect(diagnostics).toEqual([]);
    expect(textsOf(session)).toEqual(["q", "a"]);
  });

  test("at any depth, and once if a second restore succeeds", async () => {
    const { agent, client, session, refuse } = await openRestoring();
    agent.update("s-1", ...replay, announced("kid"));
    agent.update("kid", piece("one", "o"), announced("deep"));
    agent.update("deep", piece("two", "t"), marker);
    await refuse();
    const [kid] = session.children as [Session];
    expect([textsOf(kid), kid.children.map(textsOf)]).toEqual([["one"], [["two"]]]);
    const restoring = client.restore("s-1", { cwd: "/work" });
    const asked = await agent.call("session/resume");
    agent.update("s-1", ...replay, announced("kid"));
    agent.update("kid", piece("one", "o"), marker);
    agent.update("s-1", marker);
    agent.answer(asked, {});
    const outcome = await restoring;
    expect("session" in outcome && outcome.session.children.map(textsOf)).toEqual([["one"]]);
  });
});

test("defect B2: a child session that a working session announces during a refused restore is held whole", async () => {
  const { agent, session, refuse } = await openRestoring(["s-1", running]);
  agent.update("s-1", announced("kid"));
  agent.update("kid", running, piece("live"), idle("end_turn"));
  await refuse();
  expect(session.children.map(textsOf)).toEqual([["live"]]);
});

test("defect B2: a child session that an idle session announces gets its updates from the next work on", async () => {
  const { agent, session, refuse } = await openRestoring();
  agent.update("s-1", announced("kid"), running);
  agent.update("kid", piece("live"));
  await settle(agent);
  expect(session.children.map(textsOf)).toEqual([["live"]]);
  await refuse();
  expect(session.children.map(textsOf)).toEqual([["live"]]);
});
