import { expect, test } from "vitest";
import { collect, note } from "../../test/channel-contract.js";
import { createByteStreamChannel } from "./byte-stream.js";

test("what one tick sends is one write", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const channel = createByteStreamChannel({ readable: new ReadableStream(), writable });
  for (let i = 0; i < 10; i++) channel.send(note(i));
  const { value } = await readable.getReader().read();
  expect(new TextDecoder().decode(value).split("\n")).toHaveLength(11);
});

test("too much unsent closes it as overflow", async () => {
  const { writable } = new TransformStream<Uint8Array, Uint8Array>();
  const streams = { readable: new ReadableStream<Uint8Array>(), writable };
  const channel = createByteStreamChannel(streams, { unsent: 10_000, highWater: 1000 });
  let room: Promise<void> | undefined;
  for (let i = 0; i < 12; i++) room = channel.send(note(i, "x".repeat(1000))) ?? room;
  expect((await channel.closed).kind).toBe("overflow");
  await room;
  await channel.close();
});

test("a stream that fails closes the channel as failed, and nothing is rejected unseen", async () => {
  const readable = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("torn")) });
  const channel = createByteStreamChannel({ readable, writable: new WritableStream() });
  collect(channel);
  expect(await channel.closed).toMatchObject({ kind: "failed", message: expect.stringContaining("torn") });

  const writable = new WritableStream<Uint8Array>({ write: () => Promise.reject(new Error("broken")) });
  const other = createByteStreamChannel({ readable: new ReadableStream(), writable });
  collect(other);
  other.send(note(1));
  expect(await other.closed).toMatchObject({ kind: "failed", message: expect.stringContaining("broken") });
  await other.close();
});
