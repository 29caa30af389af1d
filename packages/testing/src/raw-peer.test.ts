import { createConnection, RpcError } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, it } from "vitest";
import { isExpectationError } from "./expectation-error.js";
import { createRawPeer } from "./raw-peer.js";

function open(options = {}) {
  const [channel, end] = createMemoryPair();
  return { peer: createRawPeer(end, options), channel };
}

/** A raw peer at the other end of a real connection that knows two methods. */
function connected() {
  const { peer, channel } = open();
  const connection = createConnection(channel, {
    route: (method) => {
      if (method === "add") return { receive: ({ a, b }) => ({ sum: a + b }) };
      if (method !== "fail") return undefined;
      return {
        receive() {
          throw RpcError.invalidParams("no");
        },
      };
    },
  });
  return { peer, connection };
}

it("asks, and gets the whole answer, an error too", async () => {
  const { peer } = connected();
  expect(await peer.request("add", { a: 1, b: 2 })).toEqual({ jsonrpc: "2.0", id: 1, result: { sum: 3 } });
  expect(await peer.request("fail", {})).toMatchObject({ id: 2, error: { code: -32602 } });
});

it("waits for calls and answers them", async () => {
  const { peer, connection } = connected();
  const asked = connection.request("who", { name: "a" });
  const refused = connection.request("who", { name: "b" });
  const [first, second] = [await peer.call("who"), await peer.call("who")];
  expect([first.params, second.params]).toEqual([{ name: "a" }, { name: "b" }]);
  peer.refuse(second, { code: -32000, message: "log in" });
  peer.answer(first, { ok: true });
  expect(await asked).toEqual({ ok: true });
  await expect(refused).rejects.toMatchObject({ code: -32000 });
});

it("one frame is given to one wait", async () => {
  const { peer, channel } = open();
  const waits = [peer.call("a"), peer.call("a")];
  channel.send({ jsonrpc: "2.0", method: "a", params: { n: 1 } });
  channel.send({ jsonrpc: "2.0", method: "a", params: { n: 2 } });
  expect((await Promise.all(waits)).map(({ params }) => params.n)).toEqual([1, 2]);
});

it("a frame that a listener took at its receipt is given to no wait", async () => {
  const { peer, channel } = open();
  const taken: unknown[] = [];
  const stop = peer.onFrame(async () => {
    stop();
    taken.push((await peer.call("a")).params);
  });
  const wait = peer.next(() => true);
  channel.send({ jsonrpc: "2.0", method: "a", params: { n: 1 } });
  channel.send({ jsonrpc: "2.0", method: "a", params: { n: 2 } });
  expect((await wait).params).toEqual({ n: 2 });
  expect(taken).toEqual([{ n: 1 }]);
});

it("sends what it is given, also what is no message, and keeps what came", async () => {
  const { peer, channel } = open();
  const seen: unknown[] = [];
  channel.start({ message: (message) => seen.push(message), invalidLine: () => {} });
  peer.send({ method: "a" }, { jsonrpc: "1.0" }, [1], 7);
  channel.send([2] as never);
  await peer.next((frame) => "notAMessage" in frame);
  expect(seen).toEqual([{ jsonrpc: "2.0", method: "a" }, { jsonrpc: "1.0" }, [1], 7]);
  expect(peer.received).toEqual([{ notAMessage: [2] }]);
});

it("a wait for what never comes ends by patience, and says what came instead", async () => {
  const { peer, channel } = open({ patienceMs: 1 });
  channel.send({ jsonrpc: "2.0", method: "session/update", params: { update: { sessionUpdate: "plan" } } });
  const error = await peer.call("session/prompt").catch((cause: unknown) => cause);
  expect(isExpectationError(error, "timeout")).toBe(true);
  expect(error).toMatchObject({ message: "expected session/prompt within 1 ms, got session/update plan" });
  // It is over: what comes later is for the next one.
  channel.send({ jsonrpc: "2.0", method: "session/prompt" });
  expect(await peer.call("session/prompt")).toMatchObject({ method: "session/prompt" });
});

it("waits end with the channel, those that come later too", async () => {
  const { peer, channel } = open();
  const wait = peer.answerTo(3);
  await channel.close();
  await expect(wait).rejects.toMatchObject({ code: "closed", expected: "the answer to #3" });
  await expect(peer.call("a")).rejects.toMatchObject({ code: "closed" });
  expect((await peer.closed).kind).toBe("remote");
});

it("keeps so many frames and no more", async () => {
  const { peer, channel } = open({ limit: 3 });
  for (let n = 0; n < 4; n++) channel.send({ jsonrpc: "2.0", method: "a" });
  expect(await peer.closed).toMatchObject({ kind: "overflow", message: expect.stringContaining("more than 3 frames") });
  expect(peer.received).toHaveLength(3);
});
