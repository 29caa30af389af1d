import { expect, test } from "vitest";
import { collect, note } from "../../test/channel-contract.js";
import { createMemoryPair } from "./memory.js";
import { estimateBytes } from "./message-size.js";

test("passes the very object, in a later microtask", async () => {
  const [one, two] = createMemoryPair();
  const got = collect(two);
  const message = note(1);
  one.send(message);
  expect(got.messages.items).toEqual([]);
  await Promise.resolve();
  expect(got.messages.items[0]).toBe(message);
});

test("two sides that never stop talking do not starve timers", async () => {
  const [one, two] = createMemoryPair();
  let stop = false;
  let passed = 0;
  one.start({ message: (message) => !stop && void one.send(message as never), invalidLine: () => {} });
  two.start({
    message(message) {
      passed++;
      if (!stop) two.send(message as never);
    },
    invalidLine: () => {},
  });
  one.send(note(1));
  // The timer is the subject: it fires although the two never stop.
  await new Promise((resolve) => setTimeout(resolve, 1));
  stop = true;
  expect(passed).toBeGreaterThan(100);
});

test("a sender that ignores room is closed as overflow, its peer as remote", async () => {
  const [one, two] = createMemoryPair();
  const text = "x".repeat(1024 * 1024);
  for (let i = 0; i < 70; i++) one.send(note(i, text));
  expect((await one.closed).kind).toBe("overflow");
  const got = collect(two);
  expect((await two.closed).kind).toBe("remote");
  expect(got.messages.items.length).toBeGreaterThan(60);
});

test("two messages that are nearly too large pass, and one that is too large does not close the channel", async () => {
  const [one, two] = createMemoryPair();
  const got = collect(two);
  const text = "x".repeat(31 * 1024 * 1024);
  one.send(note(1, text));
  expect(() => one.send(note(2, `${text}${text}`))).toThrow("was not sent");
  one.send(note(3, text));
  expect(await got.messages.atLeast(2)).toHaveLength(2);
});

test("the size is near that on a wire, and a cycle does not hurt", () => {
  for (const value of [note(1, "hello"), { a: [1, 2, "three", { b: null }], c: true }, [], "text"]) {
    const real = JSON.stringify(value).length;
    expect(estimateBytes(value)).toBeGreaterThan(real * 0.6);
    expect(estimateBytes(value)).toBeLessThan(real * 1.8 + 5);
  }
  const cycle: Record<string, unknown> = {};
  cycle.one = [cycle, cycle];
  expect(estimateBytes(cycle)).toBeGreaterThan(0);
});
