import { describe, expect, test } from "vitest";
import { collect, note } from "../test/channel-contract.js";
import { isAcpError } from "./errors.js";
import { createMemoryPair } from "./memory.js";
import type { Message } from "./message.js";
import { createMessageStreamChannel, toMessageStream } from "./message-stream.js";

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("toMessageStream", () => {
  test("reads and writes, and ends with the channel", async () => {
    const [one, two] = createMemoryPair();
    const far = collect(two);
    const { readable, writable } = toMessageStream(one);
    const writer = writable.getWriter();
    await writer.write(note(1));
    two.send(note(2));
    two.send(note(3));
    const seen: Message[] = [];
    const reading = (async () => {
      for await (const message of readable) seen.push(message);
    })();
    await two.close();
    await reading;
    expect(seen).toEqual([note(2), note(3)]);
    expect(far.messages.items).toEqual([note(1)]);
  });

  test("an unread stream pauses the channel", async () => {
    const [one, two] = createMemoryPair();
    const { readable } = toMessageStream(one);
    let room: Promise<void> | undefined;
    let sent = 0;
    while (!room) room = two.send(note(sent++));
    await tick();
    // The stream took what it asked for, and no more.
    expect(two.send(note(sent++))).toBeInstanceOf(Promise);
    const reader = readable.getReader();
    for (let i = 0; i < sent; i++) expect((await reader.read()).value).toEqual(note(i));
    await room;
  });

  test("a write waits for room", async () => {
    const [one, two] = createMemoryPair();
    const writer = toMessageStream(one).writable.getWriter();
    let written = 0;
    const writing = (async () => {
      for (let i = 0; i < 200; i++) {
        await writer.write(note(i));
        written++;
      }
    })();
    await tick();
    expect(written).toBeLessThan(70);
    const got = collect(two);
    await writing;
    expect(await got.messages.atLeast(200)).toHaveLength(200);
  });

  test("closing the writable and cancelling the readable close the channel", async () => {
    const [one] = createMemoryPair();
    await toMessageStream(one).writable.close();
    expect((await one.closed).kind).toBe("local");
    const [other] = createMemoryPair();
    await toMessageStream(other).readable.cancel();
    expect((await other.closed).kind).toBe("local");
  });

  test("a bad end is an error of the readable", async () => {
    const [one] = createMemoryPair();
    const reader = toMessageStream(one).readable.getReader();
    void one.close({ kind: "frame", message: "Too long." });
    const error = await reader.read().catch((error: unknown) => error);
    expect(isAcpError(error, "connection_closed")).toBe(true);
  });
});

test("a stream that fails closes the channel as failed", async () => {
  const readable = new ReadableStream({ start: (controller) => controller.error(new Error("torn")) });
  const channel = createMessageStreamChannel({ readable, writable: new WritableStream() });
  collect(channel);
  expect(await channel.closed).toMatchObject({ kind: "failed", message: expect.stringContaining("torn") });

  const writable = new WritableStream<Message>({ write: () => Promise.reject(new Error("broken")) });
  const other = createMessageStreamChannel({ readable: new ReadableStream(), writable });
  collect(other);
  other.send(note(1));
  expect(await other.closed).toMatchObject({ kind: "failed", message: expect.stringContaining("broken") });
});
