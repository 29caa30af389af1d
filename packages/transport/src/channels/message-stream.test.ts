import { describe, expect, test } from "vitest";
import { collect, note } from "../../test/channel-contract.js";
import type { Message } from "../channel.js";
import { isAcpError } from "../errors.js";
import { createMemoryPair } from "./memory.js";
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

  describe("defect B12: a write to a channel that has closed rejects", () => {
    const refused = { code: "connection_closed", message: expect.stringMatching(/^The message was not sent: /) };

    test("by this side, by the other, or by itself", async () => {
      const [one] = createMemoryPair();
      const [two, far] = createMemoryPair();
      const [three] = createMemoryPair();
      const writers = [one, two, three].map((channel) => toMessageStream(channel).writable.getWriter());
      void one.close();
      void far.close();
      void three.close({ kind: "failed", message: "The pipe broke." });
      await Promise.all([one, two, three].map(({ closed }) => closed));
      for (const writer of writers) {
        await expect(writer.write(note(1))).rejects.toMatchObject(refused);
        await expect(writer.closed).rejects.toMatchObject(refused);
      }
    });

    test("in the same tick as the close", async () => {
      const [one] = createMemoryPair();
      const writer = toMessageStream(one).writable.getWriter();
      await writer.ready;
      void one.close();
      await expect(writer.write(note(1))).rejects.toMatchObject(refused);
    });

    test("while it waits for room", async () => {
      const [one] = createMemoryPair();
      const writer = toMessageStream(one).writable.getWriter();
      const writes = Array.from({ length: 100 }, (_, at) =>
        writer.write(note(at)).then(
          () => "written",
          (error) => error,
        ),
      );
      await tick();
      await one.close();
      const ends = await Promise.all(writes);
      expect(ends[0]).toBe("written");
      expect(ends.at(-1)).toMatchObject(refused);
    });

    test("when it is the one that overflows", async () => {
      const [one] = createMemoryPair();
      const writer = toMessageStream(one).writable.getWriter();
      const big = { jsonrpc: "2.0", method: "big", params: { text: "x".repeat(30 * 1024 * 1024) } } as const;
      one.send(big);
      one.send(big);
      await expect(writer.write(big)).rejects.toMatchObject({ reason: { kind: "overflow" } });
    });

    test("after the readable was cancelled, and after a close or an abort of the writable", async () => {
      const [one] = createMemoryPair();
      const { readable, writable } = toMessageStream(one);
      const writer = writable.getWriter();
      await readable.cancel();
      await expect(writer.write(note(1))).rejects.toMatchObject(refused);
      for (const end of ["close", "abort"] as const) {
        const [other] = createMemoryPair();
        const last = toMessageStream(other).writable.getWriter();
        await last[end](new Error("done"));
        await expect(Promise.resolve().then(() => last.write(note(1)))).rejects.toThrow();
      }
    });
  });

  test("what arrived before a bad end can be read before the error", async () => {
    const [one, two] = createMemoryPair();
    const reader = toMessageStream(one).readable.getReader();
    two.send(note(1));
    await tick();
    await one.close({ kind: "exit", message: "It died." });
    await tick();
    expect((await reader.read()).value).toEqual(note(1));
    await expect(reader.read()).rejects.toMatchObject({ code: "connection_closed" });
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
