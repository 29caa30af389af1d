import type { Client } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { createMcpConnection } from "./connection.js";

it("defect R8: a server that reports changes without end is asked for its tools once a second", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let changed = () => undefined as unknown;
  const listTools = vi.fn(async () => ({ tools: [] }));
  const client = {
    getInstructions: () => undefined,
    getServerCapabilities: () => ({ tools: {} }),
    setNotificationHandler: (_method: string, handler: () => void) => {
      changed = handler;
    },
    listTools,
  };
  const connection = createMcpConnection(
    { type: "http", name: "s", url: "http://s", headers: [] },
    client as unknown as Client,
    async () => undefined,
  );
  for (let count = 0; count < 300; count += 1) {
    changed();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(listTools.mock.calls.length).toBeGreaterThan(1);
  expect(listTools.mock.calls.length).toBeLessThan(5);
  await vi.advanceTimersByTimeAsync(2_000);
  const calls = listTools.mock.calls.length;
  changed();
  expect(listTools).toHaveBeenCalledTimes(calls + 1);
  changed();
  await connection.close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(listTools).toHaveBeenCalledTimes(calls + 1);
});
