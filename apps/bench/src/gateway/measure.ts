import { createGateway, type Gateway } from "@turnkit/gateway";
import type { Channel, CloseReason, Message, Receiver } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import type { Measure } from "../scenario.js";

const SESSION = "session";
const principal = { id: "someone" };
const info = { name: "bench", version: "1.0.0" };

/** Client that counts its updates. It always has room for them, or never. */
class Viewer implements Channel {
  updates = 0;
  /** Called when the client has attached. */
  done: () => void = () => undefined;
  readonly closed = new Promise<CloseReason>(() => undefined);
  readonly #hasRoom: boolean;
  #receiver: Receiver | undefined;
  #answered: (() => void) | undefined;

  constructor(hasRoom = true) {
    this.#hasRoom = hasRoom;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    queueMicrotask(() => void this.#attach());
  }

  send(message: Message): Promise<void> | undefined {
    if ("method" in message) this.updates += 1;
    else this.#answered?.();
    return this.#hasRoom || !("method" in message) ? undefined : never;
  }

  pause(): void {}

  resume(): void {}

  async close(): Promise<void> {}

  async #attach(): Promise<void> {
    await this.#request(1, "initialize", { protocolVersion: 2, info, capabilities: {} });
    await this.#request(2, "session/resume", { sessionId: SESSION, cwd: "/work" });
    this.done();
  }

  #request(id: number, method: string, params: object): Promise<void> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#receiver?.message({ jsonrpc: "2.0", id, method, params }, 200);
    });
  }
}

const never = new Promise<void>(() => undefined);

/** Creates an agent of raw messages, and a gateway with one open session of this agent. */
async function shared(): Promise<{ readonly gateway: Gateway; say(piece: number): Promise<void> | undefined }> {
  const [ours, theirs] = createMemoryPair();
  const answers: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: 2, info, capabilities: { session: {} } },
    "session/new": { sessionId: SESSION },
  };
  theirs.start({
    message(message) {
      const { id, method } = message as { readonly id: number; readonly method: string };
      theirs.send({ jsonrpc: "2.0", id, result: answers[method] ?? {} });
    },
    invalidLine: () => undefined,
  });
  const gateway = createGateway({ agent: () => ours });
  const opener = gateway.open(principal);
  const opened = new Promise<void>((resolve) => {
    opener.start({
      message: (message) => {
        if ((message as { readonly id?: number }).id === 2) resolve();
      },
      invalidLine: () => undefined,
    });
  });
  opener.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 2, info, capabilities: {} } });
  opener.send({ jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd: "/work" } });
  await opened;
  const text = "x".repeat(60);
  return {
    gateway,
    say: (piece) =>
      theirs.send({
        jsonrpc: "2.0",
        method: "session/update",
        params: {
          sessionId: SESSION,
          update: {
            sessionUpdate: "agent_message_chunk",
            messageId: `m${Math.floor(piece / 50)}`,
            content: { type: "text", text },
          },
        },
      }),
  };
}

async function attach(gateway: Gateway, viewers: readonly Viewer[]): Promise<void> {
  for (const viewer of viewers) {
    const attached = new Promise<void>((resolve) => {
      viewer.done = resolve;
    });
    gateway.serve(viewer, principal);
    await attached;
  }
}

/** Measures the delivery of 60 B chunks to a number of attachments, in the process of the gateway. */
export function measureFanOut(attachments: number): Measure {
  return async (size) => {
    const { gateway, say } = await shared();
    const viewers = Array.from({ length: attachments }, () => new Viewer());
    await attach(gateway, viewers);
    const run = async (pieces: number): Promise<number> => {
      const started = performance.now();
      const before = viewers[0]?.updates ?? 0;
      for (let piece = 0; piece < pieces; piece += 1) await say(piece);
      while ((viewers[0]?.updates ?? 0) < before + pieces) await new Promise((resolve) => setImmediate(resolve));
      return (performance.now() - started) / 1_000;
    };
    await run(Math.ceil(size / 4));
    return { rate: (size * attachments) / (await run(size)) };
  };
}

/** Measures the updates of the agent to one attachment. With `isStuck`, a second attachment never has room. */
export function measurePace(isStuck: boolean): Measure {
  return async (size) => {
    const { gateway, say } = await shared();
    const viewer = new Viewer();
    await attach(gateway, isStuck ? [viewer, new Viewer(false)] : [viewer, new Viewer()]);
    const run = async (pieces: number): Promise<number> => {
      const started = performance.now();
      const before = viewer.updates;
      for (let piece = 0; piece < pieces; piece += 1) await say(piece);
      while (viewer.updates < before + pieces) await new Promise((resolve) => setImmediate(resolve));
      return (performance.now() - started) / 1_000;
    };
    await run(size);
    return { rate: size / (await run(size)) };
  };
}

/** Measures the memory of one idle attachment with its connection. */
export const measureIdle: Measure = async (size) => {
  const { gateway } = await shared();
  await attach(
    gateway,
    Array.from({ length: 100 }, () => new Viewer()),
  );
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  const viewers = Array.from({ length: size }, () => new Viewer());
  await attach(gateway, viewers);
  global.gc?.();
  const growth = process.memoryUsage().heapUsed - before;
  return { memory: growth / 1_024 / viewers.length };
};
