import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { collect, note } from "../../test/channel-contract.js";
import { FakeSocket } from "../../test/socket-pair.js";
import type { Channel } from "../channel.js";
import { createStdioChannel } from "../node/stdio.js";
import { createByteStreamChannel } from "./byte-stream.js";
import { createMessageStreamChannel } from "./message-stream.js";
import { createWebSocketChannel } from "./web-socket.js";

const webStreams = () => ({ readable: new ReadableStream(), writable: new WritableStream() });

describe("defect N155: a source with an open channel gets no second one, which would read the answers to the first", () => {
  test.each<[string, () => () => Channel, RegExp]>([
    [
      "a WebSocket",
      () => {
        const [socket] = FakeSocket.pair();
        return () => createWebSocketChannel(socket);
      },
      /^The WebSocket has a channel already/,
    ],
    [
      "an input of Node",
      () => {
        const input = new PassThrough();
        return () => createStdioChannel({ input, output: new PassThrough() });
      },
      /^The input has a channel already/,
    ],
    [
      "streams of bytes",
      () => {
        const streams = webStreams();
        return () => createByteStreamChannel(streams);
      },
      /got locked streams: something else reads or writes them\./,
    ],
    [
      "streams of messages",
      () => {
        const streams = webStreams();
        return () => createMessageStreamChannel(streams);
      },
      /got locked streams: something else reads or writes them\./,
    ],
  ])("%s", (_, source, message) => {
    const make = source();
    make();
    expect(make).toThrow(message);
  });

  test("but may have one after the first is closed", async () => {
    const input = new PassThrough();
    const make = () => createStdioChannel({ input, output: new PassThrough() });
    await make().close();
    expect(make).not.toThrow();
  });
});

test("defect N156: a stream of texts in place of bytes closes the channel with the advice", async () => {
  const readable = new ReadableStream({
    start: (controller) => controller.enqueue(`${JSON.stringify(note(1))}\n`),
  });
  const channel = createByteStreamChannel({ readable, writable: new WritableStream() });
  collect(channel);
  expect((await channel.closed).message).toContain("pass streams of bytes, without a TextDecoderStream");
});
