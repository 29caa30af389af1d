import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { back, openSession, settle } from "./raw-agent.js";

/** Returns how many of the sessions are still in memory. */
async function kept(sessions: readonly WeakRef<Session>[]): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return sessions.filter((one) => one.deref() !== undefined).length;
}

test("defect B2: a session object that is kept keeps none of those that replaced it", async () => {
  const { agent, client, session } = await openSession();
  const replaced: WeakRef<Session>[] = [];
  for (let n = 0; n < 5; n++) {
    const restoring = client.restore("s-1", { cwd: "/work" });
    agent.answer(await agent.call("session/load"), {});
    replaced.push(new WeakRef(await back(restoring)));
  }
  // The newest is open.
  expect(await kept(replaced.slice(0, -2))).toBe(0);
  await expect(session.prompt("late").ended).rejects.toThrow("the session was restored");
});

const RESUMES = { agentCapabilities: { sessionCapabilities: { resume: {} } } };

test("defect B2: child sessions that go on after restores without a replay keep none of their earlier parents", async () => {
  const { agent, client } = await openSession({}, RESUMES);
  const replaced: WeakRef<Session>[] = [];
  for (let n = 0; n < 5; n++) {
    agent.update("s-1", { sessionUpdate: "subagent_update", sessionId: `kid-${n}`, state: { state: "running" } });
    agent.update(`kid-${n}`, { sessionUpdate: "subagent_update", sessionId: `grandkid-${n}` });
    const restoring = client.restore("s-1", { cwd: "/work" });
    agent.answer(await agent.call("session/resume"), {});
    const restored = await back(restoring);
    expect(restored.children).toHaveLength(n + 1);
    replaced.push(new WeakRef(restored));
  }
  expect(await kept(replaced.slice(0, -2))).toBe(0);
});

test("defect B2: child sessions that go on belong to the restored session alone", async () => {
  const { agent, client, session } = await openSession({}, RESUMES);
  agent.update("s-1", { sessionUpdate: "subagent_update", sessionId: "kid" });
  await settle(agent);
  const [kid] = session.children;
  const restoring = client.restore("s-1", { cwd: "/work" });
  agent.answer(await agent.call("session/resume"), {});
  const restored = await back(restoring);
  expect([kid?.parent === restored, restored.children, session.children]).toEqual([true, [kid], []]);
});
