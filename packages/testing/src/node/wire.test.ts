import { createStdioChannel } from "@turnkit/transport/node";
import { expect, it } from "vitest";
import { createWire } from "./wire.js";

it("speaks in bare lines to whatever reads a stream", async () => {
  const { input, output, peer } = createWire();
  const got: unknown[] = [];
  const channel = createStdioChannel({ input, output });
  channel.start({ message: (message) => got.push(message), invalidLine: (sample) => got.push(sample) });
  peer.send({ method: "a" }, { id: 1, result: {} });
  peer.raw("no JSON\n");
  channel.send({ jsonrpc: "2.0", id: 7, method: "b" });
  channel.send({ jsonrpc: "2.0", id: 8, method: "b" });
  expect(await peer.call("b", 1)).toMatchObject({ id: 8 });
  expect(await peer.call("b")).toMatchObject({ id: 7 });
  const answer = peer.answer(3);
  channel.send({ jsonrpc: "2.0", id: 3, result: {} });
  expect(await answer).toMatchObject({ id: 3 });
  peer.end();
  await channel.closed;
  await peer.ended;
  expect(got).toEqual([{ jsonrpc: "2.0", method: "a" }, { jsonrpc: "2.0", id: 1, result: {} }, "no JSON"]);
  expect(peer.frames).toHaveLength(3);
});
