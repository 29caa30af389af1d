import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { type AgentSession, createMemoryLog } from "../src/index.js";
import { openAs, v2Hello } from "./raw-client.js";

test("sessions that a restore replaced leave nothing in memory, while the session goes on", async () => {
  let newest: AgentSession | undefined;
  const { client, sessionId } = await openAs(v2Hello, {
    log: createMemoryLog(),
    newSession: (_, session) => {
      newest = session;
      return undefined;
    },
  });
  // Each session has its own signal.
  const signals: WeakRef<AbortSignal>[] = [];
  for (let n = 0; n < 5; n++) {
    await client.result("session/resume", { sessionId, cwd: "/work", replayFrom: { type: "start" } });
    signals.push(new WeakRef((newest as AgentSession).signal));
  }
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  // The newest is open.
  expect(signals.slice(0, -2).filter((one) => one.deref() !== undefined)).toEqual([]);
});
