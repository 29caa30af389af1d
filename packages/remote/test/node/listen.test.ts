import { describe, expect, it } from "vitest";
import WebSocket from "ws";
import { listen } from "../../src/node/index.js";
import { certificate } from "./certificate.js";
import { ask, openHttp2 } from "./http2-client.js";
import { RawPipe } from "./raw-socket.js";
import { echo, echoSocket, serverOf, stand } from "./stand.js";

const cookies = ["a=1; Path=/", "b=2; Expires=Wed, 09 Jun 2027 10:18:14 GMT"];
const withCookies = async () => {
  const headers = new Headers({ "Acp-Connection-Id": "c", Connection: "close" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response("ok", { headers });
};

describe.each([
  ["without TLS", undefined],
  ["with TLS", certificate()],
] as const)("one port %s", (_, tls) => {
  it("REM-01, REM-02: answers HTTP/1.1, HTTP/2 and WebSocket with the same function", async () => {
    const server = {
      fetch: echo,
      upgrade: async () => ({ headers: new Headers(), protocol: "acp", open: echoSocket() }),
    };
    const { url, port } = await stand(server, { tls, path: "/acp" });
    const scheme = tls ? "https" : "http";
    expect(url).toBe(`${scheme}://127.0.0.1:${port}/acp`);

    const pipe = new RawPipe(port, { tls: tls !== undefined });
    pipe.request("POST /acp", ["Content-Length: 2", "Connection: close"], "hi");
    await pipe.closed;
    expect(JSON.parse(pipe.text.slice(pipe.text.indexOf("{")))).toMatchObject({
      method: "POST",
      url: `${scheme}://localhost/acp`,
      body: "hi",
    });

    const answer = await ask(openHttp2(url), { ":method": "POST", ":path": "/acp", cookie: "a=1; b=2" }, "hi");
    expect(answer.status).toBe(200);
    const reported = JSON.parse(answer.text);
    expect(reported).toMatchObject({ method: "POST", url, body: "hi" });
    expect(reported.headers).toMatchObject({ host: `127.0.0.1:${port}`, cookie: "a=1; b=2" });
    expect(Object.keys(reported.headers).filter((name) => name.startsWith(":"))).toEqual([]);

    const socket = new WebSocket(url.replace("http", "ws"), ["acp"], { rejectUnauthorized: false });
    await new Promise((resolve) => socket.once("open", resolve));
    expect(socket.protocol).toBe("acp");
    const back = new Promise((resolve) => socket.once("message", (data) => resolve(String(data))));
    socket.send("text");
    expect(await back).toBe("text");
    socket.close();
  });

  it("REM-19: lines of Set-Cookie are not merged, and no header of a connection is sent over HTTP/2", async () => {
    const { url } = await stand({ fetch: withCookies }, { tls });
    const answer = await ask(openHttp2(url), { ":method": "GET" });
    expect(answer.headers["set-cookie"]).toEqual(cookies);
    expect(answer.headers).not.toHaveProperty("connection");
  });
});

it("REM-19: lines of Set-Cookie are not merged on answers of HTTP/1.1, on a 101 and on its refusal", async () => {
  const { headers } = await withCookies();
  const open = echoSocket();
  const upgrade = async (request: Request) =>
    request.url.endsWith("/no") ? withCookies() : { headers, protocol: undefined, open };
  const { port } = await stand({ fetch: withCookies, upgrade });
  const lines = cookies.map((cookie) => `set-cookie: ${cookie}`);
  const handshake = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`;
  for (const [path, asked, status] of [
    ["/", [], "HTTP/1.1 200 OK"],
    ["/yes", [...handshake, key], "HTTP/1.1 101 Switching Protocols"],
    ["/no", [...handshake, key], "HTTP/1.1 200 OK"],
  ] as const) {
    const pipe = new RawPipe(port);
    pipe.request(`GET ${path}`, asked);
    const text = await pipe.until("\r\n\r\n");
    const received = text.split("\r\n");
    expect(received[0]).toBe(status);
    expect(received.filter((line) => line.toLowerCase().startsWith("set-cookie"))).toEqual(lines);
    expect(received.map((line) => line.toLowerCase())).toContain("acp-connection-id: c");
  }
});

it("HTTP/1.1 and HTTP/2: an answer that cannot have a body has no Content-Length: 0 and no other one", async () => {
  const statuses: Readonly<Record<string, number>> = { "/204": 204, "/304": 304 };
  const fetch = async ({ url, method }: Request) => {
    const status = statuses[new URL(url).pathname];
    return status === undefined ? new Response(method === "HEAD" ? "text" : "") : new Response(null, { status });
  };
  const { port, url } = await stand({ fetch });
  const session = openHttp2(url);
  for (const [method, path] of [
    ["GET", "/204"],
    ["GET", "/304"],
    ["HEAD", "/"],
  ] as const) {
    const { headers, text } = await ask(session, { ":method": method, ":path": path });
    expect([method, path, headers["content-length"], text]).toEqual([method, path, undefined, ""]);
    const pipe = new RawPipe(port);
    pipe.request(`${method} ${path}`);
    expect((await pipe.until("\r\n\r\n")).toLowerCase()).not.toContain("content-length");
  }
  expect((await ask(session, {})).headers["content-length"]).toBe("0");
});

it("REM-27: a host beyond loopback needs a flag", async () => {
  await expect(listen(serverOf({}), { host: "0.0.0.0" })).rejects.toThrow("beyondLoopback");
  const { url } = await stand({ fetch: echo }, { host: "0.0.0.0", beyondLoopback: true });
  expect(url).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/$/);
  const ipv6 = await stand({ fetch: echo }, { host: "::1" });
  expect((await fetch(ipv6.url)).status).toBe(200);
});

it("a port that is taken rejects", async () => {
  const { port } = await stand({});
  await expect(listen(serverOf({}), { port })).rejects.toThrow("EADDRINUSE");
});

it("a path is compared as a whole, over every protocol", async () => {
  const upgrade = async () => ({ headers: new Headers(), protocol: undefined, open: echoSocket() });
  const { url } = await stand({ fetch: echo, upgrade }, { path: "/acp" });
  for (const path of ["/", "/acp/", "/acpx", "/x/acp", "//acp"]) {
    expect((await fetch(new URL(url).origin + path)).status).toBe(404);
    expect((await ask(openHttp2(url), { ":path": path })).status).toBe(404);
    const socket = new WebSocket(new URL(url).origin.replace("http", "ws") + path);
    expect(await new Promise((resolve) => socket.once("error", ({ message }) => resolve(message)))).toContain("404");
  }
  expect((await fetch(`${url}?query=1`)).status).toBe(200);
});

it("a server that throws is answered with 500, without its error", async () => {
  const broken = async () => {
    throw new Error("secret");
  };
  const { url } = await stand({ fetch: broken, upgrade: broken });
  const answer = await fetch(url);
  expect([answer.status, await answer.text()]).toEqual([500, "The server failed.\n"]);
  const socket = new WebSocket(url.replace("http", "ws"));
  expect(await new Promise((resolve) => socket.once("error", ({ message }) => resolve(message)))).toContain("500");
});
