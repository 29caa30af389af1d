import { describe, expect, test, vi } from "vitest";
import { openRemote } from "../src/client/index.js";
import { createRemoteServer } from "../src/server/index.js";
import { RawAgent } from "./server/raw-agent.js";

const hello = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } } as const;
const unread = { message: () => undefined, invalidLine: () => undefined };
const restore = "Open a new connection, and restore the session there: client.restore sends";

/** WebSocket of Node's library `ws` that does not open. */
class FailingSocket extends EventTarget {
  readonly readyState = 3;
  constructor(message: string) {
    super();
    queueMicrotask(() => {
      this.dispatchEvent(Object.assign(new Event("error"), { message }));
      this.dispatchEvent(Object.assign(new Event("close"), { code: 1006 }));
    });
  }
  send(): void {}
  close(): void {}
}

describe("defect N55: a client of remote says what to do", () => {
  test.each([
    ["an address without its scheme", "127.0.0.1:8040/acp"],
    ["a path", "/acp"],
    ["an address with a password", "//me:secret@agents.example:99999"],
  ])("about %s, and does not repeat it", async (_, url) => {
    const message = "openRemote got no whole address: pass an address such as https://agents.example/acp or wss://";
    await expect(openRemote(url)).rejects.toThrow(message);
    await expect(openRemote(url)).rejects.not.toThrow("secret");
  });

  test("about a class in place of a function that makes a WebSocket", async () => {
    class Socket {
      send(): void {}
    }
    const remedy = "pass a function, such as (url, { headers }) => new WebSocket(url, { headers })";
    for (const webSocket of [Socket, Object.assign(function Old() {}, { prototype: { send() {} } })]) {
      const opening = openRemote("ws://127.0.0.1:1/acp", { webSocket: webSocket as never });
      await expect(opening).rejects.toThrow(`openRemote webSocket got "a class": ${remedy}.`);
    }
    const calls: unknown[] = [];
    const made = (url: string) => {
      calls.push(url);
      throw new Error("no network");
    };
    await expect(openRemote("ws://127.0.0.1:1/acp", { webSocket: made })).rejects.toThrow("no network");
    expect(calls).toEqual(["ws://127.0.0.1:1/acp"]);
  });

  test("about a runtime without WebSocket", async () => {
    vi.stubGlobal("WebSocket", undefined);
    const message = "no WebSocket. Pass the option webSocket, such as (url, { headers }) => new WebSocket(";
    await expect(openRemote("ws://127.0.0.1:1/acp")).rejects.toThrow(message);
    vi.unstubAllGlobals();
  });

  test.each([
    ["connect ECONNREFUSED 127.0.0.1:1", "nothing listens there, so check the host and the port"],
    ["Unexpected server response: 401", "the server wants a valid login, so check the token"],
  ])("about a WebSocket that fails with %s", async (message, advice) => {
    const opening = openRemote("ws://127.0.0.1:1/acp", { webSocket: () => new FailingSocket(message) as never });
    await expect(opening).rejects.toThrow(`${message}; ${advice}`);
  });

  test("about https: at a port without TLS", async () => {
    const cause = Object.assign(new Error("wrong version number"), { code: "ERR_SSL_WRONG_VERSION_NUMBER" });
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const channel = await openRemote("https://127.0.0.1:1/acp", { fetch });
    channel.start(unread);
    void channel.send(hello);
    expect((await channel.closed).message).toBe(
      "initialize failed: fetch failed (ERR_SSL_WRONG_VERSION_NUMBER); the server has no TLS there, so check the scheme and the port.",
    );
  });

  test.each(["the stream", "a message"])("after a restart of the server, which refuses %s", async (which) => {
    const create = () => createRemoteServer({ agent: new RawAgent() as never });
    const [first, second] = [create(), create()];
    let server = first;
    let opened = () => {};
    const isOpen = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      const response = await server.fetch(new Request(url, init));
      if (init?.method === "GET") opened();
      return response;
    };
    const channel = await openRemote("http://127.0.0.1/acp", { fetch, reconnect: { firstDelayMs: 1 } });
    channel.start(unread);
    void channel.send(hello);
    await isOpen;
    server = second;
    if (which === "the stream") await first.close();
    else void channel.send({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/w", mcpServers: [] } });
    const { message } = await channel.closed;
    expect(message).toContain("HTTP 404: The connection has ended, or the server was restarted. ");
    expect(message).toContain(restore);
    await Promise.all([first.close(), second.close()]);
  });

  test("about a stream that was never there, without the advice to restore", async () => {
    const server = createRemoteServer({ agent: new RawAgent() as never });
    const fetch = async (url: string | URL | Request, init?: RequestInit) =>
      init?.method === "GET" ? new Response("Not found", { status: 404 }) : server.fetch(new Request(url, init));
    const channel = await openRemote("http://127.0.0.1/acp", { fetch });
    channel.start(unread);
    void channel.send(hello);
    const { message } = await channel.closed;
    expect(message).toBe("The event stream of the connection was refused: HTTP 404: Not found.");
    await server.close();
  });
});

describe("defect N56: a server of remote says what to do", () => {
  test("about an agent in place of its options", () => {
    const agent = { serve() {} };
    expect(() => createRemoteServer(agent as never)).toThrow(
      'createRemoteServer got "an agent": pass it as an option: { agent }.',
    );
  });

  test.each([
    ["a request of node:http", { url: "/acp", method: "POST", headers: { host: "127.0.0.1" }, body: {} }],
    ["an address", "http://127.0.0.1/acp"],
    ["nothing", undefined],
  ])("about %s, and does not reject", async (_, request) => {
    const messages: string[] = [];
    const server = createRemoteServer({
      agent: new RawAgent() as never,
      onDiagnostic: ({ message }) => messages.push(message),
    });
    for (const answer of [await server.fetch(request as never), await server.upgrade(request as never)])
      expect((answer as Response).status).toBe(500);
    const advice = "pass a Request. For requests of node:http, and of Express, call listen of @turnkit/remote/node.";
    expect(messages).toEqual([
      expect.stringMatching(/^A request failed: fetch got /),
      expect.stringMatching(/^A request failed: upgrade got /),
    ]);
    for (const message of messages) expect(message).toContain(advice);
    await server.close();
  });
});
