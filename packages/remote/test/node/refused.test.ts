import { describe, expect, it } from "vitest";
import { ask, openHttp2 } from "./http2-client.js";
import { frameType, RawHttp2 } from "./raw-http2.js";
import { RawPipe } from "./raw-socket.js";
import { echo, stand } from "./stand.js";

// Requests that are refused: malformed ones, too large ones, and those whose body is still arriving.

const refuse = async () => new Response("no", { status: 401 });

describe("malformed requests", () => {
  it.each([
    ["another host in the target", "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["a user in the host", "GET / HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n"],
    ["a path in the host", "GET / HTTP/1.1\r\nHost: localhost/x\r\n\r\n"],
    ["two hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"],
    ["no host", "GET / HTTP/1.1\r\n\r\n"],
    ["no path", "GET x HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["no HTTP", "hello\r\n\r\n"],
  ])("%s is answered with 400", async (_, text) => {
    const { port } = await stand({ fetch: echo });
    const pipe = new RawPipe(port);
    pipe.write(text);
    expect(await pipe.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("REM-21: the server sees the host of the request, also in the form with a whole address", async () => {
    const { port } = await stand({ fetch: echo });
    for (const target of ["/x", "http://evil.example/x"]) {
      const pipe = new RawPipe(port);
      pipe.write(`GET ${target} HTTP/1.1`, "Host: evil.example", "", "");
      expect(await pipe.until("}}")).toContain('"url":"http://evil.example/x"');
    }
    const session = openHttp2(`http://127.0.0.1:${port}`);
    const received = await ask(session, { ":authority": "evil.example" });
    expect(JSON.parse(received.text)).toMatchObject({ url: "http://evil.example/", headers: { host: "evil.example" } });
    expect((await ask(session, { ":authority": "localhost", host: "evil.example" })).status).toBe(400);
  });

  it.each(["TRACE", "CONNECT"])("HTTP/2: %s is answered with 405", async (method) => {
    const { url } = await stand({ fetch: echo });
    const path = method === "CONNECT" ? { ":authority": "localhost:1", ":path": undefined } : {};
    expect((await ask(openHttp2(url), { ":method": method, ...path })).status).toBe(405);
  });

  it("an upgrade to something else than a WebSocket is answered with 400", async () => {
    const { port } = await stand({ fetch: echo });
    const pipe = new RawPipe(port);
    pipe.request("GET /", ["Connection: Upgrade", "Upgrade: h2c"]);
    await pipe.closed;
    expect(pipe.text).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("requests that are too large or too many", () => {
  it("headers of more than headerBytes are answered with 431, over both versions", async () => {
    const { port, url } = await stand({ fetch: echo }, { limits: { headerBytes: 4_096 } });
    const large = "x".repeat(5_000);
    const pipe = new RawPipe(port);
    pipe.request("GET /", [`X-Large: ${large}`]);
    await pipe.closed;
    expect(pipe.text).toMatch(/^HTTP\/1\.1 431 /);
    expect((await ask(openHttp2(url), { "x-large": large })).status).toBe(431);
    expect((await ask(openHttp2(url), { "x-small": "x" })).status).toBe(200);
  });

  it("a connection more than the limit is closed, and the earlier ones are served", async () => {
    const { port } = await stand({ fetch: echo }, { limits: { connections: 2 } });
    const pipes = [new RawPipe(port), new RawPipe(port)];
    for (const pipe of pipes) {
      pipe.request("GET /");
      await pipe.until("}}");
    }
    await new RawPipe(port).closed;
    pipes[0]?.socket.destroy();
    pipes[1]?.request("GET /again");
    expect(await pipes[1]?.until("/again")).toContain("/again");
  });

  it("HTTP/2: a stream more than the limit is refused, and the others are served", async () => {
    const held: (() => void)[] = [];
    const hold = () => new Promise<Response>((resolve) => held.push(() => resolve(new Response("ok"))));
    const { url } = await stand({ fetch: hold }, { limits: { streams: 2 } });
    const raw = new RawHttp2(Number(new URL(url).port));
    for (const stream of [1, 3, 5]) raw.request(stream, "GET", true);
    const { payload } = await raw.frame(frameType.reset, 5);
    expect(payload.readUInt32BE()).toBe(7);
    for (const release of held) release();
    await raw.frame(frameType.headers, 1);
    await raw.frame(frameType.headers, 3);
  });
});

describe("refusals while the body is arriving", () => {
  it("HTTP/1.1: the client sees the answer, and is cut after lingerMs", async () => {
    const { port } = await stand({ fetch: refuse }, { limits: { lingerMs: 30 } });
    const pipe = new RawPipe(port);
    pipe.request("POST /", ["Content-Length: 100000"], "start");
    expect(await pipe.until("no")).toMatch(/^HTTP\/1\.1 401 /);
    await pipe.closed;
  });

  it("HTTP/1.1: a client that sends the rest of its body keeps its connection", async () => {
    const { port } = await stand({ fetch: refuse });
    const pipe = new RawPipe(port);
    pipe.request("POST /", ["Content-Length: 10"], "start");
    await pipe.until("no");
    pipe.write("-rest");
    pipe.request("GET /");
    await pipe.until("no".concat("HTTP/1.1 401"));
  });

  it("HTTP/2: the client sees the answer and NO_ERROR, and the connection serves others", async () => {
    const { port } = await stand({ fetch: refuse });
    const raw = new RawHttp2(port);
    raw.request(1, "POST", false);
    raw.body(1, 1_000);
    await raw.frame(frameType.data, 1);
    const { payload } = await raw.frame(frameType.reset, 1);
    expect(payload.readUInt32BE()).toBe(0);
    raw.request(3, "GET", true);
    await raw.frame(frameType.data, 3);
  });

  it("HTTP/2: refused bodies do not use up the window of the connection", async () => {
    const readOrRefuse = (request: Request) => (request.url.endsWith("/read") ? echo(request) : refuse());
    const { url } = await stand({ fetch: readOrRefuse });
    const session = openHttp2(url);
    const body = Buffer.alloc(200_000, "x");
    // 40 bodies of 200 kB are more than seven windows of 1 MiB.
    for (let round = 0; round < 40; round += 1)
      expect((await ask(session, { ":method": "POST" }, body)).status).toBe(401);
    const { text } = await ask(session, { ":method": "POST", ":path": "/read" }, body);
    expect(JSON.parse(text).body.length).toBe(body.length);
  });

  it.each(["never read", "read in part"])(
    "HTTP/2: bodies that are %s and then refused use no CPU time",
    async (way) => {
      const fetch = async (request: Request) => {
        if (way === "read in part") await request.body?.getReader().read();
        return refuse();
      };
      const { port } = await stand({ fetch });
      const raw = new RawHttp2(port);
      for (let stream = 1; stream < 60; stream += 2) {
        raw.request(stream, "POST", false);
        raw.body(stream, 16_000);
        await raw.frame(frameType.reset, stream);
        raw.body(stream, 100);
      }
      // A loop without an end would take all of this time, and a server without one answers meanwhile.
      const before = process.cpuUsage();
      const started = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000 / (performance.now() - started)).toBeLessThan(0.5);
      raw.request(99, "GET", true);
      await raw.frame(frameType.data, 99);
    },
  );
});
