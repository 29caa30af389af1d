import { expect, test } from "vitest";
import { open } from "./raw-peer.js";

test("requests without an id count as open requests; beyond the bound they are dropped, reported once per burst", async () => {
  const waiting: (() => void)[] = [];
  const received: unknown[] = [];
  const { peer, diagnostics } = open(
    {
      slow: () => new Promise<void>((resolve) => waiting.push(resolve)),
      quick: ({ n }: { n: number }) => void received.push(n),
      ping: () => "pong",
    },
    { limits: { incomingRequests: 3 } },
  );
  const burst = () => peer.send(...Array.from({ length: 10 }, () => ({ jsonrpc: "2.0", method: "slow", params: {} })));
  burst();
  peer.send({ jsonrpc: "2.0", method: "quick", params: { n: 1 } });
  peer.request(1, "ping");
  expect(await peer.answerTo(1)).toMatchObject({ error: { code: -32603 } });
  expect(waiting).toHaveLength(3);
  expect(received).toEqual([1]);
  expect(diagnostics).toMatchObject([{ code: "too_many_requests", method: "slow" }]);
  for (const end of waiting.splice(0)) end();
  await new Promise(setImmediate);
  peer.request(2, "ping");
  expect(await peer.answerTo(2)).toMatchObject({ result: "pong" });
  burst();
  peer.request(3, "ping");
  await peer.answerTo(3);
  expect(waiting).toHaveLength(3);
  expect(diagnostics.map(({ code }) => code)).toEqual(["too_many_requests", "too_many_requests"]);
});
