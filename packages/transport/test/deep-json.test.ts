import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { createByteStreamChannel, createMemoryPair, createWebSocketChannel, parseLine } from "../src/channels/index.js";
import { type Channel, createConnection, type Message } from "../src/index.js";
import { createStdioChannel } from "../src/node/index.js";
import { collect, note } from "./channel-contract.js";
import { FakeSocket } from "./socket-pair.js";

/** A note with so many lists and objects inside of each other. */
const nested = (depth: number) =>
  `{"jsonrpc":"2.0","method":"note","params":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

/** 10 MB that took JSON.parse many seconds. */
const flood = `{"a":${"[".repeat(5_000_000)}${"]".repeat(5_000_000)}}`;

type Wire = { readonly channel: Channel; readonly sent: () => string; readonly receive: (text: string) => void };

const wires: Readonly<Record<string, () => Wire>> = {
  stdio() {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const channel = createStdioChannel({ input, output });
    let sent = "";
    output.on("data", (chunk: Uint8Array) => {
      sent += Buffer.from(chunk).toString();
    });
    return { channel, sent: () => sent, receive: (text) => void input.write(`${text}\n`) };
  },
  web() {
    let push = (_bytes: Uint8Array) => {};
    let sent = "";
    const readable = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (chunk) => controller.enqueue(chunk);
      },
    });
    const writable = new WritableStream<Uint8Array>({
      write(chunk) {
        sent += Buffer.from(chunk).toString();
      },
    });
    const channel = createByteStreamChannel({ readable, writable });
    return { channel, sent: () => sent, receive: (text) => push(Buffer.from(`${text}\n`)) };
  },
  socket() {
    const [near, far] = FakeSocket.pair();
    let sent = "";
    far.addEventListener("message", (event) => {
      sent += (event as unknown as { data: string }).data;
    });
    return { channel: createWebSocketChannel(near), sent: () => sent, receive: (text) => far.send(text) };
  },
};

describe.each(Object.keys(wires))("a message that is nested too deeply (%s)", (name) => {
  const open = () => (wires[name] as () => Wire)();

  test("is a line that cannot be parsed; later lines arrive", async () => {
    const { channel, receive } = open();
    const { messages, noise } = collect(channel);
    for (const text of [nested(1_000), nested(1_001), flood, JSON.stringify(note(1))]) receive(text);
    await messages.atLeast(2);
    expect(messages.items).toEqual([JSON.parse(nested(1_000)), note(1)]);
    expect(noise.items).toEqual([nested(1_001).slice(0, 200), flood.slice(0, 200)]);
  });

  test("is no faster way in the place of a text that differs", async () => {
    const { channel, receive } = open();
    const { messages, noise } = collect(channel);
    const line = (value: string) => `{"jsonrpc":"2.0","method":"note","params":{"n":1,"text":${value}}}`;
    for (const value of ['"a"', '"b"', '"c"', flood, '"d"']) receive(line(value));
    await messages.atLeast(4);
    expect(noise.items).toHaveLength(1);
    expect(messages.items.at(-1)).toEqual(note(1, "d"));
  });

  test("is not sent: the call fails, an answer becomes an error answer, and the connection stays", async () => {
    const { channel, sent, receive } = open();
    const deep = (JSON.parse(nested(1_001)) as { readonly params: object }).params;
    const connection = createConnection(channel, { route: () => ({ receive: () => deep }) });
    expect(await connection.request("ask", deep).catch((error: unknown) => error)).toMatchObject({
      code: "too_large",
      message: expect.stringContaining("ask was not sent: it has more than 1000 lists or objects inside of each other"),
    });
    receive('{"jsonrpc":"2.0","id":7,"method":"give"}');
    await vi.waitFor(() => expect(sent()).toContain('"id":7,"error":{"code":-32603'));
    expect(sent()).not.toContain("[[");
  });
});

test("brackets in texts, and lists beside each other, are no depth", () => {
  const values: unknown[] = [
    { text: "[{".repeat(2_000) },
    { text: `\\"${"[{".repeat(2_000)}\\` },
    { ['"['.repeat(2_000)]: "]" },
    { lists: Array(2_000).fill([]), last: [["\\\\"]] },
    { lists: Array(2_000).fill({ a: "\\", b: '"' }) },
  ];
  for (const value of values) expect(parseLine(JSON.stringify(value))).toEqual(value);
  expect(() => parseLine(`{"text":"\\\\","deep":${nested(1_000)}}`)).toThrow("more than 1000 lists or objects");
});

test("channels of objects have no text, and no bound of it", async () => {
  const [near, far] = createMemoryPair();
  const { messages } = collect(far);
  const deep = JSON.parse(nested(1_001)) as Message;
  near.send(deep);
  expect(await messages.atLeast(1)).toEqual([deep]);
});

test("a message that is deep and larger than 32 MiB is refused on a channel of objects too", () => {
  const [near] = createMemoryPair();
  const deep = { ...(JSON.parse(nested(1_001)) as object), text: "x".repeat(33 * 1024 * 1024) } as unknown as Message;
  expect(() => near.send(deep)).toThrow(expect.objectContaining({ code: "too_large" }));
});
