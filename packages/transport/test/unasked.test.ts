import { expect, it } from "vitest";
import { open } from "./raw-peer.js";

it("a notification of a method that others ask for: what waits for its answer goes on when the route is done", async () => {
  const order: string[] = [];
  const signals = new Set<AbortSignal>();
  const { peer } = open({
    m: async (params, call) => {
      const { n, fails } = params as { n: number; fails?: boolean };
      call.afterResponse(() => order.push(`after ${n}`));
      signals.add(call.signal);
      await Promise.resolve();
      order.push(`done ${n}`);
      if (fails) throw new Error("no");
    },
    last: () => "last",
  });
  peer.send(
    { jsonrpc: "2.0", method: "m", params: { n: 1 } },
    { jsonrpc: "2.0", method: "m", params: { n: 2, fails: true } },
  );
  peer.request(0, "last");
  await peer.answerTo(0);
  await Promise.resolve();
  expect(order.filter((word) => word.endsWith("1"))).toEqual(["done 1", "after 1"]);
  expect(order.filter((word) => word.endsWith("2"))).toEqual(["done 2", "after 2"]);
  // Listeners on a signal that never fires must go with their call.
  expect(signals.size).toBe(2);
  expect(peer.received).toEqual([{ jsonrpc: "2.0", id: 0, result: "last" }]);
});
