import type { Channel } from "@turnkit/transport";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Principal } from "../../src/server/index.js";
import { texts, update } from "../client/remote-client.js";
import { RawAgent } from "./raw-agent.js";
import { SocketStage } from "./raw-socket.js";

const asks = { _meta: { "acp/resumable": true } };

describe("a connection over a WebSocket", () => {
  it("REM-18: 101 with the id of the connection, initialize first, then messages of all sessions in order", async () => {
    const stage = new SocketStage();
    const socket = await stage.socket();
    expect(stage.connectionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(stage.agent.sides).toHaveLength(0);
    // Messages after initialize do not wait for its answer.
    socket.write({ id: 0, method: "initialize", params: { protocolVersion: 1 } }, { id: 1, method: "session/list" });
    expect(await socket.answer(0)).toEqual({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } });
    const { side } = stage.agent;
    await side.call("session/list");
    side.send(update("a", "1"), update("b", "2"), { method: "_note" }, update("a", "3"), { id: 1, result: {} });
    await socket.answer(1);
    expect(texts(socket.frames)).toEqual(["1", "2", "3"]);
    expect(socket.frames.map(({ id, method }) => method ?? id)).toEqual([
      0,
      "session/update",
      "session/update",
      "_note",
      "session/update",
      1,
    ]);
    expect(socket.texts.join()).not.toContain("acp/cursor");
  });

  it("REM-18: another first message is 1002", async () => {
    const stage = new SocketStage();
    for (const first of [{ id: 1, method: "session/list" }, { method: "initialize" }, "{", "[]"]) {
      const socket = await stage.socket();
      socket.write(first, { id: 0, method: "initialize" });
      expect(socket.end?.code).toBe(1002);
    }
    expect(stage.agent.sides).toHaveLength(0);
  });

  it("REM-18: binary frames are ignored, and reported once", async () => {
    const reported: string[] = [];
    const stage = new SocketStage({ onDiagnostic: ({ code }) => reported.push(code) });
    const socket = await stage.socket();
    socket.listener.binary();
    socket.call(0, "initialize");
    await socket.answer(0);
    socket.listener.binary();
    expect([socket.end, reported]).toEqual([undefined, ["invalid_message"]]);
  });

  it("REM-17, REM-25: no JSON, a list and a second initialize are answered with an error; the connection goes on", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin();
    socket.write(
      "{",
      '[{"jsonrpc":"2.0","method":"_a"}]',
      { id: 9, method: "initialize" },
      { id: 10, method: "session/list" },
    );
    await stage.agent.side.call("session/list");
    expect(socket.frames.slice(1)).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
      { id: 9, error: { code: -32600 } },
    ]);
    expect(stage.agent.side.count("initialize")).toBe(1);
  });

  it("REM-22: a frame above the limit closes with 1009", async () => {
    const stage = new SocketStage({ limits: { bodyBytes: 200 } });
    const socket = await stage.begin();
    socket.write(JSON.stringify({ jsonrpc: "2.0", method: "_a" }).padEnd(200));
    socket.write(JSON.stringify({ jsonrpc: "2.0", method: "_b" }).padEnd(201));
    expect(socket.end?.code).toBe(1009);
    await stage.agent.side.closed;
    expect([stage.agent.side.count("_a"), stage.agent.side.count("_b")]).toEqual([1, 0]);
  });

  it("without a first message in time, or without an answer of the agent, the WebSocket closes", async () => {
    const stage = new SocketStage({ limits: { initializeMs: 10 } });
    stage.agent.answers = false;
    const silent = await stage.socket();
    await silent.until(() => silent.end !== undefined);
    expect(silent.end?.code).toBe(1008);
    const asking = await stage.socket();
    asking.call(0, "initialize");
    await asking.until(() => asking.end !== undefined);
    expect(asking.end?.code).toBe(1011);
    await stage.agent.side.closed;
  });

  it("a slow `open` closes with 1011 after its own time, which begins with the first message", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const open = () => new Promise<Channel>(() => {});
    const stage = new SocketStage({ open, agent: undefined, limits: { initializeMs: 1_000 } } as object);
    const socket = await stage.socket();
    await vi.advanceTimersByTimeAsync(600);
    socket.call(0, "initialize");
    await vi.advanceTimersByTimeAsync(999);
    expect(socket.end).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(socket.end?.code).toBe(1011);
  });

  it("WebSockets without a first message have a bound like the one of connections", async () => {
    const stage = new SocketStage({ limits: { connections: 2 } });
    // The place of one that has begun is free already, and its end frees no other.
    (await stage.begin()).listener.closed(1006);
    const [one] = [await stage.socket(), await stage.socket()];
    expect(await stage.ask101()).toMatchObject({ status: 503 });
    one.listener.closed(1006);
    expect(await stage.ask101()).not.toBeInstanceOf(Response);
  });

  it("REM-40: a full server takes resumes of its connections, with and without a name in the upgrade", async () => {
    const stage = new SocketStage({ limits: { connections: 1 } });
    const socket = await stage.begin(asks);
    const named = await stage.again(socket.cursors[0]);
    expect((await named.answer("r")).result.received).toBe(1);
    // Browsers cannot set the header.
    const unnamed = await stage.again(socket.cursors[0], {});
    expect((await unnamed.answer("r")).result.received).toBe(1);
    const other = await stage.socket();
    other.call(0, "initialize");
    await other.until(() => other.end !== undefined);
    expect(other.end).toMatchObject({ code: 1013, reason: expect.stringContaining("too many connections") });
    expect(await stage.initialize()).toMatchObject({ status: 503 });
    expect(stage.agent.sides).toHaveLength(1);
  });

  it("a principal has a bound of its own, which leaves room for others", async () => {
    const authorize = (request: Request) => ({ id: request.headers.get("Authorization") ?? "" });
    const stage = new SocketStage({ authorize, limits: { connectionsOfPrincipal: 2 } });
    const ann = { Authorization: "ann" };
    await stage.initialize({}, ann);
    const { connectionId } = stage;
    const first = await stage.socket(ann);
    first.call(0, "initialize");
    await first.answer(0);
    const refused = await stage.initialize({}, ann);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "5"]);
    const third = await stage.socket(ann);
    third.call(0, "initialize");
    await third.until(() => third.end !== undefined);
    expect(third.end).toMatchObject({ code: 1013, reason: expect.stringContaining("of this principal") });
    const waiting = [await stage.socket(ann), await stage.socket(ann)];
    expect(await stage.ask101(ann)).toMatchObject({ status: 429 });
    expect(await stage.initialize({}, { Authorization: "bob" })).toMatchObject({ status: 200 });
    await stage.ask("DELETE", { "Acp-Connection-Id": connectionId, ...ann });
    expect(await stage.initialize({}, ann)).toMatchObject({ status: 200 });
    waiting[0]?.listener.closed(1006);
    expect(await stage.ask101(ann)).not.toBeInstanceOf(Response);
  });

  it("defect M6: upgrades that were accepted at once take no more places than there are", async () => {
    const authorize = (request: Request): Principal => ({ id: request.headers.get("Authorization") ?? "" });
    const stage = new SocketStage({ authorize, limits: { connectionsOfPrincipal: 1 } });
    const ann = { Authorization: "ann" };
    const sockets = await Promise.all([stage.socket(ann), stage.socket(ann), stage.socket(ann)]);
    const ends = sockets.map(({ end }) => end?.code);
    expect(ends.filter((code) => code === undefined).length).toBeLessThan(sockets.length);
    expect(ends.at(-1)).toBe(1013);
  });

  it("defect M6: many frames that are no messages end the connection; a few are answered", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin();
    for (let n = 0; n < 1_000; n += 1) socket.write("x");
    expect(socket.frames.filter(({ error }) => error !== undefined)).toHaveLength(1_000);
    expect(socket.end).toBeUndefined();
    socket.write("x");
    expect(socket.end?.code).toBe(1008);
    await stage.agent.side.closed;
  });

  it("without `authorize` all connections have the same principal, and only the common bound", async () => {
    const stage = new SocketStage({ limits: { connections: 3, connectionsOfPrincipal: 1 } });
    expect([await stage.initialize(), await stage.initialize()]).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  it("REM-24: without resumption the end of the WebSocket ends the agent; the agent's end closes the WebSocket", async () => {
    const stage = new SocketStage();
    const first = await stage.begin();
    first.listener.closed(1006);
    await stage.agent.side.closed;
    const other = new SocketStage();
    const socket = await other.begin();
    other.agent.side.send({ method: "_last" });
    await other.agent.side.channel.close();
    await socket.until(() => socket.end !== undefined);
    expect([socket.frames.at(-1)?.method, socket.end?.code]).toEqual(["_last", 1000]);
  });

  it("REM-54: close ends WebSockets with 1001, also those without a first message, and their agents", async () => {
    const stage = new SocketStage();
    const sockets = [await stage.begin(), await stage.socket()];
    const late = await stage.ask101();
    await stage.server.close();
    expect(sockets.map(({ end }) => end?.code)).toEqual([1001, 1001]);
    expect(stage.agent.side.isClosed).toBe(true);
    expect(await stage.ask101()).toMatchObject({ status: 503 });
    const closes: number[] = [];
    if (!(late instanceof Response)) late.open({ bufferedAmount: 0, send() {}, close: (code) => closes.push(code) });
    expect(closes).toEqual([1001]);
  });

  it("REM-19, REM-37: the subprotocol of tokens is never selected; cookies of the caller stay unmerged", async () => {
    const stage = new SocketStage();
    const upgrade = await stage.ask101({ "Sec-WebSocket-Protocol": "acp-token.hush, acp" });
    if (upgrade instanceof Response) throw new Error("refused");
    expect(upgrade.protocol).toBe("acp");
    for (const cookie of ["a=1", "b=2"]) upgrade.headers.append("Set-Cookie", cookie);
    expect(upgrade.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    const other = await stage.ask101({ "Sec-WebSocket-Protocol": "acp-token.hush" });
    expect((other as { protocol?: string }).protocol).toBeUndefined();
  });

  it("REM-20, REM-21: host, origin and `authorize` decide about the upgrade, before anything is allocated", async () => {
    const authorize = (request: Request): Principal | undefined =>
      request.headers.has("Authorization") ? { id: "ann" } : undefined;
    const stage = new SocketStage({ authorize, hosts: [] });
    const ann = { Authorization: "ann" };
    expect(await stage.ask101()).toMatchObject({ status: 401 });
    expect(await stage.ask101({ ...ann, Origin: "https://evil.example" })).toMatchObject({ status: 403 });
    expect(await stage.ask101({ ...ann, Host: "evil.example" })).toMatchObject({ status: 403 });
    expect(await stage.ask101(ann)).not.toBeInstanceOf(Response);
  });

  it("a connection of a WebSocket is none of HTTP", async () => {
    const stage = new SocketStage();
    await stage.begin();
    expect((await stage.get()).status).toBe(400);
    expect((await stage.post({ method: "_a" })).status).toBe(400);
  });

  it("REM-23: a client that does not read lets the agent wait, and messages follow when there is room", async () => {
    const stage = new SocketStage({ limits: { streamCharacters: 100_000 } });
    const socket = await stage.begin();
    socket.isStuck = true;
    const long = "x".repeat(10_000);
    let sent = 0;
    const flood = (async () => {
      for (; sent < 200; sent += 1) await stage.agent.side.send(update("s", long));
    })();
    await vi.waitFor(() => expect(sent).toBeGreaterThan(30));
    await new Promise((resolve) => setImmediate(resolve));
    expect(socket.bufferedAmount).toBeLessThan(300_000);
    expect(sent).toBeLessThan(100);
    socket.isStuck = false;
    socket.bufferedAmount = 0;
    socket.listener.drained();
    await flood;
    await socket.until(() => texts(socket.frames).length === 200);
  });

  it("REM-23: a client that makes no progress for too long is closed with 1008", async () => {
    const stage = new SocketStage({ limits: { streamCharacters: 1_000, stalledMs: 20 } });
    const socket = await stage.begin();
    socket.bufferedAmount = 1e6;
    for (let at = 0; at < 20; at += 1) stage.agent.side.send(update("s", "x".repeat(100)));
    await socket.until(() => socket.end !== undefined);
    expect(socket.end?.code).toBe(1008);
    await stage.agent.side.closed;
  });

  it("REM-23: a client that sends what is no message, and reads no answers, is closed with 1008", async () => {
    const stage = new SocketStage({ limits: { streamCharacters: 10_000 } });
    const socket = await stage.begin();
    socket.bufferedAmount = 1e6;
    for (let at = 0; at < 1_000 && socket.end === undefined; at += 1) socket.write("{");
    expect(socket.end?.code).toBe(1008);
    await stage.agent.side.closed;
  });

  it("frames that arrive while the agent is being opened have a bound", async () => {
    let opened = (_: Channel) => {};
    const open = () =>
      new Promise<Channel>((resolve) => {
        opened = resolve;
      });
    const stage = new SocketStage({ open, agent: undefined } as object);
    const socket = await stage.socket();
    socket.call(0, "initialize");
    for (let at = 0; at < 20_000 && socket.end === undefined; at += 1) socket.write("{}");
    expect(socket.end?.code).toBe(1008);
    opened(stage.agent.channel());
    await vi.waitFor(() => expect(stage.agent.side.isClosed).toBe(true));
  });

  it("a message that the agent's channel does not take is answered with an error", async () => {
    const agent = new RawAgent();
    const open = () => {
      const channel = agent.channel();
      const send = channel.send.bind(channel);
      channel.send = (message) => {
        if ("method" in message && message.method === "_large") throw new Error("too large");
        return send(message);
      };
      return channel;
    };
    const reported: string[] = [];
    const stage = new SocketStage({
      open,
      agent: undefined,
      onDiagnostic: ({ code }: { code: string }) => reported.push(code),
    } as object);
    const socket = await stage.begin();
    socket.write({ id: 1, method: "_large" }, { method: "_large" }, { id: 1, method: "_small" });
    expect(await socket.answer(1)).toMatchObject({
      error: { code: -32603, message: expect.stringContaining("too large") },
    });
    expect((await agent.side.call("_small")).id).toBe(1);
    expect(reported).toEqual(["dropped"]);
  });

  it("REM-23: a client is slowed down while the agent does not read", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin();
    stage.agent.side.channel.pause();
    for (let at = 0; at < 100; at += 1) socket.write({ method: "_a", params: { text: "x".repeat(1_000) } });
    expect(socket.isPaused).toBe(true);
    stage.agent.side.channel.resume();
    await vi.waitFor(() => expect(socket.isPaused).toBe(false));
    expect(stage.agent.side.count("_a")).toBe(100);
  });
});

describe("a cut of a WebSocket", () => {
  it("REM-39, REM-40, REM-50: the answer of initialize has the offer, the id of the connection and a cursor", async () => {
    const stage = new SocketStage();
    const socket = await stage.begin(asks);
    expect(socket.frames[0]).toMatchObject({
      _meta: { "acp/cursor": expect.any(String) },
      result: {
        capabilities: { transport: { resumable: { retentionMessages: 1_000, retentionSeconds: 300 } } },
        _meta: { "acp/connectionId": stage.connectionId },
      },
    });
  });

  it("REM-40, REM-41, REM-52: stream/resume replays what was missed with the same cursors, and goes on", async () => {
    const stage = new SocketStage();
    const first = await stage.begin(asks);
    const { side } = stage.agent;
    side.send(update("a", "1"), update("b", "2"), update("a", "3"));
    await first.until(() => texts(first.frames).length === 3);
    first.listener.closed(1006);
    side.send(update("a", "4"));
    const again = await stage.again(first.cursors[1]);
    expect(await again.answer("r")).toMatchObject({ result: { streams: [{ cursor: first.cursors[1] }], received: 1 } });
    await again.until(() => texts(again.frames).length === 3);
    expect(texts(again.frames)).toEqual(["2", "3", "4"]);
    expect(again.cursors.slice(1, 3)).toEqual(first.cursors.slice(2));
    side.send(update("a", "5"));
    await again.until(() => texts(again.frames).length === 4);
    expect(side.isClosed).toBe(false);
  });

  it("REM-49: the answer of a resume counts the messages that arrived, whatever their fate", async () => {
    const stage = new SocketStage();
    const first = await stage.begin(asks);
    first.write({ id: 1, method: "session/list" }, "{", {
      id: 2,
      method: "session/prompt",
      params: { sessionId: "s" },
    });
    first.listener.closed(1006);
    // What a cut WebSocket still brings does not count.
    first.write({ method: "_late" });
    const again = await stage.again(first.cursors[0]);
    expect((await again.answer("r")).result.received).toBe(4);
    again.write({ id: 2, method: "session/prompt", params: { sessionId: "s" } }, { method: "_next" });
    await stage.agent.side.call("_next");
    expect([stage.agent.side.count("session/prompt"), stage.agent.side.count("_late")]).toEqual([1, 0]);
  });

  it("REM-46: the answer says whether a prompt runs, or the last states follow the replay", async () => {
    const stage = new SocketStage();
    const first = await stage.begin(asks);
    first.call("p", "session/prompt", { sessionId: "s" });
    await stage.agent.side.call("session/prompt");
    first.listener.closed(1006);
    const second = await stage.again(first.cursors[0]);
    const turnState = { state: "running", promptRequestId: "p" };
    expect((await second.answer("r")).result._meta).toEqual({ "acp/turnState": turnState });
    const state = {
      method: "session/update",
      params: { sessionId: "s", update: { sessionUpdate: "state_update", state: "idle" } },
    };
    stage.agent.side.send(state, update("s", "1"));
    await second.until(() => texts(second.frames).length === 1);
    second.listener.closed(1006);
    const third = await stage.again(second.cursors[1]);
    stage.agent.side.send(update("s", "2"));
    await third.until(() => texts(third.frames).length === 2);
    expect(third.frames.map(({ id, params }) => id ?? params.update.content?.text ?? params.update.state)).toEqual([
      "r",
      "1",
      "idle",
      "2",
    ]);
    expect(third.frames[0]?.result).not.toHaveProperty("_meta");
  });

  it("REM-41, REM-52: a refused resume says why, and nothing is live", async () => {
    const stage = new SocketStage({ resumption: { messages: 1 } });
    const first = await stage.begin(asks);
    stage.agent.side.send(update("s", "1"), update("s", "2"));
    await first.until(() => texts(first.frames).length === 2);
    first.listener.closed(1006);
    for (const [cursor, reason] of [
      ["nonsense", "cursor_unknown"],
      [first.cursors[0], "cursor_expired"],
    ]) {
      const again = await stage.again(cursor);
      expect(again.frames).toEqual([{ jsonrpc: "2.0", method: "stream/resume_failed", params: { reason } }]);
      expect(again.end?.code).toBe(4404);
    }
    const { connectionId } = stage;
    const unnamed = await stage.socket();
    unnamed.call("r", "stream/resume", { connectionId: "none", streams: [] });
    expect(unnamed.frames[0]?.params).toEqual({ reason: "connection_unknown" });
    for (const params of [
      { connectionId },
      { connectionId, streams: [null] },
      { connectionId, streams: [{ cursor: { toString: 1, valueOf: 1 } }] },
      {},
      null,
    ]) {
      const odd = await stage.socket({ "Acp-Connection-Id": connectionId });
      odd.write({ id: "r", method: "stream/resume", params });
      expect(odd.frames[0]?.method).toBe("stream/resume_failed");
    }
    stage.connectionId = connectionId;
    expect((await stage.again(first.cursors[2])).end).toBeUndefined();
  });

  it("the id of a resume may be any number", async () => {
    const stage = new SocketStage();
    const first = await stage.begin(asks);
    const again = await stage.socket(stage.headers());
    const params = JSON.stringify({ connectionId: stage.connectionId, streams: [{ cursor: first.cursors[0] }] });
    again.write(`{"jsonrpc":"2.0","id":123456789012345678901,"method":"stream/resume","params":${params}}`);
    expect(again.texts[0]).toContain('"id":123456789012345678901,');
  });

  it("an exception of a socket does not reach the runtime", async () => {
    const reported: string[] = [];
    const stage = new SocketStage({ onDiagnostic: ({ code }) => reported.push(code) });
    const socket = await stage.begin();
    socket.send = () => {
      throw new Error("gone");
    };
    socket.write("{");
    expect([socket.end?.code, reported]).toEqual([1011, ["handler_failed"]]);
    await stage.agent.side.closed;
  });

  it("REM-20, REM-40: the upgrade for an unknown connection, one of another principal or one that is not resumable is 404", async () => {
    const authorize = (request: Request) => ({ id: request.headers.get("Authorization") ?? "ann" });
    const stage = new SocketStage({ authorize });
    await stage.begin(asks);
    const { connectionId } = stage;
    const named = { "Acp-Connection-Id": connectionId };
    expect(await stage.ask101({ "Acp-Connection-Id": "none" })).toMatchObject({ status: 404 });
    expect(await stage.ask101({ ...named, Authorization: "bob" })).toMatchObject({ status: 404 });
    const bob = await stage.socket({ Authorization: "bob" });
    bob.call("r", "stream/resume", { connectionId, streams: [] });
    expect(bob.frames[0]?.params).toEqual({ reason: "connection_unknown" });
    await stage.begin();
    expect(await stage.ask101(stage.headers())).toMatchObject({ status: 404 });
    expect(await stage.ask101(named)).not.toBeInstanceOf(Response);
  });

  it("REM-51: a resume takes over from a WebSocket that is held open; the former one is closed and changes nothing", async () => {
    const stage = new SocketStage();
    const dead = await stage.begin(asks);
    const live = await stage.again(dead.cursors[0]);
    await live.answer("r");
    expect(dead.end?.code).toBe(1008);
    dead.write({ method: "_late" });
    stage.agent.side.send(update("s", "1"));
    await live.until(() => texts(live.frames).length === 1);
    expect(texts(dead.frames)).toEqual([]);
    expect([stage.agent.side.count("_late"), stage.agent.side.isClosed]).toEqual([0, false]);
  });

  it("REM-50: a client that got not even a cursor gets everything", async () => {
    const stage = new SocketStage();
    const first = await stage.begin(asks);
    first.listener.closed(1006);
    const again = await stage.again(undefined);
    expect(await again.answer(0)).toMatchObject({ result: { protocolVersion: 1 } });
  });

  it("a normal close of the client ends the connection, though it is resumable", async () => {
    const stage = new SocketStage();
    (await stage.begin(asks)).listener.closed(1000);
    await stage.agent.side.closed;
    expect(await stage.ask101(stage.headers())).toMatchObject({ status: 404 });
  });
});
