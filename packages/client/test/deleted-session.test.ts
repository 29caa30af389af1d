import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../src/index.js";
import { ask, echo, NOW, openDraftSession, running, SEED } from "./draft-agent.js";
import { back, CAPABLE, newSession, open, settle } from "./raw-agent.js";

type Dialect = "v1" | "v2" | "seed";

/** A session with an agent of each dialect that can delete it. */
async function openDeletable(dialect: Dialect) {
  const received: SessionEvent[] = [];
  const onEvent = (event: SessionEvent) => void received.push(event);
  if (dialect !== "v1") return { ...(await openDraftSession(dialect === "v2" ? NOW : SEED, {}, onEvent)), received };
  const sessionCapabilities = { ...CAPABLE.sessionCapabilities, delete: {} };
  const opened = await open({}, { agentCapabilities: { ...CAPABLE, sessionCapabilities } });
  return { ...opened, session: await newSession(opened, "s-1", onEvent), received };
}

describe.each<Dialect>(["v1", "v2", "seed"])("an open session of %s that is deleted", (dialect) => {
  test("defect B12: is closed with the answer, and takes no prompts any more", async () => {
    const { agent, client, session, received } = await openDeletable(dialect);
    const deleting = client.deleteSession("s-1");
    const call = await agent.call("session/delete");
    expect(session.state.closed).toBe(false);
    agent.answer(call, {});
    await deleting;
    expect(session.state.closed).toBe(true);
    expect(received.at(-1)).toMatchObject({ type: "session_closed", reason: "the session was deleted" });
    await expect(session.prompt("hi").ended).rejects.toMatchObject({ code: "state" });
    await session.close();
    expect([agent.count("session/prompt"), agent.count("session/close")]).toEqual([0, 0]);
  });

  test("defect B12: settles its running turn and its open question", async () => {
    const { agent, client, session } = await openDeletable(dialect);
    const turn = session.prompt("hi");
    const prompt = await agent.call("session/prompt");
    if (dialect === "v2") {
      agent.update("s-1", echo("u-1"), running);
      agent.answer(prompt, { messageId: "u-1" });
    }
    if (dialect === "v1") agent.ask("q", "s-1");
    else ask(agent, "q");
    await settle(agent);
    expect(session.state.pendingPermissions).toHaveLength(1);
    const deleting = client.deleteSession("s-1");
    agent.answer(await agent.call("session/delete"), {});
    await deleting;
    expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: false });
    expect((await agent.answerTo("q")).result).toEqual({ outcome: { outcome: "cancelled" } });
    expect(session.state).toMatchObject({ closed: true, pendingPermissions: [] });
  });

  test("defect B12: stays as it is where the agent refuses", async () => {
    const { agent, client, session, received } = await openDeletable(dialect);
    const before = session.state;
    const deleting = client.deleteSession("s-1");
    agent.refuse(await agent.call("session/delete"), -32600, "the session is open elsewhere");
    await expect(deleting).rejects.toMatchObject({ code: -32600 });
    expect([session.state, received.length]).toEqual([before, 1]);
    session.prompt("hi");
    await agent.call("session/prompt");
  });

  test("defect B12: is closed by two deletes once, also where the agent knows it no more", async () => {
    const { agent, client, session, received } = await openDeletable(dialect);
    const both = [client.deleteSession("s-1"), client.deleteSession("s-1")];
    const first = await agent.call("session/delete");
    agent.refuse(await agent.call("session/delete"), -32002, "Resource not found");
    agent.answer(first, {});
    await Promise.all(both);
    expect(session.state.closed).toBe(true);
    expect(received.filter(({ type }) => type === "session_closed")).toHaveLength(1);
  });

  test("defect B12: leaves a restore that follows to its answer", async () => {
    const { agent, client, session } = await openDeletable(dialect);
    const deleting = client.deleteSession("s-1");
    const restoring = client.restore("s-1", { cwd: "/work" });
    const call = await agent.call(dialect === "v2" ? "session/resume" : "session/load");
    agent.answer(await agent.call("session/delete"), {});
    agent.answer(call, {});
    await deleting;
    const again = await back(restoring);
    expect([session.state.closed, again.state.closed]).toEqual([true, false]);
  });
});
