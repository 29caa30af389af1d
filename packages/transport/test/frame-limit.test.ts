import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createByteStreamChannel, frameLimit } from "../src/channels/index.js";
import { createConnection } from "../src/index.js";
import { createStdioChannel } from "../src/node/index.js";

const longest = 33_554_432;

/** A message of so many bytes, with its line end. */
function line(bytes: number): Uint8Array {
  const message = (text: string) => JSON.stringify({ jsonrpc: "2.0", method: "m", params: { text } });
  return Buffer.from(`${message("x".repeat(bytes - message("").length))}\n`);
}

const channels = {
  stdio() {
    const input = new PassThrough();
    const channel = createStdioChannel({ input, output: new PassThrough() });
    return { channel, write: (bytes: Uint8Array) => void input.write(bytes) };
  },
  web() {
    let write = (_bytes: Uint8Array) => {};
    const readable = new ReadableStream<Uint8Array>({
      start(controller) {
        write = (bytes) => controller.enqueue(bytes);
      },
    });
    const channel = createByteStreamChannel({ readable, writable: new WritableStream() });
    return { channel, write: (bytes: Uint8Array) => write(bytes) };
  },
};

test.each(["stdio", "web"] as const)(
  "V1-STDIO-07, V2-TRA-04: unless said otherwise a line of 33554432 bytes passes (%s), one more ends the connection",
  async (name) => {
    expect(frameLimit).toBe(longest);
    const { channel, write } = channels[name]();
    const sizes: number[] = [];
    const route = () => ({ receive: (_params: unknown, { bytes }: { bytes: number }) => void sizes.push(bytes) });
    const connection = createConnection(channel, { route });
    const asked = connection.request("ask", {}).catch((error: unknown) => error);
    write(line(longest));
    write(line(longest + 1));
    expect((await connection.closed).kind).toBe("frame");
    expect(sizes).toEqual([longest]);
    expect(await asked).toMatchObject({ code: "connection_closed", reason: { kind: "frame" } });
  },
);
