import type { Channel, CloseReason, Message } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import type { ServedAgent } from "../../src/server/index.js";
import type { Frame } from "../client/raw-server.js";

/** One connection of the agent: what arrived, and what the test sends. */
export class AgentSide {
  readonly frames: Frame[] = [];
  readonly channel: Channel;
  readonly closed: Promise<CloseReason>;
  isClosed = false;
  #waiting: (() => void)[] = [];

  constructor(channel: Channel, answers: boolean) {
    this.channel = channel;
    this.closed = channel.closed;
    void this.closed.then(() => {
      this.isClosed = true;
    });
    channel.start({
      message: (message) => {
        const frame = message as Frame;
        this.frames.push(frame);
        if (answers && frame.method === "initialize") this.answer(frame.id, { protocolVersion: 1 });
        for (const wake of this.#waiting.splice(0)) wake();
      },
      invalidLine() {},
    });
  }

  /** The `nth` call (from 0) of a method, or answer (`undefined`), received or yet to come. */
  async call(method: string | undefined, nth = 0): Promise<Frame> {
    for (;;) {
      const found = this.frames.filter((frame) => frame.method === method)[nth];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  count(method: string): number {
    return this.frames.filter((frame) => frame.method === method).length;
  }

  send(...frames: readonly Frame[]): Promise<void> | undefined {
    let room: Promise<void> | undefined;
    for (const frame of frames) room = this.channel.send({ jsonrpc: "2.0", ...frame } as unknown as Message);
    return room;
  }

  answer(id: unknown, result: object = {}): void {
    void this.send({ id, result });
  }
}

/** Agent without a runtime: the test reads what arrives, and writes every message. */
export class RawAgent implements ServedAgent {
  readonly sides: AgentSide[] = [];
  /** Answers `initialize`. */
  answers = true;
  /** Never ends, even after its channel. */
  endless = false;

  serve(channel: Channel) {
    const side = new AgentSide(channel, this.answers);
    this.sides.push(side);
    return { closed: this.endless ? new Promise<never>(() => {}) : side.closed };
  }

  /** The only connection. */
  get side(): AgentSide {
    const [side] = this.sides;
    if (side === undefined || this.sides.length > 1) throw new Error(`${this.sides.length} connections`);
    return side;
  }

  /** Channel of the client's side, for the option `open`. It throws for a method, as if the message were too large. */
  channel(refused?: string): Channel {
    const [near, far] = createMemoryPair();
    this.serve(far);
    const send = near.send.bind(near);
    near.send = (message) => {
      if ("method" in message && message.method === refused) throw new Error("It is too large.");
      return send(message);
    };
    return near;
  }
}
