import { messageText } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Session, SessionEvent } from "../src/index.js";
import { ask, echo, idle, piece, running } from "./draft-agent.js";
import { openTurn } from "./open-turn.js";
import { back, chunk, isSettled, openSession, RawAgent, settle } from "./raw-agent.js";

const place = { cwd: "/work" };

const said = ({ state }: Session) =>
  [...state.timeline].map((entry) => (entry.type === "message" && entry.role === "agent" ? messageText(entry) : ""));
const heard = (received: readonly SessionEvent[]) =>
  received.flatMap((event) => ("content" in event && event.type === "agent_message_chunk" ? [event.content] : []));

describe.each(["v1", "v2", "seed"] as const)("an open session of %s whose restore is refused", (dialect) => {
  test("defect B2: holds what was said meanwhile, and its turn ends", async () => {
    const { agent, client, session, turn, say, finish, received, restore } = await openTurn(dialect);
    say("one ");
    const restoring = client.restore("s-1", { cwd: "/other" });
    const call = await agent.call(restore);
    say("two ");
    await settle(agent);
    expect(said(session).join("")).toBe("one two ");
    agent.refuse(call, -32602, "another folder");
    say("three");
    finish();
    expect(await turn.ended).toMatchObject({ stopReason: "end_turn", agentConfirmed: true });
    expect(await restoring).toMatchObject({ status: "unavailable", reason: "refused" });
    expect(said(session).join("")).toBe("one two three");
    expect(session.state).toMatchObject({ closed: false, activity: { state: "idle" } });
    expect(heard(received)).toMatchObject([{ text: "one " }, { text: "two " }, { text: "three" }]);
  });

  test("defect B2: has the end of a turn that came meanwhile, and goes on with the next", async () => {
    const { agent, client, session, turn, say, finish, restore } = await openTurn(dialect);
    const restoring = client.restore("s-1", place);
    const call = await agent.call(restore);
    say("last words");
    finish();
    expect(await turn.ended).toMatchObject({ stopReason: "end_turn" });
    expect(session.state.activity.state).toBe("idle");
    agent.refuse(call, -32603, "the log is broken");
    await restoring;
    const next = session.prompt("again");
    const prompt = await agent.call("session/prompt");
    if (dialect === "v2") {
      agent.update("s-1", echo("u-2"), running);
      agent.answer(prompt, { messageId: "u-2" });
      agent.update("s-1", piece("more", "a-2"), idle("refusal"));
    } else {
      agent.send(RawAgent.update("s-1", piece("more", "a-2")), RawAgent.result(prompt, { stopReason: "refusal" }));
    }
    expect(await next.ended).toMatchObject({ stopReason: "refusal" });
    expect(said(session).join("")).toBe("last wordsmore");
  });

  test("defect B2: answers the questions of its turn itself, which stay open meanwhile", async () => {
    const { agent, client, session, restore } = await openTurn(dialect);
    const restoring = client.restore("s-1", place);
    const call = await agent.call(restore);
    if (dialect === "v1") agent.ask("q", "s-1");
    else ask(agent, "q");
    await settle(agent);
    agent.refuse(call, -32603, "no");
    await restoring;
    const [question] = session.state.pendingPermissions;
    session.answer(question?.requestId ?? "", { outcome: "selected", optionId: "yes" });
    const { result } = await agent.answerTo("q");
    expect(result).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
  });

  test("defect B2: is told once what came, also where two restores are refused one after the other", async () => {
    const { agent, client, session, turn, say, finish, received, restore } = await openTurn(dialect);
    for (const text of ["a", "b"]) {
      const restoring = client.restore("s-1", place);
      const call = await agent.call(restore);
      say(text);
      agent.refuse(call, -32603, "no");
      await restoring;
    }
    finish();
    await turn.ended;
    expect([said(session).join(""), heard(received).length]).toEqual(["ab", 2]);
  });

  test("defect B2: ends with the connection that is lost meanwhile, with nothing left open", async () => {
    const { agent, client, session, turn, say, restore } = await openTurn(dialect);
    const restoring = client.restore("s-1", place);
    await agent.call(restore);
    say("before the end");
    await settle(agent);
    await agent.close();
    expect(await restoring).toMatchObject({ status: "unavailable", reason: "ended" });
    await expect(turn.ended).rejects.toMatchObject({ code: "connection_closed" });
    expect(said(session).join("")).toBe("before the end");
    expect(session.state.closed).toBe(true);
  });

  test("defect B2: gives way to the restored one, which has the same, where the agent agrees", async () => {
    const { agent, client, session, turn, say, restore } = await openTurn(dialect);
    const restoring = client.restore("s-1", place);
    const call = await agent.call(restore);
    say("all of it");
    agent.answer(call, {});
    const again = await back(restoring);
    expect(said(again).join("")).toBe("all of it");
    expect(await turn.ended).toMatchObject({ stopReason: "cancelled", agentConfirmed: false });
    expect(session.state.closed).toBe(true);
  });
});

describe("an idle session whose restore is refused", () => {
  test("defect B2: holds late pieces of its turn, but nothing of a replay that was broken off", async () => {
    const { agent, client, session, prompt, restore } = await openTurn("v1");
    agent.say("s-1", "one ");
    agent.answer(prompt, { stopReason: "end_turn" });
    await settle(agent);
    const refused = async (...updates: object[]) => {
      const restoring = client.restore("s-1", place);
      const call = await agent.call(restore);
      agent.update("s-1", ...updates);
      await settle(agent);
      expect(said(session).join("")).toBe("one ");
      agent.refuse(call, -32603, "no");
      await restoring;
    };
    await refused({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "hi" } }, chunk("one "));
    expect(said(session).join("")).toBe("one ");
    await refused(chunk("two"));
    expect(said(session).join("")).toBe("one two");
  });

  test("defect B2: has new lists and titles at once", async () => {
    const { agent, client, session, prompt, restore } = await openTurn("v1");
    agent.answer(prompt, { stopReason: "end_turn" });
    void client.restore("s-1", place);
    await agent.call(restore);
    agent.update("s-1", { sessionUpdate: "session_info_update", title: "New" });
    await settle(agent);
    expect(session.state.title).toBe("New");
  });

  test("defect B2: keeps a bounded number of late updates, and reports the others", async () => {
    const { agent, client, session, prompt, diagnostics, restore } = await openTurn("v1");
    agent.answer(prompt, { stopReason: "end_turn" });
    const restoring = client.restore("s-1", place);
    const call = await agent.call(restore);
    for (let n = 0; n < 1_010; n++) agent.say("s-1", "x");
    await settle(agent);
    agent.refuse(call, -32603, "no");
    await restoring;
    expect(said(session).join("")).toHaveLength(1_000);
    expect(diagnostics).toMatchObject([{ code: "dropped", sessionId: "s-1", message: expect.stringMatching(/^10 /) }]);
  });
});

test("defect B2: pieces of earlier messages that a replay repeats during a turn stay apart", async () => {
  const { agent, client, session, turn, say, finish, restore } = await openTurn("v2");
  say("old ");
  finish();
  await turn.ended;
  const next = session.prompt("again");
  const prompt = await agent.call("session/prompt");
  agent.update("s-1", echo("u-2"), running, piece("new ", "a-2"));
  agent.answer(prompt, { messageId: "u-2" });
  const restoring = client.restore("s-1", place);
  const call = await agent.call(restore);
  agent.update("s-1", piece("old ", "a-1"), piece("newer", "a-2"));
  agent.refuse(call, -32603, "no");
  await restoring;
  expect(said(session).join("")).toBe("old new newer");
  expect(await isSettled(next.ended)).toBe(false);
});

describe("an idle session whose restore without a replay is refused", () => {
  async function openResuming(...before: [sessionId: string, update: object][]) {
    const opened = await openSession({}, { agentCapabilities: { sessionCapabilities: { resume: {} } } });
    const { agent, client, session } = opened;
    for (const [id, update] of before) agent.update(id, update);
    await settle(agent);
    const restoring = client.restore("s-1", place);
    const call = await agent.call("session/resume");
    const refuse = async () => {
      agent.refuse(call, -32603, "no");
      expect(await restoring).toMatchObject({ status: "unavailable" });
    };
    return { agent, session, refuse };
  }

  test.each([
    ["of a new session", []],
    ["after earlier messages", [chunk("one ")]],
  ])("defect B2: has updates at once, %s", async (_, before) => {
    const { agent, session, refuse } = await openResuming(...before.map((one): [string, object] => ["s-1", one]));
    const earlier = said(session).join("");
    agent.update("s-1", chunk("two "), { sessionUpdate: "user_message_chunk", content: { type: "text", text: "hi" } });
    await settle(agent);
    expect(said(session).join("")).toBe(`${earlier}two `);
    agent.say("s-1", "three");
    await refuse();
    expect(said(session).join("")).toBe(`${earlier}two three`);
  });

  test("defect B2: keeps the updates of a child session whose title changes", async () => {
    const kid = (title: string) => ({ sessionUpdate: "subagent_update", sessionId: "kid", title });
    const { agent, session, refuse } = await openResuming(["s-1", kid("Old")], ["kid", chunk("one ")]);
    agent.update("s-1", kid("New"));
    agent.say("kid", "two ");
    await refuse();
    agent.say("kid", "three");
    await settle(agent);
    expect(session.children.map((child) => [child.titles, said(child).join("")])).toEqual([[["New"], "one two three"]]);
  });
});
