import { expect, test } from "vitest";
import { idle, openDraftSession } from "./draft-agent.js";

test("a close that is sent during a restore also ends the restored session, which the agent has closed", async () => {
  const { agent, client, session } = await openDraftSession();
  const restoring = client.restore("s-1", { cwd: "/work" });
  const resume = await agent.call("session/resume");
  const closing = session.close();
  const close = await agent.call("session/close");
  agent.update("s-1", { sessionUpdate: "replay_complete" }, idle());
  agent.answer(resume, {});
  // An agent answers in this order, so it has closed the session that it restored.
  agent.answer(close, {});
  await closing;
  const outcome = await restoring;
  if (outcome.status !== "unavailable") expect(outcome.session.state.closed).toBe(true);
});

// C2
