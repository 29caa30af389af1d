import { expect, it, onTestFinished } from "vitest";
import { besiege } from "./siege.js";
import { liveMemory, startSiegeServer } from "./siege-server.js";

it("REM-20 to REM-24: slow, silent, large and forged requests have the stated outcomes, and others are served meanwhile", async () => {
  const times = { headerMs: 400, bodyMs: 2_000 };
  const server = await startSiegeServer(times);
  onTestFinished(() => server.close());
  const memory = async () => liveMemory();
  const scale = { ...times, slow: 20, idle: 100, streams: 30, connections: 2, requests: 50 };
  const outcomes = await besiege({ port: server.port, memory }, scale);
  expect(outcomes.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual(
    outcomes.map(({ name, expected }) => `${name}: ${expected}`),
  );
}, 60_000);
