import { type Channel, createConnection } from "@turnkit/transport";
import { expect, it } from "vitest";
import { connectPair } from "./connected-pair.js";
import { createBytePair } from "./faulty-bytes.js";
import { createRawPeer } from "./raw-peer.js";

const serve = (channel: Channel) =>
  createConnection(channel, { route: () => ({ receive: (params) => ({ echo: params }) }) });

it("joins both sides, whichever waits for the other, and writes down what they say", async () => {
  await using pair = await connectPair({
    async agent(channel) {
      const peer = createRawPeer(channel);
      peer.answer(await peer.call("hello"), { version: 1 });
      return peer;
    },
    async client(channel) {
      const connection = createConnection(channel);
      return { connection, version: await connection.request("hello", {}) };
    },
  });
  expect(pair.client.version).toEqual({ version: 1 });
  pair.transcript.expectExactly("client: hello", "agent: result of hello");
  expect(pair.agent.received).toHaveLength(1);
});

it.each([
  ["memory", undefined],
  ["bytes", createBytePair()],
] as const)("closes both ends together (%s)", async (_, channels) => {
  const pair = await connectPair({ channels, agent: serve, client: (channel) => createConnection(channel) });
  expect(await pair.client.request("a", { n: 1 })).toEqual({ echo: { n: 1 } });
  await pair.close();
  await Promise.all([pair.agentEnd.closed, pair.clientEnd.closed, pair.client.closed, pair.agent.closed]);
  await pair.close();
});

it("disposes the client before the agent, in whatever way they can be", async () => {
  const order: string[] = [];
  const pair = await connectPair({
    agent: () => ({ [Symbol.dispose]: () => order.push("agent") }),
    client: () => ({ [Symbol.asyncDispose]: async () => order.push("client") }),
  });
  await pair.close();
  expect(order).toEqual(["client", "agent"]);
});

it("closes both ends where one side cannot start or be disposed of, and says why", async () => {
  const ends: Channel[] = [];
  const failing = connectPair({
    agent: (channel) => void ends.push(channel),
    client(channel) {
      ends.push(channel);
      throw new Error("no client today");
    },
  });
  await expect(failing).rejects.toThrow("no client today");
  await Promise.all(ends.map(({ closed }) => closed));
  const pair = await connectPair({
    agent: () => undefined,
    client: () => ({ [Symbol.asyncDispose]: () => Promise.reject(new Error("stuck")) }),
  });
  await expect(pair.close()).rejects.toThrow("stuck");
  await Promise.all([pair.agentEnd.closed, pair.clientEnd.closed]);
});
