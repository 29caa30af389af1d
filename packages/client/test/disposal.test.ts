import { expect, test } from "vitest";
import { CAPABLE, open, openSession } from "./raw-agent.js";

const closing = { agentCapabilities: CAPABLE };

test("defect F12: `await using` closes a session, then its client", async () => {
  const { agent, client } = await open({}, closing);
  const use = async () => {
    await using connected = client;
    const opening = connected.newSession({ cwd: "/work" });
    agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    await using session = await opening;
    return session;
  };
  const used = use();
  const call = await agent.call("session/close");
  expect(call.params).toEqual({ sessionId: "s-1" });
  agent.answer(call, {});
  await expect((await used).prompt("x").ended).rejects.toThrow("closed by this side");
  expect(await client.closed).toMatchObject({ kind: "local" });
});

test("defect F12: `await using` of a session that has already ended sends nothing", async () => {
  const { agent, client, session } = await openSession({}, closing);
  const first = session.close();
  agent.answer(await agent.call("session/close"), {});
  await first;
  await session[Symbol.asyncDispose]();
  await client.close();
  expect(agent.count("session/close")).toBe(1);
});

test("defect F12: the error of a block stays visible if the agent refuses the close", async () => {
  const { agent, session } = await openSession({}, closing);
  const use = async () => {
    await using _closed = session;
    throw new Error("the cause");
  };
  const used = use().catch((error: unknown) => error);
  agent.refuse(await agent.call("session/close"), -32603, "not now");
  expect(await used).toMatchObject({ suppressed: { message: "the cause" }, error: { code: -32603 } });
});
