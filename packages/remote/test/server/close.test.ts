import type { Diagnostic } from "@turnkit/transport";
import { expect, it } from "vitest";
import { Stage } from "./raw-client.js";

it("REM-54: close waits for agents until closeMs, and reports those that have not ended", async () => {
  const reports: Diagnostic[] = [];
  const stage = await Stage.connected({ limits: { closeMs: 20 }, onDiagnostic: (report) => reports.push(report) });
  stage.agent.endless = true;
  await stage.initialize();
  await stage.server.close();
  expect(stage.agent.sides.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  expect(reports).toMatchObject([{ code: "handler_failed", message: "1 agent did not end within 20 ms after close." }]);
});
