import { describe, expect, it } from "vitest";
import { createCookieStore } from "../../src/client/index.js";
import { type RawServer, refuse, startRawServer } from "./raw-server.js";
import { RemoteClient, texts, update } from "./remote-client.js";

/** Answers `session/new` number `nth` with a session. */
async function newSession(server: RawServer, client: RemoteClient, sessionId: string, nth = 0): Promise<void> {
  client.call(sessionId, "session/new", { cwd: "/srv" });
  const { frame } = await server.ask("POST session/new", nth);
  server.send(undefined, { id: frame.id, result: { sessionId } });
  await client.answer(sessionId);
}

describe("the order of requests", () => {
  it("REM-31: opens the stream of the connection after initialize, and that of a session before its first POST", async () => {
    const held: (() => void)[] = [];
    const server = await startRawServer(({ line, accept }) => {
      if (line !== "GET stream old") return undefined;
      held.push(accept);
      return true;
    });
    const client = await RemoteClient.connect(server.url);
    await server.ask("GET stream");
    client.call(1, "session/load", { sessionId: "old" });
    client.call(2, "session/list");
    await server.ask("POST session/list");
    expect(server.log).toEqual(["POST initialize", "GET stream", "GET stream old", "POST session/list"]);
    for (const open of held) open();
    await server.ask("POST session/load old");
  });

  it("REM-31: the answer of session/new waits for the stream of the session, and its first update for the answer", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    const held: (() => void)[] = [];
    server.script = ({ line, accept }) => {
      if (line !== "GET stream s-1") return undefined;
      held.push(() => {
        accept();
        server.send("s-1", update("s-1", "early"));
      });
      return true;
    };
    client.call(1, "session/new", { cwd: "/srv" });
    const { frame } = await server.ask("POST session/new");
    server.send(undefined, { id: frame.id, result: { sessionId: "s-1" } });
    await server.ask("GET stream s-1");
    expect(client.frames).toHaveLength(1);
    held[0]?.();
    await client.until(() => client.frames.length === 3);
    expect(client.frames.slice(1).map(({ id, method }) => id ?? method)).toEqual([1, "session/update"]);
  });

  it("REM-31: an update that is there when the stream of a new session opens follows the answer of session/new", async () => {
    const server = await startRawServer();
    const early = `data: ${JSON.stringify({ jsonrpc: "2.0", ...update("s-1", "early") })}\n\n`;
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const isOfSession = init?.method === "GET" && new Headers(init.headers).has("Acp-Session-Id");
      if (!isOfSession) return globalThis.fetch(url, init);
      return new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(early)) }));
    };
    const client = await RemoteClient.connect(server.url, { fetch });
    client.call(1, "session/new", { cwd: "/srv" });
    const { frame } = await server.ask("POST session/new");
    server.send(undefined, { id: frame.id, result: { sessionId: "s-1" } });
    await client.until(() => client.frames.length === 3);
    expect(client.frames.slice(1).map(({ id, method }) => id ?? method)).toEqual([1, "session/update"]);
  });

  it("REM-08, REM-10, REM-26: a session is named by header and params, a cancelled request by params alone", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    await newSession(server, client, "s-1");
    client.prompt(2, "s-1");
    client.send({ method: "$/cancel_request", params: { requestId: 2 } });
    const prompt = await server.ask("POST session/prompt s-1");
    const cancel = await server.ask("POST $/cancel_request");
    expect(prompt.frame.params.sessionId).toBe("s-1");
    expect(server.log.indexOf("POST $/cancel_request")).toBeGreaterThan(server.log.indexOf("POST session/prompt s-1"));
    for (const { headers } of [prompt, cancel])
      expect(headers).toMatchObject({ "acp-connection-id": "c-1", "acp-protocol-version": "1" });
  });

  it("REM-13: the answer to a question of the server goes to the session of the question", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    await newSession(server, client, "s-1");
    server.send("s-1", { id: "q", method: "session/request_permission", params: { sessionId: "s-1" } });
    await client.next(({ id }) => id === "q");
    client.send({ id: "q", result: {} });
    expect((await server.ask("POST answer s-1")).frame).toMatchObject({ id: "q" });
  });

  it("the stream of a child session is opened when its parent announces it", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    await newSession(server, client, "s-1");
    const announced = { sessionUpdate: "subagent_update", sessionId: "child" };
    server.send("s-1", { method: "session/update", params: { sessionId: "s-1", update: announced } });
    await server.ask("GET stream child");
    server.send("child", update("child", "from the child"));
    await client.until(() => texts(client.frames).length === 1);
  });

  it("the answer of session/load follows the replay, which arrives on another stream", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    client.call(1, "session/load", { sessionId: "old" });
    await server.ask("POST session/load old");
    server.send(undefined, { id: 1, result: {} });
    server.send("old", update("old", "one"), update("old", "two"));
    await client.answer(1);
    expect(client.frames.slice(1).map(({ id, method }) => id ?? method)).toEqual([
      "session/update",
      "session/update",
      1,
    ]);
  });

  it("a message that is not initialize cannot be the first one", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.open(server.url);
    client.call(1, "session/list");
    expect((await client.closed).message).toContain("Send initialize first");
    expect(server.log).toEqual([]);
  });

  it("REM-25: another initialize after a refused one begins another connection, and ends the first", async () => {
    let count = 0;
    const server = await startRawServer(({ line, frame, reply }) => {
      count += line === "POST initialize" ? 1 : 0;
      if (line !== "POST initialize" || count > 1) return undefined;
      reply(
        200,
        { jsonrpc: "2.0", id: frame.id, error: { code: -32022, message: "no" } },
        { "Acp-Connection-Id": "c-0" },
      );
      return true;
    });
    const client = await RemoteClient.open(server.url);
    client.call(0, "initialize", { protocolVersion: 2 });
    expect(await client.answer(0)).toMatchObject({ error: { code: -32022 } });
    client.call(1, "initialize", { protocolVersion: 1 });
    expect(await client.answer(1)).toHaveProperty("result");
    expect((await server.ask("DELETE end")).headers["acp-connection-id"]).toBe("c-0");
    const again = await server.ask("POST initialize", 1);
    expect(again.headers["acp-connection-id"]).toBeUndefined();
  });
});

describe("headers", () => {
  it("REM-30, REM-37: every request has the headers, a fresh token and the cookies of the store", async () => {
    const server = await startRawServer(({ line, reply, frame }) => {
      if (line !== "POST initialize") return undefined;
      const headers = { "Acp-Connection-Id": "c-1", "Set-Cookie": ["node=7; Path=/; HttpOnly", "old=1; Max-Age=0"] };
      reply(200, { jsonrpc: "2.0", id: frame.id, result: { protocolVersion: 1 } }, headers);
      return true;
    });
    const cookies = createCookieStore();
    cookies.write(new URL(server.url), ["old=1", "kept=yes"]);
    let turn = 0;
    const token = async () => `t-${++turn}`;
    const client = await RemoteClient.connect(server.url, { headers: { "X-Own": "me" }, token, cookies });
    const stream = await server.ask("GET stream");
    expect(stream.headers).toMatchObject({ cookie: "kept=yes; node=7", "x-own": "me", authorization: "Bearer t-2" });
    await client.channel.close();
    await RemoteClient.connect(server.url, { cookies });
    expect((await server.ask("POST initialize", 1)).headers.cookie).toBe("kept=yes; node=7");
  });
});

describe("a redirect", () => {
  it("is refused, so that token and ids reach no other server", async () => {
    const other = await startRawServer();
    const server = await startRawServer(({ reply }) => {
      reply(307, "", { Location: other.url });
      return true;
    });
    const client = await RemoteClient.open(server.url, { token: "a token" });
    client.call(0, "initialize");
    expect((await client.closed).message).toMatch(/initialize failed: /);
    expect(other.log).toEqual([]);
  });
});

describe("refusals", () => {
  it.each([401, 403, 404, 410])("REM-33: %i to a request ends the connection", async (status) => {
    const server = await startRawServer(refuse("POST session/list", status, { body: "not you" }));
    const client = await RemoteClient.connect(server.url);
    client.call(1, "session/list");
    const reason = await client.closed;
    expect(reason).toMatchObject({ kind: "failed", message: expect.stringContaining(`HTTP ${status}: not you`) });
    expect(client.states.at(-1)).toEqual({ status: "lost", reason });
    await server.ask("DELETE end");
  });

  it("REM-33: another status fails the request, with the status and 8 KiB of the body", async () => {
    const server = await startRawServer(refuse("POST session/list", 503, { body: "x".repeat(20_000), times: 1 }));
    const client = await RemoteClient.connect(server.url);
    client.call(1, "session/list");
    expect((await client.answer(1)).error).toMatchObject({
      code: -32603,
      data: { status: 503, body: "x".repeat(8192) },
    });
    client.call(2, "session/list");
    await server.ask("POST session/list", 1);
  });

  it.each(["POST session/cancel s-1", "POST answer s-1"])("REM-33: a refused %s ends the connection", async (line) => {
    const server = await startRawServer(refuse(line, 500));
    const client = await RemoteClient.connect(server.url);
    await newSession(server, client, "s-1");
    if (line.includes("cancel")) client.cancel("s-1");
    else {
      server.send("s-1", { id: "q", method: "_ask", params: { sessionId: "s-1" } });
      await client.next(({ id }) => id === "q");
      client.send({ id: "q", result: {} });
    }
    expect((await client.closed).message).toContain("HTTP 500");
  });

  it("REM-33: a POST that may not have arrived ends the connection, and the reason says so", async () => {
    const server = await startRawServer(({ line, destroy }) => {
      if (line !== "POST session/list") return undefined;
      destroy();
      return true;
    });
    const client = await RemoteClient.connect(server.url);
    client.call(1, "session/list");
    const { kind, message } = await client.closed;
    expect(kind).toBe("failed");
    expect(message).toMatch(/session\/list may not have arrived: fetch failed.*restore the session/);
  });

  it("REM-33: 409 fails one session until it is restored, and other sessions go on", async () => {
    const server = await startRawServer(refuse("POST session/prompt s-1", 409, { body: "taken", times: 1 }));
    const client = await RemoteClient.connect(server.url);
    await newSession(server, client, "s-1");
    await newSession(server, client, "s-2", 1);
    client.prompt(1, "s-1");
    expect((await client.answer(1)).error).toMatchObject({ code: -32603, data: { status: 409, body: "taken" } });
    client.prompt(2, "s-1");
    expect((await client.answer(2)).error).toMatchObject({ data: { status: 409 } });
    client.cancel("s-1");
    await client.until(() => client.diagnostics.length === 1);
    expect(client.diagnostics[0]).toContain("session/cancel was not sent");
    client.prompt(3, "s-2");
    await server.ask("POST session/prompt s-2");
    client.call(4, "session/load", { sessionId: "s-1" });
    await server.ask("POST session/load s-1");
    client.prompt(5, "s-1");
    expect((await server.ask("POST session/prompt s-1", 1)).frame.id).toBe(5);
  });

  it("REM-12: 409 on the stream of a session is the failure of that session alone", async () => {
    const server = await startRawServer(refuse("GET stream s-1", 409, { body: { reason: "reader_busy" } }));
    const client = await RemoteClient.connect(server.url);
    client.call(1, "session/resume", { sessionId: "s-1" });
    expect((await client.answer(1)).error.message).toContain("409");
    client.call(2, "session/resume", { sessionId: "s-2" });
    await server.ask("POST session/resume s-2");
  });

  it("REM-32: an answer to initialize needs the id of the connection and of the request", async () => {
    const answering = (id: unknown, headers: Record<string, string>) =>
      startRawServer(({ reply }) => {
        reply(200, { jsonrpc: "2.0", id, result: {} }, headers);
        return true;
      });
    const end = async (server: RawServer) => {
      const client = await RemoteClient.open(server.url);
      client.call(0, "initialize");
      return (await client.closed).message;
    };
    expect(await end(await answering(0, {}))).toContain("no header Acp-Connection-Id");
    expect(await end(await answering("0", { "Acp-Connection-Id": "c" }))).toContain("another id");
    expect(await end(await startRawServer(refuse("POST initialize", 401, { body: "who?" })))).toContain(
      "HTTP 401: who?",
    );
    expect(await end({ url: "http://127.0.0.1:1/acp" } as RawServer)).toMatch(/initialize failed: fetch failed/);
  });
});

describe("ends of streams, without resumption", () => {
  it("REM-34: the end of a session's stream fails its open requests; the next message opens it again", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    await newSession(server, client, "s-1");
    client.prompt(1, "s-1");
    await server.ask("POST session/prompt s-1");
    server.send("s-1", update("s-1", "one"));
    server.end("s-1");
    expect((await client.answer(1)).error).toMatchObject({ code: -32603, message: expect.stringContaining("ended") });
    client.prompt(2, "s-1");
    await server.ask("GET stream s-1", 1);
    await server.ask("POST session/prompt s-1", 1);
    server.send("s-1", { id: 2, result: {} });
    await client.answer(2);
    expect(texts(client.frames)).toEqual(["one"]);
  });

  it("REM-34: the end of the connection's stream ends the connection, after what it delivered", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    await server.ask("GET stream");
    server.send(undefined, { method: "_last" });
    server.end(undefined);
    expect(await client.closed).toMatchObject({ kind: "remote", message: expect.stringContaining("ended") });
    expect(client.frames.at(-1)).toMatchObject({ method: "_last" });
  });

  it("a cut of a session's stream ends the connection, because messages may be lost", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    await newSession(server, client, "s-1");
    server.cut("s-1");
    expect(await client.closed).toMatchObject({ kind: "failed", message: expect.stringContaining("was cut") });
  });

  it("REM-16: a close tells the server, after the messages that wait", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    for (let id = 1; id <= 5; id += 1) client.call(id, "session/list");
    await client.channel.close();
    expect(server.log.slice(-6)).toEqual([...Array(5).fill("POST session/list"), "DELETE end"]);
    expect((await client.closed).kind).toBe("local");
  });

  it("a closed session's stream is closed", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url);
    await newSession(server, client, "s-1");
    client.call(1, "session/close", { sessionId: "s-1" });
    await server.ask("POST session/close s-1");
    server.send("s-1", { id: 1, result: {} });
    await client.answer(1);
    client.call(2, "session/load", { sessionId: "s-1" });
    await server.ask("GET stream s-1", 1);
  });
});

describe("the number of sessions", () => {
  it("REM-37: sessions that are being opened count, and those before them alone", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url, { maxSessions: 2 });
    for (const id of [1, 2, 3]) client.call(id, "session/new", { cwd: "/" });
    expect((await client.answer(3)).error.message).toContain("2 sessions are open");
    for (const nth of [0, 1]) {
      const { frame } = await server.ask("POST session/new", nth);
      server.send(undefined, { id: frame.id, result: { sessionId: `s-${nth}` } });
      expect(await client.answer(frame.id)).toHaveProperty("result");
    }
    expect(server.log.filter((line) => line === "POST session/new")).toHaveLength(2);
  });

  it("REM-37: a session too many is refused before it is sent, with the remedy", async () => {
    const server = await startRawServer();
    const client = await RemoteClient.connect(server.url, { maxSessions: 1 });
    await newSession(server, client, "s-1");
    client.call(1, "session/new", { cwd: "/" });
    client.call(2, "session/load", { sessionId: "s-2" });
    for (const id of [1, 2]) expect((await client.answer(id)).error.message).toContain("use HTTP/2 or a wss: address");
    client.call(3, "session/close", { sessionId: "s-1" });
    await server.ask("POST session/close s-1");
    expect(server.log.filter((line) => line.includes("s-2"))).toEqual([]);
    server.send("s-1", { id: 3, result: {} });
    await client.answer(3);
    await newSession(server, client, "s-3", 1);
  });
});
