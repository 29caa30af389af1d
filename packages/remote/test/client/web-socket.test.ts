import type { Diagnostic } from "@turnkit/transport";
import { describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { createCookieStore, openRemote, type RemoteOptions, type WebSocketRequest } from "../../src/client/index.js";
import { type RawSocket, RawSocketServer, webSocket } from "./raw-socket-server.js";
import { quick, RemoteClient, texts, update } from "./remote-client.js";

type Stage = { readonly server: RawSocketServer; readonly socket: RawSocket; readonly client: RemoteClient };

type Settings = RemoteOptions & { readonly isResumable?: boolean };

/** A client that is connected, at the first WebSocket of a server. */
async function stage({ isResumable = false, ...options }: Settings = {}): Promise<Stage> {
  const server = await RawSocketServer.start();
  const client = await RemoteClient.open(server.url, { webSocket, ...options });
  client.call(0, "initialize", { protocolVersion: 1 });
  const socket = await server.socket();
  await socket.initialize(isResumable);
  await client.answer(0);
  return { server, socket, client };
}

/** Answers the resume on a WebSocket. */
async function accept(socket: RawSocket, received: number): Promise<void> {
  const { id } = await socket.frame("stream/resume");
  socket.send({ id, result: { streams: [], received } });
}

const statuses = ({ states }: RemoteClient) => states.map(({ status }) => status);

describe("a WebSocket", () => {
  it("REM-18, REM-29: the first message is initialize, and every message is a text frame", async () => {
    const { socket, client } = await stage();
    client.prompt(1, "s-1");
    await socket.frame("session/prompt");
    socket.socket.send(Buffer.from("{}"), { binary: true });
    socket.socket.send("no json");
    socket.send(update("s-1", "hi"));
    await client.until(() => texts(client.frames).length === 1);
    expect(socket.methods).toEqual(["initialize", "session/prompt"]);
    expect([client.frames.length, client.invalid]).toEqual([2, ["a binary frame", "no json"]]);
  });

  it("REM-30, REM-37: the upgrade has headers, token and cookies, and its cookies are stored", async () => {
    const server = await RawSocketServer.start();
    server.answerHeaders = ["Acp-Connection-Id: c-1", "Set-Cookie: node=7; Path=/", "Set-Cookie: b=2"];
    const cookies = createCookieStore();
    cookies.write(new URL(server.url), ["kept=yes"]);
    const options = { webSocket, cookies, token: () => "t", headers: { "X-Own": "me" } };
    await RemoteClient.open(server.url, options);
    expect((await server.socket()).headers).toMatchObject({
      authorization: "Bearer t",
      "x-own": "me",
      cookie: "kept=yes",
    });
    await RemoteClient.open(server.url, options);
    expect((await server.socket(1)).headers.cookie).toBe("kept=yes; node=7; b=2");
  });

  it("REM-37: in a browser the token is a subprotocol, and no header is set", async () => {
    const server = await RawSocketServer.start();
    const asked: WebSocketRequest[] = [];
    vi.stubGlobal("document", {});
    try {
      const messages: string[] = [];
      const channel = await openRemote(server.url, {
        token: "secret",
        headers: { "X-Own": "me" },
        onDiagnostic: ({ message }) => messages.push(message),
        webSocket(url, request) {
          asked.push(request);
          return new WebSocket(url, [...request.protocols]);
        },
      });
      expect(asked).toEqual([{ headers: {}, protocols: ["acp", "acp-token.secret"] }]);
      expect(messages).toEqual([expect.stringContaining("headers of openRemote is not used: a browser sets no")]);
      await channel.close();
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it.each(["a secret token", "a/b=", "a,b", '"a"', "a:b@c"])(
    "defect N92: a token that no subprotocol can carry is refused by its name before anything is opened: %s",
    async (token) => {
      const webSocket = vi.fn();
      vi.stubGlobal("document", {});
      try {
        const refused = await openRemote("ws://127.0.0.1:1/acp", { token, webSocket }).catch((error) => error);
        expect(refused).toBeInstanceOf(TypeError);
        expect(refused.message).toMatch(/^openRemote token cannot be sent: .* letters, digits and/);
        expect(refused.message).not.toContain(token);
        expect(webSocket).not.toHaveBeenCalled();
      } finally {
        vi.unstubAllGlobals();
      }
    },
  );

  it("a runtime without WebSocket is named, with the remedy", async () => {
    vi.stubGlobal("WebSocket", undefined);
    await expect(openRemote("ws://127.0.0.1:1/acp")).rejects.toThrow("Pass the option webSocket");
    vi.unstubAllGlobals();
  });

  it("REM-33: an upgrade that is refused is an error of openRemote", async () => {
    const server = await RawSocketServer.start();
    server.refusal = 401;
    await expect(openRemote(server.url, { webSocket })).rejects.toMatchObject({
      code: "connection_closed",
      message: expect.stringContaining("401"),
    });
  });

  it.each([
    [1000, "remote"],
    [1008, "failed"],
  ])("REM-18: close code %i ends the channel as %s", async (code, kind) => {
    const { socket, client } = await stage({ isResumable: true });
    socket.send({ method: "_last" });
    socket.socket.close(code, "because");
    expect(await client.closed).toMatchObject({ kind, message: expect.stringContaining("because") });
    expect(client.frames.at(-1)).toMatchObject({ method: "_last" });
    expect(statuses(client)).toEqual(["connected", "lost"]);
  });

  it.each([false, true])(
    "REM-18: a close of this side has code 1000, so that the server ends it (%s)",
    async (isResumable) => {
      const { socket, client } = await stage({ isResumable });
      const code = new Promise((resolve) => socket.socket.on("close", resolve));
      await client.channel.close();
      expect(await code).toBe(1000);
    },
  );

  it("REM-25: another initialize after a refused one opens another WebSocket", async () => {
    const server = await RawSocketServer.start();
    const client = await RemoteClient.open(server.url, { webSocket });
    client.call(0, "initialize", { protocolVersion: 2 });
    const first = await server.socket();
    await first.frame("initialize");
    first.send({ id: 0, error: { code: -32022, message: "no" } });
    await client.answer(0);
    client.call(1, "initialize", { protocolVersion: 1 });
    client.call(2, "session/list");
    const second = await server.socket(1);
    await second.initialize(false);
    await client.answer(1);
    await second.frame("session/list");
    expect([first.methods, second.methods]).toEqual([["initialize"], ["initialize", "session/list"]]);
  });
});

describe("a cut of a WebSocket, with resumption", () => {
  it("REM-40, REM-52: the first frame of the next one resumes at the newest cursor, and delivery goes on", async () => {
    const { server, socket, client } = await stage({ isResumable: true });
    socket.send(update("s-1", "one"), "c1");
    await client.until(() => texts(client.frames).length === 1);
    socket.socket.terminate();
    const next = await server.socket(1);
    expect(next.headers["acp-connection-id"]).toBe("c-1");
    expect((await next.frame("stream/resume")).params).toEqual({ connectionId: "c-1", streams: [{ cursor: "c1" }] });
    await accept(next, 1);
    next.send(update("s-1", "one"), "c1");
    next.send(update("s-1", "two"), "c2");
    await client.until(() => texts(client.frames).length === 2);
    expect(texts(client.frames)).toEqual(["one", "two"]);
    expect(JSON.stringify(client.frames)).not.toContain("acp/cursor");
    expect(statuses(client)).toEqual(["connected", "reconnecting", "connected"]);
  });

  it("defect S44: a cut is reported once to a client without onState", async () => {
    const reported: Diagnostic[] = [];
    const onDiagnostic = (diagnostic: Diagnostic) => void reported.push(diagnostic);
    const { server, socket } = await stage({ isResumable: true, onState: undefined as never, onDiagnostic });
    socket.socket.terminate();
    await accept(await server.socket(1), 1);
    expect(reported).toMatchObject([{ code: "reconnecting", message: expect.stringContaining("Pass onState") }]);
  });

  it("REM-40: where headers cannot be read, the id of the connection is in the result of initialize", async () => {
    const server = await RawSocketServer.start();
    server.answerHeaders = [];
    const client = await RemoteClient.open(server.url, { webSocket });
    client.call(0, "initialize");
    const socket = await server.socket();
    await socket.initialize(true, { "acp/connectionId": "c-9" });
    await client.answer(0);
    socket.socket.terminate();
    expect((await (await server.socket(1)).frame("stream/resume")).params.connectionId).toBe("c-9");
  });

  it("REM-49: the server gets exactly the messages that it has not received, and a cancel first", async () => {
    const { server, socket, client } = await stage({ isResumable: true });
    client.call(1, "session/list");
    await socket.frame("session/list");
    socket.send({ id: 1, result: {} }, "c1");
    await client.answer(1);
    client.prompt(2, "s-1");
    client.prompt(3, "s-2");
    await socket.frame("session/prompt");
    socket.socket.terminate();
    await client.until(() => statuses(client).includes("reconnecting"));
    client.call(4, "session/set_mode", { sessionId: "s-1" });
    client.cancel("s-2");
    client.cancel("s-1");
    const next = await server.socket(1);
    // It has initialize, session/list and the first prompt.
    await accept(next, 3);
    await next.frame("session/set_mode");
    expect(next.frames.slice(1).map(({ method, params }) => `${method} ${params.sessionId}`)).toEqual([
      "session/cancel s-1",
      "session/prompt s-2",
      "session/cancel s-2",
      "session/set_mode s-1",
    ]);
  });

  it("REM-49: an answer confirms all messages before its request, so that few are kept", async () => {
    const { server, socket, client } = await stage({ isResumable: true });
    for (let id = 1; id <= 1_500; id += 1) client.call(id, "session/list");
    await vi.waitFor(() => expect(socket.frames).toHaveLength(1_501));
    socket.send({ id: 1_500, result: {} }, "c1");
    await client.answer(1_500);
    socket.socket.terminate();
    await accept(await server.socket(1), 1_501);
    await client.until(() => statuses(client).at(-1) === "connected");
  });

  it("REM-49: if the server lacks messages that are no longer stored, the channel ends", async () => {
    const { server, socket, client } = await stage({ isResumable: true });
    for (let id = 1; id <= 1_500; id += 1) client.call(id, "session/list");
    await vi.waitFor(() => expect(socket.frames).toHaveLength(1_501));
    socket.socket.terminate();
    await accept(await server.socket(1), 7);
    expect((await client.closed).message).toMatch(/received 7 messages.*restore/);
  });

  it.each(["failed", "error"])(
    "REM-41, REM-42, REM-52: after a refusal (%s) the channel ends, with the way to restore",
    async (how) => {
      const { server, socket, client } = await stage({ isResumable: true });
      socket.socket.terminate();
      const next = await server.socket(1);
      const { id } = await next.frame("stream/resume");
      if (how === "error") next.send({ id, error: { code: -32600, message: "cursor_expired" } });
      else next.send({ method: "stream/resume_failed", params: { reason: "cursor_expired" } });
      expect((await client.closed).message).toMatch(/cursor_expired.*restore the session/);
      expect(server.upgrades).toBe(2);
    },
  );

  it.each([
    [1001, true],
    [1011, true],
    [1012, true],
    [1002, false],
    [4404, false],
  ])("REM-43: after close code %i the client reconnects: %s", async (code, isRepaired) => {
    const { server, socket, client } = await stage({ isResumable: true });
    socket.socket.close(code);
    if (isRepaired) await accept(await server.socket(1), 1);
    await client.until(() => statuses(client).length === (isRepaired ? 3 : 2));
    expect(statuses(client).at(-1)).toBe(isRepaired ? "connected" : "lost");
    expect(server.upgrades).toBe(isRepaired ? 2 : 1);
  });

  it("REM-43, REM-53: attempts are bounded, and a refusal of who this side is ends them", async () => {
    for (const [refusal, attempts] of [
      [503, 4],
      [403, 1],
    ] as const) {
      const { server, socket, client } = await stage({ isResumable: true, reconnect: { ...quick, attempts: 4 } });
      server.refusal = refusal;
      socket.socket.terminate();
      expect((await client.closed).message).toMatch(new RegExp(`${refusal}.*restore`));
      expect(server.upgrades).toBe(1 + attempts);
    }
  });

  it("a second cut during the resume is one more attempt", async () => {
    const { server, socket, client } = await stage({ isResumable: true });
    socket.socket.terminate();
    const next = await server.socket(1);
    await next.frame("stream/resume");
    next.socket.terminate();
    await accept(await server.socket(2), 1);
    await client.until(() => statuses(client).at(-1) === "connected");
  });

  it("REM-45: a server that has sent pings and falls silent counts as gone", async () => {
    const { client, socket } = await stage({ isResumable: false, reconnect: { ...quick, silenceMs: 50 } });
    socket.socket.ping();
    expect((await client.closed).message).toContain("silent for 50 ms");
  });

  it("REM-45: a server that has sent no ping counts as gone if it answers none", async () => {
    const { server, socket } = await stage({ isResumable: true, reconnect: { ...quick, silenceMs: 60 } });
    // The library answers pings only while it reads.
    socket.socket.pause();
    await server.socket(1);
  });

  it("REM-45: a server that answers pings is not gone", async () => {
    const { client, socket } = await stage({ isResumable: true, reconnect: { ...quick, silenceMs: 300 } });
    let pings = 0;
    await new Promise<void>((resolve) => {
      socket.socket.on("ping", () => {
        pings += 1;
        if (pings === 4) resolve();
      });
    });
    expect(client.states).toEqual([{ status: "connected" }]);
  });

  it("REM-53: initialize without an answer ends after 30 s", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const server = await RawSocketServer.start();
      const client = await RemoteClient.open(server.url, { webSocket });
      client.call(0, "initialize");
      await vi.advanceTimersByTimeAsync(29_999);
      expect(client.states).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect((await client.closed).message).toContain("no answer within 30000 ms");
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ...["5", null, {}, [5], -1, 1.5, 1e300, true, { valueOf: 1 }].map((received) => ({ received })),
    ...[null, [], "x", {}],
  ])("REM-52: an answer of a resume with the result %j breaks the protocol, and the reason says so", async (result) => {
    const { server, socket, client } = await stage({ isResumable: true });
    socket.socket.terminate();
    const next = await server.socket(1);
    const { id } = await next.frame("stream/resume");
    next.send({ id, result });
    const { kind, message } = await client.closed;
    expect(kind).toBe("failed");
    expect(message).toMatch(/result of stream\/resume has no number "received".*client\.restore/);
  });
});
