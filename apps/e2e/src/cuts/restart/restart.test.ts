import { expect, it } from "vitest";
import { restart } from "./restarts.js";

it("REM-42, REM-47: a server that is killed during a prompt and started again gives the session back, with the prompt once", async () => {
  const restarts = await Promise.all([0, 1, 2].map(restart));
  expect(restarts.map(({ wire, inserted, faults }) => ({ wire, inserted, faults }))).toEqual(
    ["http/1.1", "http/2", "websocket"].map((wire) => ({ wire, inserted: 1, faults: [] })),
  );
}, 60_000);
