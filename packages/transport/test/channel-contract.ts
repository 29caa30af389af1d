import { afterEach, describe, expect, test } from "vitest";
import type { Channel, CloseReason, Message } from "../src/index.js";

/** The far end of a channel under test. */
export type Peer = {
  send(message: unknown): void;
  /** Absent where no bytes travel. */
  raw?(bytes: Uint8Array): void;
  /** Ends in good order. */
  end(): void;
  /** Begins to take what the channel sends; until then it takes nothing. */
  read(): void;
  /** Messages that it has taken. */
  readonly taken: Taken<unknown>;
  /** The same as text, where lines travel. */
  readonly lines?: Taken<string>;
  /** Frees everything after a test. */
  dispose?(): void | Promise<void>;
};

/** A way to make a channel. */
export type Kind = {
  readonly name: string;
  /** The limit of one incoming line is 1 000 bytes where there are lines. */
  open(): Promise<{ channel: Channel; peer: Peer }>;
  /** Kind of the reason after an end of the peer in good order. */
  readonly endKind: CloseReason["kind"];
};

/** A list that can be waited for. */
export class Taken<T> {
  readonly items: T[] = [];
  #waiting: { count: number; resolve: () => void }[] = [];

  add(item: T): void {
    this.items.push(item);
    this.#waiting = this.#waiting.filter(({ count, resolve }) => {
      if (this.items.length < count) return true;
      resolve();
      return false;
    });
  }

  async atLeast(count: number): Promise<T[]> {
    if (this.items.length < count) await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
    return this.items;
  }
}

/** Starts a channel and keeps what it delivers. */
export function collect(channel: Channel) {
  const messages = new Taken<unknown>();
  const noise = new Taken<string>();
  const faults = new Taken<string | undefined>();
  const bytes: number[] = [];
  channel.start({
    message(message, size) {
      bytes.push(size);
      messages.add(message);
    },
    invalidLine(sample, excess) {
      noise.add(sample);
      faults.add(excess);
    },
  });
  return { messages, noise, faults, bytes };
}

export const note = (n: number, text = ""): Message => ({ jsonrpc: "2.0", method: "note", params: { n, text } });
const notes = (count: number, text = "") => Array.from({ length: count }, (_, n) => note(n, text));

/** Describes the promises of every channel. */
export function describeChannel(kind: Kind): void {
  const opened: { channel: Channel; peer: Peer }[] = [];
  const open = async () => {
    const pair = await kind.open();
    opened.push(pair);
    return pair;
  };
  afterEach(async () => {
    for (const { channel, peer } of opened.splice(0)) {
      peer.read();
      await channel.close();
      await peer.dispose?.();
    }
  });

  describe(kind.name, () => {
    test("delivers in order", async () => {
      const { channel, peer } = await open();
      const got = collect(channel);
      for (const message of notes(500)) peer.send(message);
      expect(await got.messages.atLeast(500)).toEqual(notes(500));
      expect(got.bytes.every((size) => size > 20)).toBe(true);
    });

    test("sends in order", async () => {
      const { channel, peer } = await open();
      collect(channel);
      peer.read();
      for (const message of notes(500)) channel.send(message);
      expect(await peer.taken.atLeast(500)).toEqual(notes(500));
    });

    test("delivers nothing before it is started, and then everything", async () => {
      const { channel, peer } = await open();
      peer.send(note(1));
      const got = collect(channel);
      expect(got.messages.items).toEqual([]);
      expect(await got.messages.atLeast(1)).toEqual([note(1)]);
    });

    test("a second start is refused, and the first receiver goes on", async () => {
      const { channel, peer } = await open();
      const got = collect(channel);
      expect(() => collect(channel)).toThrow(/One channel serves one/);
      peer.send(note(1));
      expect(await got.messages.atLeast(1)).toEqual([note(1)]);
    });

    test("stops at once when paused from inside a delivery, and loses nothing", async () => {
      const { channel, peer } = await open();
      const got = new Taken<unknown>();
      channel.start({
        message(message) {
          got.add(message);
          if (got.items.length % 100 === 0) channel.pause();
        },
        invalidLine: () => {},
      });
      for (const message of notes(500)) peer.send(message);
      for (let count = 100; count < 500; count += 100) {
        await got.atLeast(count);
        await new Promise((resolve) => setImmediate(resolve));
        expect(got.items.length).toBe(count);
        channel.resume();
      }
      expect(await got.atLeast(500)).toEqual(notes(500));
    });

    test("pausing and resuming from inside deliveries changes no order", async () => {
      const { channel, peer } = await open();
      const got = new Taken<unknown>();
      channel.start({
        message(message) {
          channel.pause();
          got.add(message);
          channel.resume();
        },
        invalidLine: () => {},
      });
      for (const message of notes(200)) peer.send(message);
      expect(await got.atLeast(200)).toEqual(notes(200));
    });

    test("promises room when the peer does not read, and keeps the promise when it does", async () => {
      const { channel, peer } = await open();
      collect(channel);
      const big = "x".repeat(8 * 1024);
      let sent = 0;
      let room: Promise<void> | undefined;
      while (!room && sent < 10_000) room = channel.send(note(sent++, big));
      expect(room).toBeInstanceOf(Promise);
      peer.read();
      await room;
      expect(await peer.taken.atLeast(sent)).toHaveLength(sent);
    });

    test("a promise of room resolves when the channel closes", async () => {
      const { channel, peer } = await open();
      collect(channel);
      let room: Promise<void> | undefined;
      while (!room) room = channel.send(note(0, "x".repeat(8 * 1024)));
      const closing = channel.close();
      await room;
      peer.read();
      await closing;
    });

    test("sends what waits, then closes; afterwards it sends and delivers nothing and never throws", async () => {
      const { channel, peer } = await open();
      const got = collect(channel);
      peer.read();
      for (const message of notes(50)) channel.send(message);
      await channel.close();
      const reason = await channel.closed;
      expect(reason.kind).toBe("local");
      expect(reason.message).not.toBe("");
      expect(channel.send(note(99))).toBeUndefined();
      peer.send(note(7));
      channel.pause();
      channel.resume();
      await channel.close();
      expect(await peer.taken.atLeast(50)).toEqual(notes(50));
      expect(got.messages.items).toEqual([]);
    });

    test("closes with the reason it was given, from inside a delivery too", async () => {
      const { channel, peer } = await open();
      const got: unknown[] = [];
      channel.start({
        message(message) {
          got.push(message);
          void channel.close({ kind: "frame", message: "Enough." });
        },
        invalidLine: () => {},
      });
      for (const message of notes(20)) peer.send(message);
      expect(await channel.closed).toMatchObject({ kind: "frame", message: "Enough." });
      expect(got).toEqual([note(0)]);
    });

    test("delivers what was sent before the peer ended, then closes", async () => {
      const { channel, peer } = await open();
      const got = collect(channel);
      peer.read();
      for (const message of notes(300)) peer.send(message);
      peer.end();
      expect((await channel.closed).kind).toBe(kind.endKind);
      expect(got.messages.items).toEqual(notes(300));
      expect(channel.send(note(1))).toBeUndefined();
    });

    test("waits with its end while it is paused", async () => {
      const { channel, peer } = await open();
      const got = new Taken<unknown>();
      channel.start({
        message(message) {
          got.add(message);
          channel.pause();
        },
        invalidLine: () => {},
      });
      peer.read();
      for (const message of notes(3)) peer.send(message);
      peer.end();
      for (let count = 1; count <= 3; count++) {
        await got.atLeast(count);
        channel.resume();
      }
      await channel.closed;
      expect(got.items).toEqual(notes(3));
    });

    test("a receiver that throws ends the channel and nothing else", async () => {
      const { channel, peer } = await open();
      const fault = new Error("receiver broke");
      channel.start({
        message() {
          throw fault;
        },
        invalidLine: () => {},
      });
      peer.read();
      peer.send(note(1));
      const reason = await channel.closed;
      expect(reason).toMatchObject({ kind: "local", cause: fault });
      expect(reason.message).toContain("receiver broke");
    });
  });
}
