import { messageText } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { idle } from "./draft-agent.js";
import { openIdle, openTurn } from "./open-turn.js";
import { back, chunk, isSettled, settle } from "./raw-agent.js";

const place = { cwd: "/work" };
const textsOf = ({ state }: Session) =>
  [...state.timeline].map((entry) => (entry.type === "message" ? `${entry.role}: ${messageText(entry)}` : entry.type));

describe.each(["v1", "v2", "seed"] as const)("a prompt beside a restore of %s", (dialect) => {
  const waits = dialect !== "v2";

  test("defect B2: that waits on this side is never sent once the session is restored", async () => {
    const { agent, client, session, turn, prompt, restore } = await openTurn(dialect);
    const second = session.prompt("two");
    const third = session.prompt("three");
    const restoring = client.restore("s-1", place);
    const call = await agent.call(restore);
    if (waits) agent.answer(prompt, { stopReason: "cancelled" });
    else agent.update("s-1", idle("cancelled"));
    expect(await turn.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    agent.answer(call, {});
    const restored = await back(restoring);
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(waits ? 1 : 3);
    const end = { stopReason: "cancelled", agentConfirmed: waits };
    expect(await Promise.all([second.ended, third.ended])).toEqual([end, end]);
    void restored.prompt("four");
    await settle(agent);
    expect(agent.received.filter(({ method }) => method === "session/prompt").at(-1)?.params.prompt).toMatchObject([
      { text: "four" },
    ]);
  });

  test("defect B2: of the open session is kept until the answer: sent after a refusal, else cancelled", async () => {
    const { agent, client, session, restore } = await openIdle(dialect);
    const refused = client.restore("s-1", place);
    const first = [session.prompt("one"), session.prompt("two")];
    const call = await agent.call(restore);
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(0);
    await first[0]?.cancel();
    agent.refuse(call, -32602, "not now");
    await refused;
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(1);
    expect(await isSettled(first[1]?.ended as Promise<unknown>)).toBe(false);
    void session.cancel();
    if (waits) agent.answer(await agent.call("session/prompt"), { stopReason: "cancelled" });
    else agent.refuse(await agent.call("session/prompt"), -32800, "cancelled");
    await first[1]?.ended;

    const agreed = client.restore("s-1", place);
    const late = session.prompt("three");
    agent.answer(await agent.call(restore), {});
    const restored = await back(agreed);
    expect(await late.ended).toEqual({ stopReason: "cancelled", agentConfirmed: true });
    expect(agent.count("session/prompt")).toBe(1);
    expect(restored.state.activity.state).toBe("idle");
  });

  test("defect B2: beyond a hundred that wait is refused, also during a restore", async () => {
    const { agent, client, session, restore } = await openIdle(dialect);
    const restoring = client.restore("s-1", place);
    const call = await agent.call(restore);
    for (let n = 0; n < 100; n++) session.prompt(`${n}`);
    expect(() => session.prompt("one too many")).toThrow(expect.objectContaining({ code: "too_many_requests" }));
    agent.refuse(call, -32602, "not now");
    await restoring;
    await settle(agent);
    expect(agent.count("session/prompt")).toBe(waits ? 1 : 100);
  });

  test("defect B2: that is on the wire is cancelled there, unless updates report its work", async () => {
    const { agent, client, turn, restore } = await openTurn(dialect);
    const restoring = client.restore("s-1", place);
    agent.answer(await agent.call(restore), {});
    await back(restoring);
    await settle(agent);
    expect(await turn.ended).toMatchObject({ stopReason: "cancelled", agentConfirmed: false });
    expect(agent.count("session/cancel")).toBe(waits ? 1 : 0);
  });

  test("defect B2: that waits is sent after a refused replay, of which the session has nothing", async () => {
    const { agent, client, session, say, prompt, restore } = await openTurn(dialect);
    say("answer");
    const second = session.prompt("two");
    const restoring = client.restore("s-1", place);
    const call = await agent.call(restore);
    if (waits) agent.answer(prompt, { stopReason: "cancelled" });
    else agent.update("s-1", idle("cancelled"));
    await settle(agent);
    const before = textsOf(session);
    if (dialect === "v1")
      agent.update("s-1", { sessionUpdate: "user_message_chunk", content: { type: "text", text: "hi" } });
    else
      agent.update("s-1", { sessionUpdate: "user_message", messageId: "u-1", content: [{ type: "text", text: "hi" }] });
    const text = { type: "text", text: "answer" };
    if (dialect === "v1") agent.update("s-1", chunk("answer"));
    else agent.update("s-1", { sessionUpdate: "agent_message", messageId: "a-1", content: [text] });
    agent.refuse(call, -32603, "not now");
    expect(await restoring).toMatchObject({ status: "unavailable" });
    await settle(agent);
    expect(textsOf(session)).toEqual([...before, ...(waits ? ["user: two"] : [])]);
    expect(agent.count("session/prompt")).toBe(2);
    expect(await isSettled(second.ended)).toBe(false);
  });
});
