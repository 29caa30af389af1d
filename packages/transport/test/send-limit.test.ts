import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import {
  createByteStreamChannel,
  createMemoryPair,
  createMessageStreamChannel,
  createWebSocketChannel,
  type WebSocketLike,
} from "../src/channels/index.js";
import { type Channel, createConnection, type Message } from "../src/index.js";
import { createStdioChannel } from "../src/node/index.js";

// Megabytes are written and read here, on whatever machine.
vi.setConfig({ testTimeout: 30_000 });

const longest = 33_554_432;

type Wire = { readonly channel: Channel; readonly receive: (message: object) => void; readonly sent: () => number };

/** Channels that count the bytes of what leaves, line ends included. */
const wires: Readonly<Record<string, (message?: number) => Wire>> = {
  stdio(message) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let bytes = 0;
    output.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
    });
    const channel = createStdioChannel({ input, output, ...(message && { limits: { message } }) });
    return { channel, sent: () => bytes, receive: (one) => void input.write(`${JSON.stringify(one)}\n`) };
  },
  web(message) {
    let bytes = 0;
    let push = (_bytes: Uint8Array) => {};
    const readable = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (chunk) => controller.enqueue(chunk);
      },
    });
    const writable = new WritableStream<Uint8Array>({
      write(chunk) {
        bytes += chunk.length;
      },
    });
    const channel = createByteStreamChannel({ readable, writable }, { ...(message && { message }) });
    return { channel, sent: () => bytes, receive: (one) => push(Buffer.from(`${JSON.stringify(one)}\n`)) };
  },
  socket(message) {
    let bytes = 0;
    let hear = (_event: unknown) => {};
    const socket: WebSocketLike = {
      readyState: 1,
      bufferedAmount: 0,
      send(text) {
        bytes += Buffer.byteLength(text) + 1;
      },
      close() {},
      addEventListener(type, listener) {
        if (type === "message") hear = listener;
      },
      removeEventListener() {},
    };
    const channel = createWebSocketChannel(socket, { ...(message && { message }) });
    return { channel, sent: () => bytes, receive: (one) => hear({ data: JSON.stringify(one) }) };
  },
};

const shell = JSON.stringify({ jsonrpc: "2.0", method: "m", params: { text: "" } }).length;
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe.each(Object.keys(wires))(
  "defect B13: a message that the other side would not read is refused (%s)",
  (name) => {
    const open = (message?: number) => (wires[name] as (message?: number) => Wire)(message);

    test("exactly from the bound on, and the connection stays", async () => {
      const { channel, sent } = open();
      const connection = createConnection(channel);
      expect(() => void connection.notify("m", { text: "x".repeat(longest - shell + 1) })).toThrow(
        `m was not sent: it takes ${longest + 1} bytes, and ${longest} is the most.`,
      );
      void connection.notify("m", { text: "x".repeat(longest - shell) });
      await settle();
      expect(sent()).toBe(longest + 1);
    });

    test.each([
      ["語", 3],
      ["é", 2],
      ["😀", 4],
      ["\u0001", 6],
      ["\ud800", 6],
    ])("its bytes count, not its characters: %j", async (character, bytes) => {
      const { channel, sent } = open(1200 + shell);
      const connection = createConnection(channel);
      const text = (count: number) => ({ text: character.repeat(count) });
      expect(() => void connection.notify("m", text(1200 / bytes + 1))).toThrow(`${1200 + shell + bytes} bytes`);
      void connection.notify("m", text(1200 / bytes));
      await settle();
      expect(sent()).toBe(1200 + shell + 1);
    });

    test("many small ones of a tick are not", async () => {
      const { channel, sent } = open(1000);
      const connection = createConnection(channel);
      for (let at = 0; at < 100; at += 1) void connection.notify("m", { text: "x".repeat(900) });
      await settle();
      expect(sent()).toBe(100 * (shell + 900 + 1));
    });

    test("a request rejects, and the next one is sent", async () => {
      const { channel, receive } = open(1000);
      const connection = createConnection(channel);
      await expect(connection.request("ask", { text: "x".repeat(1000) })).rejects.toMatchObject({
        code: "too_large",
        message: expect.stringMatching(/^ask was not sent: it takes 10\d\d bytes, and 1000 is the most/),
      });
      const next = connection.request("ask", {});
      receive({ jsonrpc: "2.0", id: 1, result: { fine: true } });
      expect(await next).toEqual({ fine: true });
    });

    test("an answer becomes an error answer, and is reported", async () => {
      const { channel, receive, sent } = open(1000);
      const diagnostics: unknown[] = [];
      const results = [{ text: "x".repeat(1000) }, {}];
      createConnection(channel, {
        route: () => ({ receive: () => results.shift() }),
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      });
      receive({ jsonrpc: "2.0", id: 1, method: "read" });
      receive({ jsonrpc: "2.0", id: 2, method: "read" });
      await settle();
      await settle();
      const refused = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error: the answer was too large","data":{"details":"the answer was too large"}}}`;
      expect(sent()).toBe(refused.length + 1 + '{"jsonrpc":"2.0","id":2,"result":{}}'.length + 1);
      expect(diagnostics).toMatchObject([{ code: "outgoing_invalid", method: "read", error: { code: "too_large" } }]);
    });
  },
);

type ObjectWire = { readonly channel: Channel; readonly received: Message[] };

/** Channels that send messages as objects. */
const objectWires: Readonly<Record<string, () => ObjectWire>> = {
  memory() {
    const [channel, other] = createMemoryPair();
    const received: Message[] = [];
    other.start({ message: (message) => void received.push(message as Message), invalidLine() {} });
    return { channel, received };
  },
  objects() {
    const received: Message[] = [];
    const writable = new WritableStream<Message>({ write: (message) => void received.push(message) });
    return { channel: createMessageStreamChannel({ readable: new ReadableStream(), writable }), received };
  },
};

describe.each(Object.keys(objectWires))("defect B13: a message of objects that is too large (%s)", (name) => {
  const open = () => (objectWires[name] as () => ObjectWire)();

  test.each([
    ["a long text", { text: "x".repeat(longest - shell + 1) }, longest + 1],
    ["other characters", { text: "語".repeat(12_000_000) }, 36_000_000 + shell],
    ["control characters", { text: "\u0001".repeat(6_000_000) }, 36_000_000 + shell],
    ["many empty lists", { list: Array.from({ length: 12_000_000 }, () => []) }, 36_000_000 + shell - 1],
    ["many values", { list: Array.from({ length: 400_000 }, () => "x".repeat(90)) }, 37_200_000 + shell - 1],
  ])("is refused alone, as on a channel of bytes: %s", async (_, params, bytes) => {
    const { channel, received } = open();
    const connection = createConnection(channel);
    const text = `m was not sent: it takes ${bytes} bytes, and ${longest} is the most.`;
    expect(() => void connection.notify("m", params)).toThrow(text);
    await expect(connection.request("m", params)).rejects.toMatchObject({ code: "too_large" });
    void connection.notify("m", { text: "x".repeat(longest - shell) });
    await settle();
    expect(received).toHaveLength(1);
  });
});
