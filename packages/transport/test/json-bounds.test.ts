import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { createByteStreamChannel, createMemoryPair, createWebSocketChannel, parseLine } from "../src/channels/index.js";
import { type Channel, createConnection, type Diagnostic, type Message } from "../src/index.js";
import { createStdioChannel } from "../src/node/index.js";
import { collect, note } from "./channel-contract.js";
import { FakeSocket } from "./socket-pair.js";

/** A note with so many lists and objects inside of each other. */
const nested = (depth: number) =>
  `{"jsonrpc":"2.0","method":"note","params":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

/** 10 MB that took JSON.parse many seconds. */
const flood = `{"a":${"[".repeat(5_000_000)}${"]".repeat(5_000_000)}}`;

/** A note that contains so many values: itself, its three members, the list, and the numbers in it. */
const manyValues = (count: number) => `{"jsonrpc":"2.0","method":"note","params":{"n":[0${",0".repeat(count - 6)}]}}`;

/** 16 MB that took JSON.parse 2 to 8 seconds. */
const manyLists = `{"jsonrpc":"2.0","method":"note","params":{"n":[${"[],".repeat(5_500_000)}[]]}}`;

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

describe.each(Object.keys(wires))("defect M11: a message with too many values (%s)", (name) => {
  const open = () => (wires[name] as () => Wire)();

  test("is a line that cannot be parsed, with the bound and the remedy; later lines arrive", async () => {
    const { channel, receive } = open();
    const { messages, noise, faults } = collect(channel);
    for (const text of [manyValues(200_000), manyValues(200_001), manyLists, JSON.stringify(note(1))]) receive(text);
    await messages.atLeast(2);
    // A comparison of such messages would take long to fail.
    expect(messages.items.map((item) => JSON.stringify(item).length)).toEqual(
      [manyValues(200_000), JSON.stringify(note(1))].map(({ length }) => length),
    );
    expect(noise.items).toEqual([manyValues(200_001).slice(0, 200), manyLists.slice(0, 200)]);
    expect(faults.items).toEqual(Array(2).fill("it has more than 200000 values. Send fewer, or a text in their place"));
  });

  test("is reported and answered with the bound and the remedy, and the connection stays", async () => {
    const { channel, sent, receive } = open();
    const reports: string[] = [];
    const onDiagnostic = ({ message }: Diagnostic) => reports.push(message);
    createConnection(channel, { route: () => ({ receive: () => ({}) }), invalidLines: "answer", onDiagnostic });
    for (const text of [manyValues(200_001), nested(1_001)]) receive(text);
    receive('{"jsonrpc":"2.0","id":7,"method":"give"}');
    await vi.waitFor(() => expect(sent()).toContain('"id":7,"result":{}'));
    const remedies = [
      "it has more than 200000 values. Send fewer, or a text in their place",
      "it has more than 1000 lists or objects inside of each other. Send fewer, or a text in their place",
    ];
    expect(reports).toEqual(
      remedies.map(
        (remedy) => `The peer wrote a line that was not parsed: ${remedy}. (a part of a message, not shown)`,
      ),
    );
    for (const remedy of remedies) expect(sent()).toContain(`"code":-32700,"message":"Parse error: ${remedy}"`);
  });

  test("is not sent: the call fails, an answer becomes an error answer, and the connection stays", async () => {
    const { channel, sent, receive } = open();
    const { params } = JSON.parse(manyValues(199_002)) as { readonly params: object };
    const connection = createConnection(channel, { route: () => ({ receive: () => params }) });
    expect(await connection.request("ask", params).catch((error: unknown) => error)).toMatchObject({
      code: "too_large",
      message: "ask was not sent: it has more than 199000 values. Send fewer, or a text in their place.",
    });
    receive('{"jsonrpc":"2.0","id":7,"method":"give"}');
    await vi.waitFor(() => expect(sent()).toContain('"id":7,"error":{"code":-32603'));
    expect(sent()).not.toContain("0,0");
  });
});

test("defect M11: commas and brackets in texts are no values, and empty lists count once", () => {
  const values: unknown[] = [
    { text: ",[{".repeat(200_000) },
    { text: `\\"${",".repeat(500_000)}\\` },
    { [",".repeat(500_000)]: "," },
    Array(199_999).fill([]),
    Array(199_999).fill({}),
    Array(66_666).fill({ first: 1, second: "," }),
  ];
  for (const value of values) expect(() => parseLine(JSON.stringify(value))).not.toThrow();
  for (const value of [
    Array(200_000).fill([]),
    Array(66_667).fill({ first: [], second: {} }),
    Array(100_000).fill([0]),
  ])
    expect(() => parseLine(JSON.stringify(value))).toThrow("more than 200000 values");
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
