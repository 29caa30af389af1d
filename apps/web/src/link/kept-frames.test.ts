import type { Channel } from "@turnkit/client";
import { createMemoryPair } from "@turnkit/transport/channels";
import { expect, it } from "vitest";
import { KeptFrames, MOST_BYTES, MOST_FRAMES } from "./kept-frames.js";

/** Channel of the page that is watched, and the other side. */
function watched() {
  const kept = new KeptFrames();
  const [ours, theirs] = createMemoryPair();
  const channel = kept.watch(ours as Channel);
  const got: unknown[] = [];
  channel.start({ message: (message) => void got.push(message), invalidLine() {} });
  theirs.start({ message() {}, invalidLine() {} });
  return { kept, channel, theirs, got };
}

it("frames of both directions are kept in their order, and pass unchanged", async () => {
  const { kept, channel, theirs, got } = watched();
  let changes = 0;
  const stop = kept.subscribe(() => {
    changes += 1;
  });
  channel.send({ jsonrpc: "2.0", id: 1, method: "a" });
  theirs.send({ jsonrpc: "2.0", id: 1, result: {} });
  await expect.poll(() => got.length).toBe(1);
  expect(kept.frames).toMatchObject([
    { direction: "sent", message: { method: "a" } },
    { direction: "received", message: { result: {} } },
  ]);
  expect(changes).toBe(2);
  stop();
  channel.send({ jsonrpc: "2.0", method: "b" });
  expect(changes).toBe(2);
  await channel.close();
});

it("a remark belongs to the newest frame of its method", () => {
  const { kept, channel } = watched();
  channel.send({ jsonrpc: "2.0", method: "a" });
  channel.send({ jsonrpc: "2.0", method: "b" });
  for (let count = 0; count < 20; count++) kept.note({ code: "dropped", message: "It was dropped.", method: "a" });
  const [a, b] = kept.frames;
  expect(a && kept.notesOf(a)).toHaveLength(10);
  expect(b && kept.notesOf(b)).toEqual([]);
  kept.note({ code: "dropped", message: "Of no frame.", method: "c" });
});

it("frames beyond the number are forgotten, the oldest first", () => {
  const { kept, channel } = watched();
  for (let count = 0; count <= MOST_FRAMES; count++) channel.send({ jsonrpc: "2.0", method: `m${count}` });
  expect(kept.frames.length).toBeLessThanOrEqual(MOST_FRAMES);
  expect(kept.forgotten + kept.frames.length).toBe(MOST_FRAMES + 1);
  expect(kept.frames.at(-1)).toMatchObject({ message: { method: `m${MOST_FRAMES}` } });
});

it("frames beyond the size are forgotten, but the newest is kept", () => {
  const { kept, channel } = watched();
  const params = { text: "x".repeat(MOST_BYTES / 4) };
  for (let count = 0; count < 5; count++) channel.send({ jsonrpc: "2.0", method: `m${count}`, params });
  expect(kept.frames.length).toBeLessThan(4);
  channel.send({ jsonrpc: "2.0", method: "large", params: { text: "x".repeat(MOST_BYTES + 1) } });
  expect(kept.frames).toMatchObject([{ message: { method: "large" } }]);
});
