import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, it } from "vitest";
import type { FaultPlan } from "./fault-plan.js";
import { createFaultyChannel } from "./faulty-channel.js";
import { createRawPeer, type RawPeer } from "./raw-peer.js";

const note = (n: number, sessionId?: string) =>
  ({ jsonrpc: "2.0", method: "note", params: { n, ...(sessionId && { sessionId }) } }) as const;
const last = { jsonrpc: "2.0", method: "last" } as const;

/** A raw peer at each end of a channel that is faulty at the one. */
function open(plan: FaultPlan) {
  const [one, two] = createMemoryPair();
  const faulty = createFaultyChannel(one, plan);
  return { faulty, here: createRawPeer(faulty), there: createRawPeer(two) };
}

/** Returns the messages that one side gets from the other, up to a last one. */
async function pass(from: RawPeer, to: RawPeer, frames: readonly object[]): Promise<unknown[]> {
  from.send(...frames, last);
  await to.call("last");
  return to.received.filter((frame) => frame.method !== "last");
}

const notes = (count: number, sessions = 1) =>
  Array.from({ length: count }, (_, n) => note(n, sessions > 1 ? `s-${n % sessions}` : undefined));

describe("a faulty channel", () => {
  it("without faults is the channel", async () => {
    const { here, there, faulty } = open({ seed: 1 });
    expect(await pass(here, there, notes(500))).toEqual(notes(500));
    expect(await pass(there, here, notes(500))).toEqual(notes(500));
    expect(faulty.faults).toEqual([]);
  });

  it.each([1, 2, 3])("delays and keeps the order, both ways (seed %i)", async (seed) => {
    const { here, there, faulty } = open({ seed, delay: 0.2 });
    expect(await pass(here, there, notes(300))).toEqual(notes(300));
    expect(await pass(there, here, notes(300, 3))).toEqual(notes(300, 3));
    expect(new Set(faulty.faults.map(({ kind }) => kind))).toEqual(new Set(["delay"]));
  });

  it.each([1, 2, 3])("lets calls of other sessions overtake, never those of the same (seed %i)", async (seed) => {
    const { here, there } = open({ seed, reorder: 0.3 });
    const got = (await pass(here, there, notes(300, 3))) as ReturnType<typeof note>[];
    expect(got).not.toEqual(notes(300, 3));
    expect(got).toHaveLength(300);
    for (const sessionId of ["s-0", "s-1", "s-2"]) {
      const own = got.filter(({ params }) => params.sessionId === sessionId).map(({ params }) => params.n);
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
  });

  it("lets nothing overtake that is of no session: answers, and calls of the connection", async () => {
    const mixed = notes(200, 2).flatMap((call, n) =>
      n % 10 === 0 ? [call, { jsonrpc: "2.0", id: n, result: {} }] : [call],
    );
    const { here, there } = open({ seed: 5, reorder: 0.3 });
    const got = (await pass(here, there, mixed)) as { id?: number; params: { n: number } }[];
    const borders = got.flatMap((frame, at) => (frame.id === undefined ? [] : [[frame.id, at] as const]));
    for (const [id, at] of borders) {
      const before = got.slice(0, at).filter((frame) => frame.id === undefined);
      expect(before.every((frame) => frame.params.n <= id)).toBe(true);
      expect(before).toHaveLength(id + 1);
    }
  });

  it("delivers twice", async () => {
    const { here, there } = open({ seed: 1, duplicate: 1 });
    expect(await pass(here, there, notes(2))).toEqual([note(0), note(0), note(1), note(1)]);
  });

  it("garbles values, without a change to what the sender holds", async () => {
    const { here, there, faulty } = open({ seed: 4, garble: 0.5, direction: "sent" });
    const frames = notes(100);
    for (const frame of frames) here.send(frame);
    await here.close();
    await there.closed;
    expect(frames).toEqual(notes(100));
    const changed = there.received.filter((frame, n) => JSON.stringify(frame) !== JSON.stringify(note(n))).length;
    expect(changed).toBeGreaterThan(30);
    expect(faulty.faults.length).toBeGreaterThanOrEqual(changed);
  });

  it("garbles what arrives, some of it into noise", async () => {
    const { here, there } = open({ seed: 2, garble: 1, direction: "received" });
    there.send(...notes(60));
    await there.close();
    await here.closed;
    expect(here.invalidLines.length).toBeGreaterThan(10);
    expect(here.received.length).toBeGreaterThan(10);
    expect(here.invalidLines.length + here.received.length).toBe(60);
  });

  it("breaks after so many messages: nothing more arrives, and both sides hear of it", async () => {
    const { here, there } = open({ seed: 1, cutAfter: 3 });
    here.send(...notes(10));
    expect(await here.closed).toEqual({ kind: "failed", message: "The test cut the channel after 3 messages." });
    expect((await there.closed).kind).toBe("remote");
    expect(there.received).toEqual(notes(3));
  });

  it("breaks when told to, with what was late", async () => {
    const { here, there, faulty } = open({ seed: 1, delay: 1, direction: "sent" });
    here.send(...notes(5));
    faulty.cut();
    expect((await here.closed).kind).toBe("failed");
    await there.closed;
    expect(there.received).toEqual([]);
    expect(here.send(note(9))).toBeUndefined();
  });

  it("does the same again by its seed, whatever the other direction does", async () => {
    const plan = { seed: 9, delay: 0.1, duplicate: 0.1, reorder: 0.1, garble: 0.1 };
    const run = async (others: number) => {
      const { here, there, faulty } = open(plan);
      there.send(...notes(others));
      here.send(...notes(200, 2));
      await here.close();
      await there.closed;
      return faulty.faults.filter(({ direction }) => direction === "sent");
    };
    const faults = await run(0);
    expect(faults.length).toBeGreaterThan(40);
    expect(faults[0]).toEqual({ kind: expect.any(String), direction: "sent", at: expect.any(Number), message: "note" });
    expect(await run(50)).toEqual(faults);
  });
});

describe("a faulty channel is a channel", () => {
  const collect = (channel: Channel, onMessage: () => void = () => {}) => {
    const got: unknown[] = [];
    channel.start({
      message(message) {
        got.push(message);
        onMessage();
      },
      invalidLine: () => {},
    });
    return got;
  };
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

  it("stops at once when paused from inside a delivery, and loses nothing", async () => {
    const [one, two] = createMemoryPair();
    const channel = createFaultyChannel(one, { seed: 1, delay: 0.3 });
    const got = collect(channel, () => {
      if (got.length % 50 === 0) channel.pause();
    });
    for (const frame of notes(200)) two.send(frame);
    for (let count = 50; count <= 200; count += 50) {
      while (got.length < count) await turn();
      for (let turns = 0; turns < 20; turns++) await turn();
      expect(got).toHaveLength(count);
      channel.resume();
    }
    expect(got).toEqual(notes(200));
  });

  it("promises room when much is late, and keeps the promise", async () => {
    const [one, two] = createMemoryPair();
    const channel = createFaultyChannel(one, { seed: 1, delay: 1 });
    collect(channel);
    const got = collect(two);
    let sent = 0;
    let room: Promise<void> | undefined;
    while (!room && sent < 1_000) room = channel.send(note(sent++));
    expect(sent).toBeLessThan(100);
    await room;
    await turn();
    expect(got).toEqual(notes(sent));
  });

  it("does not read on without end while much is late", async () => {
    const [one, two] = createMemoryPair();
    const channel = createFaultyChannel(one, { seed: 1, delay: 1, longestDelay: 1_000 });
    collect(channel);
    let room: Promise<void> | undefined;
    for (let n = 0; n < 1_000; n++) room = two.send(note(n)) ?? room;
    let hasRoom = false;
    void room?.then(() => {
      hasRoom = true;
    });
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(hasRoom).toBe(false);
    await channel.close();
  });

  it("sends what waits, then closes with its reason; what was late to arrive does not", async () => {
    const [one, two] = createMemoryPair();
    const channel = createFaultyChannel(one, { seed: 1, delay: 1 });
    const here = collect(channel);
    const there = collect(two);
    two.send(note(7));
    // It arrives in a microtask, and is late from then on.
    await Promise.resolve();
    for (const frame of notes(5)) channel.send(frame);
    await channel.close({ kind: "local", message: "Enough." });
    expect(await channel.closed).toEqual({ kind: "local", message: "Enough." });
    await two.closed;
    expect(there).toEqual(notes(5));
    expect(here).toEqual([]);
  });

  it("delivers what was late before it tells that the other side ended, also when paused", async () => {
    const [one, two] = createMemoryPair();
    const channel = createFaultyChannel(one, { seed: 1, delay: 1 });
    const got = collect(channel, () => channel.pause());
    let ended = false;
    void channel.closed.then(() => {
      ended = true;
    });
    for (const frame of notes(3)) two.send(frame);
    void two.close();
    for (let count = 1; count <= 3; count++) {
      while (got.length < count) await turn();
      await turn();
      expect(ended).toBe(false);
      channel.resume();
    }
    expect((await channel.closed).kind).toBe("remote");
    expect(got).toEqual(notes(3));
  });

  it("a receiver that throws ends the channel", async () => {
    const [one, two] = createMemoryPair();
    const fault = new Error("receiver broke");
    const channel = createFaultyChannel(one, { seed: 1, delay: 1 });
    collect(channel, () => {
      throw fault;
    });
    two.send(note(1));
    expect(await channel.closed).toMatchObject({ kind: "local", cause: fault });
  });
});
