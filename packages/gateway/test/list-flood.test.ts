import { createMemoryLog, type SessionLog } from "@turnkit/agent";
import { expect, it } from "vitest";
import { gatewayOf } from "./attached-clients.js";
import { createLatch } from "./latch.js";
import { RawClient } from "./raw-client.js";

it("defect G40: a client that sends many lists has one at a time, and others do not wait for it", async () => {
  const memory = createMemoryLog();
  const [first, release] = [createLatch(), createLatch()];
  let [begun, open, most] = [0, 0, 0];
  const log: SessionLog = {
    ...memory,
    async list(query) {
      begun += 1;
      open += 1;
      most = Math.max(most, open);
      first.open();
      await release.opened;
      open -= 1;
      return memory.list(query);
    },
  };
  const { gateway } = gatewayOf({}, { log: () => log });
  const clientOf = async (id: string, role?: "observer") => {
    const raw = new RawClient(gateway.open({ id, group: "all", ...(role && { role }) }));
    await raw.initialize(2);
    return raw;
  };
  const flooding = await clientOf("flooding", "observer");
  const lists = Array.from({ length: 50 }, () => flooding.request("session/list", {}));
  await first.opened;
  const other = await clientOf("other");
  const answer = other.request("session/list", {});
  await expect.poll(() => begun).toBe(2);
  release.open();
  expect((await answer).error).toBeUndefined();
  for (const { error } of await Promise.all(lists)) expect(error).toBeUndefined();
  expect([begun, most]).toEqual([51, 2]);
});
