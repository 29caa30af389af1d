import { describe, expect, test, vi } from "vitest";
import { collect, note } from "../../test/channel-contract.js";
import type { Channel } from "../channel.js";
import { createMemoryPair } from "../channels/memory.js";
import { type TapEvent, tapChannel } from "./tap.js";
import { recordChannel } from "./wire-log.js";

test("shows both directions in order, before they go on", async () => {
  const [one, two] = createMemoryPair();
  const events: TapEvent[] = [];
  const tapped = tapChannel(one, (event) => events.push(event));
  const seen: number[] = [];
  tapped.start({ message: () => seen.push(events.length), invalidLine: () => {} });
  const far = collect(two);
  tapped.send(note(1));
  await far.messages.atLeast(1);
  two.send(note(2));
  await two.close();
  expect((await tapped.closed).kind).toBe("remote");
  expect(events).toMatchObject([
    { direction: "sent", message: note(1) },
    { direction: "received", message: note(2), bytes: expect.any(Number) },
  ]);
  expect(seen).toEqual([2]);
});

test("keeps what else the channel can do", async () => {
  const [one] = createMemoryPair();
  const extended = Object.assign(one, { pid: 7, name: () => "agent" });
  const tapped = tapChannel(extended, () => {});
  expect([tapped.pid, tapped.name()]).toEqual([7, "agent"]);
});

test("shows no secret unless it is told to, and changes nothing of what passes", async () => {
  const secret = { jsonrpc: "2.0", method: "n", params: { env: [{ name: "KEY", value: "hunter22" }], n: 1 } } as const;
  const plain = note(1);
  for (const secrets of ["redact", "show", undefined] as const) {
    const [one, two] = createMemoryPair();
    const seen: unknown[] = [];
    const tapped = tapChannel(one, (event) => seen.push("message" in event ? event.message : event), {
      ...(secrets && { secrets }),
    });
    const near = collect(tapped);
    const far = collect(two);
    tapped.send(secret);
    tapped.send(plain);
    two.send(secret);
    await Promise.all([far.messages.atLeast(2), near.messages.atLeast(1)]);
    await two.close();
    const isShown = secrets === "show";
    expect(JSON.stringify(seen).includes("hunter22")).toBe(isShown);
    expect(JSON.stringify(seen).includes("[redacted]")).toBe(!isShown);
    expect(seen[1]).toBe(plain);
    for (const { messages } of [near, far]) expect(JSON.stringify(messages)).toContain("hunter22");
  }
});

test("an observer whose promise rejects disturbs nothing", async () => {
  const [one, two] = createMemoryPair();
  const near = collect(tapChannel(one, async () => Promise.reject(new Error("disk full"))));
  two.send(note(1));
  expect(await near.messages.atLeast(1)).toEqual([note(1)]);
  await two.close();
});

test("a message that cannot be redacted is left out with a reason, and passes", async () => {
  const [one, two] = createMemoryPair();
  const events: TapEvent[] = [];
  const tapped = tapChannel(one, (event) => events.push(event));
  const near = collect(tapped);
  let reads = 0;
  const broken = Object.defineProperty({ jsonrpc: "2.0", method: "n", params: {} }, "extra", {
    enumerable: true,
    get: () => {
      reads += 1;
      if (reads === 1) throw new RangeError("Maximum call stack size exceeded");
    },
  });
  tapped.send(broken as never);
  two.send(note(1));
  await near.messages.atLeast(1);
  expect(events).toMatchObject([
    { direction: "sent", leftOut: expect.stringContaining("Maximum call stack") },
    { direction: "received", message: note(1) },
  ]);
  await two.close();
});

describe("defect N30: an observer that fails", () => {
  const broken = (): never => {
    throw new Error("no file");
  };

  test.each<[string, (channel: Channel) => Channel, string]>([
    ["of tapChannel throws", (one) => tapChannel(one, broken), "The observer of tapChannel failed: no file"],
    [
      "of tapChannel rejects",
      (one) => tapChannel(one, () => Promise.reject(new Error("no file"))),
      "The observer of tapChannel failed: no file",
    ],
    [
      "of recordChannel throws",
      (one) => recordChannel(one, broken),
      "The function write of recordChannel failed: no file",
    ],
  ])("%s is printed once, and disturbs nothing", async (_, wrap, message) => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const [one, two] = createMemoryPair();
    const wrapped = wrap(one);
    const far = collect(two);
    for (const n of [1, 2, 3]) wrapped.send(note(n));
    await far.messages.atLeast(3);
    await wrapped.close();
    expect(print.mock.calls.map(([text]) => String(text).split("\n")[0])).toEqual([`turnkit: ${message}`]);
    print.mockRestore();
  });

  test("with another error each time is printed once", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const [one] = createMemoryPair();
    let count = 0;
    const wrapped = tapChannel(one, () => {
      count += 1;
      throw new Error(`number ${count}`);
    });
    for (const n of [1, 2, 3]) wrapped.send(note(n));
    expect(print).toHaveBeenCalledTimes(1);
    print.mockRestore();
  });
});
