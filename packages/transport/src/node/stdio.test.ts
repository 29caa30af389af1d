import type { Buffer } from "node:buffer";
import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { collect, note } from "../../test/channel-contract.js";
import { createStdioChannel } from "./stdio.js";

/** An output that keeps each write and completes it when told. */
function slowOutput() {
  const writes: Buffer[] = [];
  const pending: ((error?: Error) => void)[] = [];
  const output = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk);
      pending.push(done);
    },
  });
  return { output, writes, complete: (error?: Error) => pending.shift()?.(error) };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

test("what one tick sends is one write, also over awaited sends", async () => {
  const { output, writes, complete } = slowOutput();
  const channel = createStdioChannel({ input: new PassThrough(), output });
  for (let i = 0; i < 10; i++) channel.send(note(i));
  await Promise.resolve();
  channel.send(note(10));
  await tick();
  expect(writes).toHaveLength(1);
  expect(String(writes[0]).split("\n")).toHaveLength(12);
  complete();
  await tick();
  expect(writes).toHaveLength(1);
});

test("a call or an answer with which a tick begins leaves before anything else happens in it", async () => {
  const { output, writes, complete } = slowOutput();
  const channel = createStdioChannel({ input: new PassThrough(), output });
  channel.send({ jsonrpc: "2.0", id: 1, method: "ask" });
  expect(writes.map(String)).toEqual(['{"jsonrpc":"2.0","id":1,"method":"ask"}\n']);
  channel.send({ jsonrpc: "2.0", id: 2, method: "ask" });
  channel.send(note(3));
  complete();
  await tick();
  expect(writes.map((written) => String(written).split("\n").length)).toEqual([2, 3]);
  channel.send(note(4));
  channel.send({ jsonrpc: "2.0", id: 5, result: {} });
  complete();
  await tick();
  expect(String(writes[2]).split("\n")).toHaveLength(3);
});

test("an answer that comes inside the write of its question is delivered after it, and in order", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const channel = createStdioChannel({ input, output });
  const { messages } = collect(channel);
  output.on("data", () => input.write('{"answer":1}\n'));
  channel.send({ jsonrpc: "2.0", id: 1, method: "ask" });
  expect(messages.items).toEqual([]);
  input.write('{"later":2}\n');
  expect(await messages.atLeast(2)).toEqual([{ answer: 1 }, { later: 2 }]);
});

test("writes hold 64 KiB at most, except one message that is larger", async () => {
  const writes: number[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.length);
      done();
    },
  });
  const channel = createStdioChannel({ input: new PassThrough(), output });
  for (let i = 0; i < 100; i++) channel.send(note(i, "x".repeat(3000)));
  channel.send(note(101, "x".repeat(100_000)));
  channel.send(note(102));
  await channel.close();
  const large = writes.filter((size) => size > 64 * 1024);
  expect(large).toHaveLength(1);
  expect(large[0]).toBeLessThan(100_200);
  expect(writes.length).toBeLessThan(9);
});

test("room comes when enough has been taken", async () => {
  const { output, complete } = slowOutput();
  const channel = createStdioChannel({ input: new PassThrough(), output, limits: { highWater: 1000 } });
  expect(channel.send(note(1, "x".repeat(500)))).toBeUndefined();
  const room = channel.send(note(2, "x".repeat(500)));
  expect(room).toBeInstanceOf(Promise);
  expect(channel.send(note(3))).toBe(room);
  await tick();
  complete();
  await room;
  expect(channel.send(note(4))).toBeUndefined();
});

test("too much unsent closes it as overflow and lets go of everything", async () => {
  const { output } = slowOutput();
  const input = new PassThrough();
  const channel = createStdioChannel({ input, output, limits: { unsent: 10_000, highWater: 1000 } });
  let room: Promise<void> | undefined;
  for (let i = 0; i < 12; i++) room = channel.send(note(i, "x".repeat(1000))) ?? room;
  const reason = await channel.closed;
  expect(reason).toMatchObject({ kind: "overflow", message: expect.stringContaining("10000 bytes") });
  await room;
  await channel.close();
  expect(output.destroyed && input.destroyed).toBe(true);
});

test("a message that JSON cannot express is refused at once and harms nothing", async () => {
  const output = new PassThrough();
  const channel = createStdioChannel({ input: new PassThrough(), output });
  const params: Record<string, unknown> = {};
  params.self = params;
  channel.send(note(1));
  expect(() => channel.send({ jsonrpc: "2.0", method: "m", params })).toThrow(TypeError);
  channel.send(note(2));
  await channel.close();
  expect(
    String(output.read())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([note(1), note(2)]);
});

test("after an error of the output, what is on its way in is still delivered", async () => {
  const input = new PassThrough();
  const { output, complete } = slowOutput();
  const channel = createStdioChannel({ input, output });
  const got = collect(channel);
  channel.send(note(1));
  await tick();
  complete(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  await tick();
  expect(channel.send(note(2))).toBeUndefined();
  input.write(`${JSON.stringify(note(3))}\n`);
  expect(await got.messages.atLeast(1)).toEqual([note(3)]);
  expect(await channel.closed).toMatchObject({ kind: "failed", message: expect.stringContaining("EPIPE") });
});

test.each([
  ["an error of the input", (input: PassThrough) => void input.destroy(new Error("gone"))],
  ["an input that is cut off", (input: PassThrough) => void input.destroy()],
])("%s closes it as failed", async (_, act) => {
  const input = new PassThrough();
  const channel = createStdioChannel({ input, output: new PassThrough() });
  collect(channel);
  act(input);
  expect((await channel.closed).kind).toBe("failed");
});

test("an input that had ended before is an end, not a wait for ever", async () => {
  const input = new PassThrough();
  input.destroy();
  await tick();
  const channel = createStdioChannel({ input, output: new PassThrough() });
  collect(channel);
  expect((await channel.closed).kind).toBe("failed");
});

test("errors after the close are no uncaught exceptions", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const channel = createStdioChannel({ input, output });
  collect(channel);
  await channel.close();
  output.emit("error", new Error("late"));
  input.emit("error", new Error("late"));
  expect((await channel.closed).kind).toBe("local");
});

test("a close does not wait for ever for a peer that does not read", async () => {
  const { output } = slowOutput();
  const channel = createStdioChannel({ input: new PassThrough(), output, flushMs: 10 });
  channel.send(note(1));
  await channel.close();
  expect(output.destroyed).toBe(true);
});

test("an end that was expected waits while the channel is paused", async () => {
  const input = new PassThrough();
  const channel = createStdioChannel({ input, output: new PassThrough() });
  const got = collect(channel);
  channel.pause();
  channel.expectEnd({ kind: "exit", message: "It died." }, 1);
  // Timers of one length fire in the order in which they were set.
  await new Promise((resolve) => setTimeout(resolve, 1));
  input.write(`${JSON.stringify(note(1))}\n`);
  channel.resume();
  expect(await channel.closed).toMatchObject({ kind: "exit" });
  expect(got.messages.items).toEqual([note(1)]);
});
