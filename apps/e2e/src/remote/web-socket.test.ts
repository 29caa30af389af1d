import { createAgent } from "@turnkit/agent";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import type { FramedSocket } from "./framed-socket.js";
import { RawWebSocket } from "./raw-web-socket.js";
import { startRemoteAgent, startRemoteServer } from "./remote-server.js";

const info = { name: "remote", version: "1.0.0" };
const echo = createAgent({
  info,
  newSession() {},
  prompt: (turn) => void turn.say("One.\nTwo."),
});

async function connected(agent = echo, options: Parameters<typeof startRemoteAgent>[1] = {}) {
  const remote = await startRemoteAgent(agent, options);
  const raw = await RawWebSocket.open(remote.webSocket);
  return { remote, raw };
}

// The server says what it closes for on the console.
let warned: MockInstance;
beforeEach(() => {
  warned = vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => warned.mockRestore());

describe("our agent over WebSocket", () => {
  it("V2-REM-10: the upgrade names the connection; a message is a text frame", async () => {
    const { remote, raw } = await connected();
    expect(raw.socket.headers["acp-connection-id"]).toMatch(/^[0-9a-f-]{36}$/);
    const other = await RawWebSocket.open(remote.webSocket);
    expect(other.socket.headers["acp-connection-id"]).not.toBe(raw.socket.headers["acp-connection-id"]);
    expect(await raw.initialize(2)).toMatchObject({ result: { protocolVersion: 2, info } });
    const id = await raw.newSession();
    raw.prompt(id, 2);
    await raw.next(({ params }) => params?.update?.state === "idle");
    for (const text of raw.texts) expect(text).toMatch(/^\{"[^\n]*\}$/);
    expect(raw.texts.join()).toContain(JSON.stringify("One.\nTwo."));
  });

  it("V2-REM-10: binary frames are ignored", async () => {
    const { raw } = await connected();
    const hello = { jsonrpc: "2.0", id: 7, method: "initialize", params: { protocolVersion: 1 } };
    raw.socket.sendBinary(new TextEncoder().encode(JSON.stringify(hello)));
    await raw.initialize();
    raw.socket.sendBinary(Uint8Array.of(0xff, 0xfe));
    expect(await raw.newSession()).toBeTypeOf("string");
    expect(raw.frames.map(({ id }) => id)).toEqual([0, "new"]);
  });

  it("V2-REM-11: before initialize, answers are ignored and what is no message is answered; the socket stays", async () => {
    const { raw } = await connected();
    raw.send({ id: 1, result: {} }, { id: 2, error: { code: 1, message: "x" } });
    raw.socket.send("nonsense", "[]", '[{"jsonrpc":"2.0","id":3,"method":"initialize"}]', "7", '{"method":"x"}');
    expect(await raw.initialize()).toHaveProperty("result");
    expect(raw.frames.slice(0, 5).map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [null, -32600],
      [null, -32600],
    ]);
    expect(raw.frames).toHaveLength(6);
  });

  it.each([
    ["another call", { id: 1, method: "session/new", params: { cwd: "/srv", mcpServers: [] } }],
    ["a notification", { method: "session/cancel", params: { sessionId: "s" } }],
    ["initialize without an id", { method: "initialize", params: { protocolVersion: 1 } }],
  ])("V2-REM-11, V2-REM-12: %s before initialize closes with 1002", async (_, frame) => {
    const { remote, raw } = await connected();
    raw.send(frame);
    expect((await raw.closed).code).toBe(1002);
    expect(raw.frames).toEqual([]);
    expect((await remote.served[0]?.closed)?.kind).toBe("remote");
  });

  it("V2-REM-11: a later initialize is answered -32600, and the talk goes on", async () => {
    const { raw } = await connected();
    await raw.initialize();
    const id = await raw.newSession();
    raw.send({ id: 5, method: "initialize", params: { protocolVersion: 1 } });
    expect(await raw.answer(5)).toMatchObject({ error: { code: -32600 } });
    raw.prompt(id, 6);
    expect(await raw.answer(6)).toMatchObject({ result: { stopReason: "end_turn" } });
  });
});

describe("close codes of the WebSocket", () => {
  it("V2-REM-12: 1001 when the server shuts down before initialize", async () => {
    const { remote, raw } = await connected();
    await remote.close();
    expect((await raw.closed).code).toBe(1001);
    expect((await remote.served[0]?.closed)?.kind).toBe("remote");
  });

  it("V2-REM-12: none when it shuts down later; our agent's sessions end", async () => {
    const closeSession = vi.fn();
    const { remote, raw } = await connected(createAgent({ info, newSession() {}, prompt() {}, closeSession }));
    await raw.initialize();
    await raw.newSession();
    await remote.close();
    // The SDK closes the socket for the end of its connection before it would say 1001.
    expect((await raw.closed).code).toBe(1005);
    await remote.served[0]?.closed;
    expect(closeSession).toHaveBeenCalledOnce();
  });

  it("V2-REM-12: 1008 for a limit, here the length of an id", async () => {
    const { remote, raw } = await connected();
    await raw.initialize();
    raw.send({ id: "x".repeat(1_025), method: "session/list", params: {} });
    expect(await raw.closed).toMatchObject({ code: 1008, reason: expect.stringContaining("maxIdLength (1024)") });
    await remote.served[0]?.closed;
  });

  it.each([
    [8, "an answer"],
    [9, 1008],
  ])(
    "V2-REM-12: frames that wait count their length and 1 KiB each: %i with initialize give %s",
    async (count, outcome) => {
      const frameOf = (frame: object) => JSON.stringify({ jsonrpc: "2.0", ...frame });
      const hello = { id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } };
      const note = { method: "_note", params: { text: "x".repeat(100) } };
      const maxBufferedBytes = 1_024 + frameOf(hello).length + 8 * (1_024 + frameOf(note).length);
      const { raw } = await connected(echo, { limits: { maxBufferedBytes } });
      raw.send(hello, ...Array.from({ length: count }, () => note));
      const closed = raw.closed.then(({ code }) => code);
      expect(await Promise.race([closed, raw.answer(0).then(() => "an answer")])).toBe(outcome);
    },
  );

  it("V2-REM-12: 1011 when our agent ends instead of answering initialize", async () => {
    const server = await startRemoteServer(() => ({ closed: Promise.resolve() }));
    const raw = await RawWebSocket.open(server.webSocket);
    raw.send({ id: 0, method: "initialize", params: { protocolVersion: 1 } });
    expect(await raw.answer(0)).toMatchObject({ error: { code: -32603, message: "Initialize failed" } });
    expect((await raw.closed).code).toBe(1011);
  });

  it("V2-REM-12: 1011 when a message cannot be sent; our agent's connection ends", async () => {
    let theirs: FramedSocket | undefined;
    const onSocket = (socket: FramedSocket) => {
      theirs = socket;
    };
    const { remote, raw } = await connected(echo, { onSocket });
    await raw.initialize();
    Object.assign(theirs as object, {
      send() {
        throw new Error("torn");
      },
    });
    raw.send({ id: 1, method: "session/new", params: { cwd: "/srv", mcpServers: [] } });
    expect((await raw.closed).code).toBe(1011);
    await remote.served[0]?.closed;
  });
});

describe("a WebSocket client that does not read", () => {
  it("V2-REM-12: the server looks at bufferedAmount after 10 ms, doubling to 1 s, while our agent's handler waits", async () => {
    const filler = "x".repeat(1_000);
    let said = 0;
    const agent = createAgent({
      info,
      newSession() {},
      async prompt(turn) {
        for (; said < 300; said += 1) await turn.say(filler);
      },
    });
    const looks: number[] = [];
    let unsent = 0;
    const onSocket = (socket: FramedSocket) => {
      const look = () => {
        if (unsent > 0) looks.push(performance.now());
        return unsent;
      };
      Object.defineProperty(socket, "bufferedAmount", { get: look });
    };
    const limits = { maxBufferedBytes: 5_000 };
    const { raw } = await connected(agent, { limits, onSocket });
    await raw.initialize();
    const id = await raw.newSession();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      unsent = 5_000;
      raw.prompt(id, 2);
      for (let round = 0; round < 50; round += 1) await new Promise((resolve) => setImmediate(resolve));
      for (let ms = 0; ms < 5_000; ms += 5) await vi.advanceTimersByTimeAsync(5);
      const waits = looks.slice(1).map((at, n) => Math.round(at - (looks[n] as number)));
      expect(waits.filter((wait) => wait > 0).slice(0, 9)).toEqual([10, 20, 40, 80, 160, 320, 640, 1_000, 1_000]);
      expect(said).toBeLessThan(100);
      unsent = 0;
      await vi.advanceTimersByTimeAsync(1_000);
    } finally {
      vi.useRealTimers();
    }
    await raw.answer(2);
    expect(said).toBe(300);
    expect(raw.frames.filter(({ method }) => method === "session/update")).toHaveLength(300);
  });

  it("V2-REM-12: 1008 when it reads nothing for the time of the limit", async () => {
    const agent = createAgent({ info, newSession() {}, prompt: (turn) => void turn.say("x".repeat(1_000)) });
    let unsent = 0;
    const onSocket = (socket: FramedSocket) =>
      void Object.defineProperty(socket, "bufferedAmount", { get: () => unsent });
    const { remote, raw } = await connected(agent, {
      limits: { maxBufferedBytes: 500, maxOutputStallMs: 30 },
      onSocket,
    });
    await raw.initialize();
    const id = await raw.newSession();
    unsent = 500;
    raw.prompt(id, 2);
    expect(await raw.closed).toMatchObject({ code: 1008, reason: expect.stringContaining("stalled") });
    await remote.served[0]?.closed;
  });
});
