import { PassThrough } from "node:stream";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import {
  createByteStreamChannel,
  createMemoryPair,
  createMessageStreamChannel,
  type MessageStream,
} from "../src/channels/index.js";
import { type Channel, type CloseReason, createConnection, type Message, type Receiver } from "../src/index.js";
import { createStdioChannel } from "../src/node/index.js";
import { RawPeer } from "./raw-peer.js";

/** A channel of a user over a socket of frames. It knows no message, and the connection does not know the socket. */
class SocketChannel implements Channel {
  readonly closed: Promise<CloseReason>;
  readonly #port: MessagePort;
  #settle!: (reason: CloseReason) => void;
  #receiver: Receiver | undefined;
  #waiting: string[] | undefined = [];

  constructor(port: MessagePort) {
    this.#port = port;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    port.on("message", (text: string) => {
      if (this.#waiting === undefined) this.#deliver(text);
      else this.#waiting.push(text);
    });
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    this.resume();
  }

  send(message: Message): undefined {
    this.#port.postMessage(JSON.stringify(message));
  }

  pause(): void {
    this.#waiting ??= [];
  }

  resume(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const text of waiting) this.#deliver(text);
  }

  async close(reason: CloseReason = { kind: "local", message: "This side closed the socket." }): Promise<void> {
    this.#port.postMessage("");
    this.#end(reason);
  }

  #deliver(text: string): void {
    if (text === "") this.#end({ kind: "remote", message: "The other side closed the socket." });
    else this.#receiver?.message(JSON.parse(text), text.length);
  }

  #end(reason: CloseReason): void {
    this.#settle(reason);
    setImmediate(() => this.#port.close());
  }
}

const transports: Readonly<Record<string, () => [Channel, Channel]>> = {
  stdio() {
    const [there, back] = [new PassThrough(), new PassThrough()];
    return [createStdioChannel({ input: there, output: back }), createStdioChannel({ input: back, output: there })];
  },
  memory: createMemoryPair,
  "streams of bytes"() {
    const [there, back] = [
      new TransformStream<Uint8Array, Uint8Array>(),
      new TransformStream<Uint8Array, Uint8Array>(),
    ];
    return [
      createByteStreamChannel({ readable: there.readable, writable: back.writable }),
      createByteStreamChannel({ readable: back.readable, writable: there.writable }),
    ];
  },
  "streams of messages"() {
    const [there, back] = [new TransformStream<Message, Message>(), new TransformStream<Message, Message>()];
    const join = (stream: MessageStream) => createMessageStreamChannel(stream);
    return [
      join({ readable: there.readable, writable: back.writable }),
      join({ readable: back.readable, writable: there.writable }),
    ];
  },
  "a channel of one's own"() {
    const { port1, port2 } = new MessageChannel();
    return [new SocketChannel(port1), new SocketChannel(port2)];
  },
};

describe("a conversation", () => {
  test.each(Object.keys(transports))("V2-TRA-05: has the same messages and the same life over %s", async (name) => {
    const [channel, end] = (transports[name] as () => [Channel, Channel])();
    const peer = new RawPeer(end);
    const log: string[] = [];
    const connection = createConnection(channel, {
      route: (method) =>
        method === "slow"
          ? {
              receive: (_, { signal }) =>
                new Promise(() => signal.addEventListener("abort", () => log.push("handler aborted"))),
            }
          : method === "ping"
            ? { receive: (params) => params }
            : undefined,
    });
    const hello = connection.request("initialize", { protocolVersion: 1 });
    await peer.call("initialize");
    peer.send({ jsonrpc: "2.0", id: 0, result: { text: "zwölf\n🚀" } });
    expect(await hello).toEqual({ text: "zwölf\n🚀" });
    void connection.notify("note", { n: 1 });
    peer.request("a", "ping", { n: 2 });
    peer.request("b", "unknown");
    peer.request("c", "slow");
    await peer.answerTo("b");
    const open = connection.request("ask", {}).catch(({ code }) => log.push(code));
    await peer.call("ask");
    await peer.close();
    expect((await connection.closed).kind).toBe("remote");
    await open;
    expect(log.sort()).toEqual(["connection_closed", "handler aborted"]);
    expect(peer.received).toEqual([
      { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } },
      { jsonrpc: "2.0", method: "note", params: { n: 1 } },
      { jsonrpc: "2.0", id: "a", result: { n: 2 } },
      { jsonrpc: "2.0", id: "b", error: { code: -32601, message: expect.any(String), data: { method: "unknown" } } },
      { jsonrpc: "2.0", id: 1, method: "ask", params: {} },
    ]);
  });
});
