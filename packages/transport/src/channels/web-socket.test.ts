import { describe, expect, test, vi } from "vitest";
import { collect, describeChannel, note, Taken } from "../../test/channel-contract.js";
import { FakeSocket } from "../../test/socket-pair.js";
import { createConnection } from "../channel-connection.js";
import { FrameError } from "../errors.js";
import { createWebSocketChannel } from "./web-socket.js";

describeChannel({
  name: "a WebSocket",
  endKind: "remote",
  async open() {
    const [socket, far] = FakeSocket.pair({ held: true });
    const taken = new Taken<unknown>();
    far.addEventListener("message", (event) => taken.add(JSON.parse((event as Event & { data: string }).data)));
    const peer = {
      send: (message: unknown) => far.send(JSON.stringify(message)),
      end: () => far.close(1000),
      read: () => far.read(),
      taken,
    };
    return { channel: createWebSocketChannel(socket), peer };
  },
});

const big = (n: number) => note(n, "x".repeat(300 * 1024));

describe("a channel over a WebSocket", () => {
  test("V2-REM-10: a text frame is one message; binary frames are ignored, and what is no JSON is noise", async () => {
    const [socket, far] = FakeSocket.pair();
    const got = collect(createWebSocketChannel(socket));
    far.tell("message", { data: JSON.stringify(note(0)) });
    socket.tell("message", { data: new TextEncoder().encode(JSON.stringify(note(1))) });
    far.send("hello");
    far.send(`${JSON.stringify(note(2)).replace("{", '{"id":9007199254740993,')}\n`);
    await got.messages.atLeast(1);
    expect(got.messages.items).toEqual([{ ...note(2), id: 9007199254740993n }]);
    expect(got.noise.items).toEqual(["a binary frame", "hello"]);
  });

  test("defect N93: the first binary frame is reported in its place, of any form of bytes", async () => {
    for (const data of [new ArrayBuffer(2), new Uint8Array(2), new Blob(["{}"]), [new Uint8Array(1)]]) {
      const [socket] = FakeSocket.pair();
      const messages: string[] = [];
      createConnection(createWebSocketChannel(socket), { onDiagnostic: ({ message }) => messages.push(message) });
      socket.tell("message", { data: "hello" });
      for (const _ of [1, 2]) socket.tell("message", { data });
      expect(messages).toEqual([
        expect.stringContaining("hello"),
        'The peer wrote a line that was not parsed: binary frames are ignored, so the other side must send each message as a text, not as bytes. "a binary frame"',
      ]);
    }
  });

  test("messages are delivered as they come, so that a flood that nothing can stop does not pile up", async () => {
    const [socket] = FakeSocket.pair();
    const channel = createWebSocketChannel(socket, { unread: 2_000 });
    let delivered = 0;
    channel.start({ message: () => delivered++, invalidLine: () => undefined });
    for (let n = 0; n < 20_000; n++) {
      socket.tell("message", { data: JSON.stringify(note(n)) });
      if (n === 10_000) channel.pause();
      if (n === 10_000) channel.resume();
      expect(delivered).toBe(n + 1);
    }
    socket.end(1000);
    expect((await channel.closed).kind).toBe("remote");
  });

  test("with split, a frame has several messages: a pause begins after them, and a broken frame closes the channel", async () => {
    const [socket] = FakeSocket.pair();
    const split = (frame: string) => {
      if (frame === "broken") throw new FrameError("It is broken.");
      return frame.split("\n");
    };
    const channel = createWebSocketChannel(socket, { split });
    const got: unknown[] = [];
    channel.start({
      message(message, bytes) {
        got.push([message, bytes]);
        channel.pause();
      },
      invalidLine: (sample) => got.push(sample),
    });
    const [one, two, three] = [note(1), note(2), note(3)].map((message) => JSON.stringify(message));
    socket.tell("message", { data: `${one}\nno json\n${two}` });
    socket.tell("message", { data: three });
    expect(got).toEqual([[note(1), one?.length], "no json", [note(2), two?.length]]);
    channel.resume();
    expect(got.length).toBe(4);
    channel.resume();
    socket.tell("message", { data: "broken" });
    expect(await channel.closed).toMatchObject({ kind: "frame", message: "It is broken." });
  });

  test("sends one text per message, ids digit by digit, once the socket is open", async () => {
    const [socket, far] = FakeSocket.pair();
    const texts = new Taken<string>();
    far.addEventListener("message", (event) => texts.add((event as Event & { data: string }).data));
    socket.readyState = 0;
    const channel = createWebSocketChannel(socket);
    expect(channel.send({ jsonrpc: "2.0", id: 9007199254740993n, method: "m" })).toBeUndefined();
    const room = channel.send(big(1));
    expect(room).toBeInstanceOf(Promise);
    const closing = channel.close();
    await room;
    expect(socket.closedWith).toBeUndefined();
    socket.readyState = 1;
    socket.tell("open");
    expect(await texts.atLeast(2)).toEqual([
      '{"id":9007199254740993,"jsonrpc":"2.0","method":"m"}',
      JSON.stringify(big(1)),
    ]);
    await closing;
    expect(socket.closedWith).toEqual({ code: 1000, reason: undefined });
  });

  test("a socket that does not open closes the channel as failed", async () => {
    const [socket] = FakeSocket.pair();
    socket.readyState = 0;
    const channel = createWebSocketChannel(socket);
    collect(channel);
    const cause = new Error("refused");
    socket.tell("error", { error: cause });
    socket.end(1006);
    expect(await channel.closed).toMatchObject({
      kind: "failed",
      message: expect.stringMatching(/could not be opened; check its address.*: refused\.$/),
      cause,
    });
    const dead = createWebSocketChannel(socket);
    collect(dead);
    expect(await dead.closed).toMatchObject({ kind: "failed", message: expect.stringContaining("before the channel") });
  });

  test.each([
    [1000, "remote"],
    [1001, "remote"],
    [1005, "remote"],
    [1002, "failed"],
    [1008, "failed"],
    [4000, "failed"],
  ])("V2-REM-12: code %i of the other side is the end %s", async (code, kind) => {
    const [socket] = FakeSocket.pair();
    const channel = createWebSocketChannel(socket);
    collect(channel);
    socket.end(code, "because");
    const message = expect.stringMatching(new RegExp(`code ${code}: because`));
    expect(await channel.closed).toMatchObject({ kind, message });
  });

  test("defect S46: a reason that is a sentence keeps its own point", async () => {
    const [socket] = FakeSocket.pair();
    const channel = createWebSocketChannel(socket);
    collect(channel);
    socket.end(1000, "The agent ended the connection.");
    const { message } = await channel.closed;
    expect(message).toBe("The other side closed the WebSocket with code 1000: The agent ended the connection.");
  });

  test("an open socket whose connection is torn says that it was lost, and what the runtime knows of it", async () => {
    const several = Object.assign(new AggregateError([]), { code: "ECONNRESET" });
    for (const [event, text] of [
      [{ error: several }, /was lost \(code 1006\): ECONNRESET\.$/],
      [{}, /was lost \(code 1006\)\.$/],
    ] as const) {
      const [socket] = FakeSocket.pair();
      const channel = createWebSocketChannel(socket);
      collect(channel);
      socket.tell("error", event);
      socket.end(1006);
      expect((await channel.closed).message).toMatch(text);
    }
  });

  test("looks for room after 10 ms, then ever later, up to 250 ms", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const [socket, far] = FakeSocket.pair({ held: true });
      const channel = createWebSocketChannel(socket);
      let roomy = false;
      void channel.send(big(0))?.then(() => {
        roomy = true;
      });
      await vi.advanceTimersByTimeAsync(10 + 20 + 40 + 80 + 160 + 250);
      expect(vi.getTimerCount()).toBe(1);
      far.read();
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(249);
      expect(roomy).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(roomy).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("nobody waits for room at a socket that is gone, also during a pause", async () => {
    const [socket, far] = FakeSocket.pair({ held: true });
    const channel = createWebSocketChannel(socket);
    const got = collect(channel);
    channel.pause();
    far.send(JSON.stringify(note(1)));
    await new Promise((resolve) => setImmediate(resolve));
    const room = channel.send(big(0));
    socket.end(1006);
    await room;
    expect(channel.send(big(1))).toBeUndefined();
    channel.resume();
    await channel.closed;
    expect(got.messages.items).toEqual([note(1)]);
  });

  test("closes as overflow when more waits to be sent than it may; one larger message passes alone", async () => {
    const [socket] = FakeSocket.pair({ held: true });
    const channel = createWebSocketChannel(socket, { unsent: 100 });
    channel.send(note(1, "x".repeat(200)));
    expect(socket.readyState).toBe(1);
    expect(channel.send(note(2))).toBeUndefined();
    expect(await channel.closed).toMatchObject({ kind: "overflow", message: expect.stringContaining("100 bytes") });
    expect(socket.closedWith).toEqual({ code: 4000, reason: "overflow" });
  });

  test("V2-REM-12: closes as overflow when more arrives in a pause than it may keep, counting 1 KiB for each", async () => {
    const text = JSON.stringify(note(1));
    const [socket, far] = FakeSocket.pair();
    const channel = createWebSocketChannel(socket, { unread: 3 * (1024 + text.length) });
    const got = collect(channel);
    channel.pause();
    for (let count = 0; count < 3; count += 1) far.send(text);
    await new Promise((resolve) => setImmediate(resolve));
    channel.resume();
    expect(await got.messages.atLeast(3)).toHaveLength(3);
    channel.pause();
    for (let count = 0; count < 4; count += 1) far.send(text);
    expect((await channel.closed).kind).toBe("overflow");
    expect(got.messages.items).toHaveLength(3);
  });

  test("V2-REM-06: closes as frame at a message above the limit, after what came before it", async () => {
    const [socket, far] = FakeSocket.pair();
    const channel = createWebSocketChannel(socket, { frame: 100 });
    const got = collect(channel);
    far.send(JSON.stringify(note(1)));
    far.send(JSON.stringify(note(2, "x".repeat(100))));
    expect(await channel.closed).toMatchObject({ kind: "frame", message: expect.stringContaining("100 characters") });
    expect(got.messages.items).toEqual([note(1)]);
    expect(socket.closedWith).toEqual({ code: 4000, reason: "frame" });
  });

  test("delivers after a pause what arrived in it, though the other side has gone", async () => {
    const [socket, far] = FakeSocket.pair();
    const channel = createWebSocketChannel(socket);
    const got = collect(channel);
    channel.pause();
    for (let n = 0; n < 3; n += 1) far.send(JSON.stringify(note(n)));
    const gone = new Promise((resolve) => socket.addEventListener("close", resolve));
    far.close(1000);
    await gone;
    let over = false;
    void channel.closed.then(() => {
      over = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([over, got.messages.items]).toEqual([false, []]);
    channel.resume();
    expect((await channel.closed).kind).toBe("remote");
    expect(got.messages.items).toEqual([note(0), note(1), note(2)]);
  });

  test("holds the sender up where the socket can", async () => {
    const [socket] = FakeSocket.pair();
    const pausable = Object.assign(socket, { pause: vi.fn(), resume: vi.fn() });
    const channel = createWebSocketChannel(pausable);
    collect(channel);
    channel.pause();
    expect([pausable.pause.mock.calls.length, pausable.resume.mock.calls.length]).toEqual([1, 0]);
    channel.resume();
    expect(pausable.resume).toHaveBeenCalledOnce();
    channel.pause();
    // Else the other side's answer to the close would never be heard.
    await channel.close();
    expect(pausable.resume).toHaveBeenCalledTimes(2);
  });

  test("a send that throws closes the channel as failed; a message that JSON cannot express throws at the sender", async () => {
    const [socket] = FakeSocket.pair();
    const channel = createWebSocketChannel(socket);
    expect(() => channel.send({ jsonrpc: "2.0", method: "m", params: { n: 1n } })).toThrow(TypeError);
    socket.send = () => {
      throw new Error("torn");
    };
    expect(channel.send(note(1))).toBeUndefined();
    expect(await channel.closed).toMatchObject({ kind: "failed", message: expect.stringContaining("torn") });
  });

  test("a close waits 5 s for the other side, and no longer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const [socket] = FakeSocket.pair({ held: true });
      const channel = createWebSocketChannel(socket);
      let over = false;
      void channel.close().then(() => {
        over = true;
      });
      await vi.advanceTimersByTimeAsync(4_999);
      expect(over).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(over).toBe(true);
      expect((await channel.closed).kind).toBe("local");
    } finally {
      vi.useRealTimers();
    }
  });
});
