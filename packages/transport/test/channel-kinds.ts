import { Buffer } from "node:buffer";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import {
  createByteStreamChannel,
  createMemoryPair,
  createMessageStreamChannel,
  toMessageStream,
} from "../src/channels/index.js";
import type { Message } from "../src/index.js";
import { createStdioChannel, spawnChannel } from "../src/node/index.js";
import { tapChannel } from "../src/trace/index.js";
import { type Kind, type Peer, Taken } from "./channel-contract.js";
import { lineTaker } from "./line-taker.js";

/** The limit of one incoming line, in bytes. */
const frame = 1000;

const asLine = (message: unknown) => Buffer.from(`${JSON.stringify(message)}\n`);

const memory: Kind = {
  name: "memory",
  endKind: "remote",
  async open() {
    const [channel, far] = createMemoryPair();
    const taken = new Taken<unknown>();
    let reading = false;
    const peer: Peer = {
      send: (message) => void far.send(message as Message),
      end: () => void far.close(),
      read() {
        if (reading) return;
        reading = true;
        far.start({ message: (message) => taken.add(message), invalidLine: () => {} });
      },
      taken,
    };
    return { channel, peer };
  },
};

const stdio: Kind = {
  name: "stdio over streams",
  endKind: "remote",
  async open() {
    const input = new PassThrough({ highWaterMark: 64 });
    const output = new PassThrough({ highWaterMark: 64 });
    const channel = createStdioChannel({ input, output, limits: { frame }, flushMs: 200 });
    const { taken, lines, take } = lineTaker();
    const raw = (bytes: Uint8Array) => void input.write(bytes);
    const peer: Peer = {
      send: (message) => raw(asLine(message)),
      raw,
      end: () => void input.end(),
      read: () => void output.on("data", take),
      taken,
      lines,
    };
    input.on("error", () => {});
    return { channel, peer };
  },
};

function webBytes() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const incoming = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  const outgoing = new TransformStream<Uint8Array, Uint8Array>();
  return { incoming, outgoing, controller };
}

const web: Kind = {
  name: "web streams of bytes",
  endKind: "remote",
  async open() {
    const { incoming, outgoing, controller } = webBytes();
    const channel = createByteStreamChannel({ readable: incoming, writable: outgoing.writable }, { frame });
    const { taken, lines, take } = lineTaker();
    const raw = (bytes: Uint8Array) => ignoreClosed(() => controller.enqueue(bytes));
    const peer: Peer = {
      send: (message) => raw(asLine(message)),
      raw,
      end: () => ignoreClosed(() => controller.close()),
      read: once_(() => void pump(outgoing.readable, take)),
      taken,
      lines,
    };
    return { channel, peer };
  },
};

const messages: Kind = {
  name: "web streams of messages",
  endKind: "remote",
  async open() {
    let controller!: ReadableStreamDefaultController<unknown>;
    const readable = new ReadableStream<unknown>({
      start(given) {
        controller = given;
      },
    });
    const outgoing = new TransformStream<Message, Message>();
    const channel = createMessageStreamChannel({ readable, writable: outgoing.writable });
    const taken = new Taken<unknown>();
    const peer: Peer = {
      send: (message) => ignoreClosed(() => controller.enqueue(message)),
      end: () => ignoreClosed(() => controller.close()),
      read: once_(() => void pump(outgoing.readable, (message) => taken.add(message))),
      taken,
    };
    return { channel, peer };
  },
};

/** A channel offered as streams and taken back: both adapters in a row. */
const roundTrip: Kind = {
  name: "a channel as message streams and back",
  endKind: "remote",
  async open() {
    const { channel, peer } = await memory.open();
    return { channel: createMessageStreamChannel(toMessageStream(channel)), peer };
  },
};

const tapped: Kind = {
  name: "a tapped channel",
  endKind: "remote",
  async open() {
    const { channel, peer } = await stdio.open();
    const broken = () => {
      throw new Error("observer broke");
    };
    return { channel: tapChannel(channel, broken), peer };
  },
};

/** The child joins its stdin and stdout to a socket: its far end is ours. */
const relay = `
const socket = require("node:net").connect(process.argv[1]);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on("error", () => process.exit(0));
socket.on("end", () => process.stdout.write("", () => process.exit(0)));
`;

const child: Kind = {
  name: "child process",
  endKind: "exit",
  async open() {
    const folder = await mkdtemp(join(tmpdir(), "turnkit-"));
    const path = join(folder, "socket");
    const server = createServer().listen(path);
    await once(server, "listening");
    const channel = await spawnChannel([process.execPath, "-e", relay, path], { limits: { frame }, graceMs: 1000 });
    const [socket] = (await once(server, "connection")) as [Socket];
    socket.on("error", () => {});
    const { taken, lines, take } = lineTaker();
    const raw = (bytes: Uint8Array) => void socket.write(bytes);
    const peer: Peer = {
      send: (message) => raw(asLine(message)),
      raw,
      end: () => void socket.end(),
      read: () => void socket.on("data", take),
      taken,
      lines,
      async dispose() {
        socket.destroy();
        server.close();
        await rm(folder, { recursive: true });
      },
    };
    return { channel, peer };
  },
};

async function pump<T>(readable: ReadableStream<T>, take: (item: T) => void): Promise<void> {
  try {
    for await (const item of readable) take(item);
  } catch {
    // Aborted by the other side.
  }
}

function once_(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}

function ignoreClosed(action: () => void): void {
  try {
    action();
  } catch {
    // The channel has cancelled the stream.
  }
}

/** Every way to make a channel. */
export const kinds: readonly Kind[] = [memory, stdio, web, messages, roundTrip, tapped, child];

/** The kinds of channels that carry lines. */
export const lineKinds: readonly Kind[] = [stdio, web, child];
