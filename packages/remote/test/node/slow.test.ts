import { describe, expect, it } from "vitest";
import { certificate } from "./certificate.js";
import { ask, openHttp2 } from "./http2-client.js";
import { frameType, RawHttp2 } from "./raw-http2.js";
import { RawPipe } from "./raw-socket.js";
import { echo, endless, stand } from "./stand.js";

// Slow and silent clients. Every wait of the server has a bound, and each bound has an outcome that the client sees.

describe("headers that do not arrive", () => {
  it("a connection without a byte is closed after headerMs", async () => {
    const { port } = await stand({ fetch: echo }, { limits: { headerMs: 30 } });
    const pipe = new RawPipe(port);
    await pipe.closed;
    expect(pipe.text).toBe("");
  });

  it("a TLS handshake that does not end is closed after headerMs", async () => {
    const { port } = await stand({ fetch: echo }, { limits: { headerMs: 30 }, tls: certificate() });
    await new RawPipe(port).closed;
    await new RawPipe(port, { tls: true }).closed;
  });

  it.each(["GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "P"])(
    "a request that begins with %j is answered with 408 after headerMs, or closed",
    async (start) => {
      const { port } = await stand({ fetch: echo }, { limits: { headerMs: 30 } });
      const pipe = new RawPipe(port);
      pipe.write(start);
      await pipe.closed;
      expect(pipe.text).toMatch(start === "P" ? /^$/ : /^HTTP\/1\.1 408 /);
    },
  );

  it.each(["PRI * HTTP/2.0\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"])(
    "HTTP/2 that stops after %j is closed after headerMs",
    async (start) => {
      const { port } = await stand({ fetch: echo }, { limits: { headerMs: 30 } });
      const pipe = new RawPipe(port);
      pipe.write(start);
      await pipe.closed;
    },
  );
});

describe("bodies that do not arrive", () => {
  it("HTTP/1.1: 408 after requestMs, and the connection is closed", async () => {
    const { port } = await stand({ fetch: echo }, { limits: { requestMs: 30, headerMs: 30 } });
    const pipe = new RawPipe(port);
    pipe.request("POST /", ["Content-Length: 10"], "half");
    await pipe.closed;
    expect(pipe.text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("HTTP/2: 408 after requestMs, and the stream is reset, but not the connection", async () => {
    const { port } = await stand({ fetch: echo }, { limits: { requestMs: 30 } });
    const raw = new RawHttp2(port);
    raw.request(1, "POST", false);
    raw.body(1, 4);
    const { payload } = await raw.frame(frameType.headers, 1);
    expect(payload.includes("408") || payload.includes(Buffer.from([0x08, 0x03]))).toBe(true);
    await raw.frame(frameType.reset, 1);
    raw.request(3, "GET", true);
    await raw.frame(frameType.headers, 3);
  });
});

describe("connections without a request", () => {
  it("HTTP/1.1: closed after idleMs", async () => {
    const { port } = await stand({ fetch: echo }, { limits: { idleMs: 30 } });
    const pipe = new RawPipe(port);
    pipe.request("GET /");
    await pipe.closed;
    expect(pipe.text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("HTTP/2: ended with GOAWAY after idleMs", async () => {
    const { url } = await stand({ fetch: echo }, { limits: { idleMs: 30 } });
    const session = openHttp2(url);
    const closed = new Promise((resolve) => session.once("goaway", resolve));
    expect((await ask(session, {})).status).toBe(200);
    expect(await closed).toBe(0);
  });
});

describe("clients that read nothing", () => {
  it("HTTP/1.1: the answer is cut after stalledMs, and its source is told", async () => {
    const source = endless();
    const { port } = await stand({ fetch: source.fetch }, { limits: { stalledMs: 30 } });
    const pipe = new RawPipe(port);
    pipe.socket.pause();
    pipe.request("GET /");
    await source.cancelled;
    // All pieces that wait for the client are in the buffers of the two sockets.
    expect(source.pieces).toBeLessThan(1_000);
  });

  it("HTTP/2, with a window of 0: the stream is reset after stalledMs, and its source is told", async () => {
    const source = endless();
    const { port } = await stand({ fetch: source.fetch }, { limits: { stalledMs: 30 } });
    const raw = new RawHttp2(port, { window: 0 });
    raw.request(1, "GET", true);
    await source.cancelled;
    expect(source.pieces).toBeLessThan(10);
    await raw.frame(frameType.reset, 1);
  });

  it("HTTP/2, with a window of 0: a short answer is also reset after stalledMs", async () => {
    const { port } = await stand({ fetch: echo }, { limits: { stalledMs: 30 } });
    const raw = new RawHttp2(port, { window: 0 });
    raw.request(1, "GET", true);
    await raw.frame(frameType.reset, 1);
  });

  it("HTTP/2: a client that answers no ping is cut within two intervals, while a stream is open", async () => {
    const source = endless(0);
    const { port } = await stand({ fetch: source.fetch }, { limits: { pingMs: 30 } });
    const raw = new RawHttp2(port);
    raw.request(1, "GET", true);
    await raw.frame(frameType.ping, 0);
    await raw.pipe.closed;
    await source.cancelled;
  });

  it("HTTP/2: a client that answers pings is not cut", async () => {
    const source = endless(0);
    const { url } = await stand({ fetch: source.fetch }, { limits: { pingMs: 100 } });
    const session = openHttp2(url);
    const stream = session.request({ ":path": "/" });
    let pings = 0;
    await new Promise<void>((resolve, reject) => {
      stream.once("close", () => reject(new Error("The stream was closed.")));
      session.on("ping", () => {
        pings += 1;
        if (pings === 3) resolve();
      });
    });
    expect(stream.destroyed).toBe(false);
  });
});
