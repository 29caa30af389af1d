import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { back, openSession } from "./raw-agent.js";

test("defect B2: a session object that is kept keeps none of those that replaced it", async () => {
  const { agent, client, session } = await openSession();
  const replaced: WeakRef<Session>[] = [];
  for (let n = 0; n < 5; n++) {
    const restoring = client.restore("s-1", { cwd: "/work" });
    agent.answer(await agent.call("session/load"), {});
    replaced.push(new WeakRef(await back(restoring)));
  }
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  // The newest is open.
  expect(replaced.slice(0, -2).filter((one) => one.deref() !== undefined)).toEqual([]);
  await expect(session.prompt("late").ended).rejects.toThrow("the session was restored");
});
