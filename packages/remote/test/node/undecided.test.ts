import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ask, openHttp2 } from "./http2-client.js";
import { frameType, RawHttp2 } from "./raw-http2.js";
import { RawPipe } from "./raw-socket.js";
import { stand } from "./stand.js";

// What clients without a token can put into the memory of a server, before it has decided about them.

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const KiB = 1024;

/** Size of everything in memory that JavaScript refers to. */
function memory(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Waits until the memory has grown by less than this. V8 frees buffers a while after a collection. */
const grownBelow = (before: number, most: number) => vi.waitFor(() => expect(memory() - before).toBeLessThan(most));

/** A server that decides about a request when the test says so: `read` reads its body. Other paths are answered at once. */
async function slowServer(limits = {}) {
  const asked: Request[] = [];
  let decide = (_: Response | "read") => {};
  const decision = new Promise<Response | "read">((resolve) => {
    decide = resolve;
  });
  const wait = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname === "/other") return new Response("other");
    asked.push(request);
    const decided = await decision;
    return decided === "read" ? new Response(await request.text()) : decided.clone();
  };
  const { port, url } = await stand({ fetch: wait, upgrade: wait }, { limits });
  const other = openHttp2(url);
  await ask(other, { ":path": "/other" });
  // Sockets of the server, except the one of the other client.
  const sockets: WeakRef<Socket>[] = [];
  const seen = (message: unknown) => void sockets.push(new WeakRef((message as { readonly socket: Socket }).socket));
  subscribe("net.server.socket", seen);
  onTestFinished(() => void unsubscribe("net.server.socket", seen));
  return {
    port,
    asked,
    decide,
    /** Answers other requests until the server has read everything that it wants of this one. */
    async settle() {
      for (let before = -1, now = 0; before < now; ) {
        before = now;
        for (let n = 0; n < 10; n += 1) expect((await ask(other, { ":path": "/other" })).text).toBe("other");
        now = sockets[0]?.deref()?.bytesRead ?? 0;
      }
      return sockets[0]?.deref()?.bytesRead ?? 0;
    },
  };
}

/** Sends as much of a body as a window allows. */
function fill(http2: RawHttp2, stream: number, bytes: number): void {
  for (let sent = 0; sent < bytes; sent += 16 * KiB) http2.body(stream, Math.min(16 * KiB, bytes - sent));
}

describe("defect M10: before a principal is known", () => {
  it("HTTP/2: a request may send 64 KiB, and more when the server asks for its body", async () => {
    const server = await slowServer();
    const http2 = new RawHttp2(server.port);
    const { payload } = await http2.frame(frameType.settings, 0);
    const windowOf = (settings: Buffer) => {
      for (let at = 0; at < settings.length; at += 6)
        if (settings.readUInt16BE(at) === 4) return settings.readUInt32BE(at + 2);
      return 65_535;
    };
    expect(windowOf(payload)).toBe(65_535);
    http2.request(1, "POST", false);
    fill(http2, 1, 65_535);
    await server.settle();
    const given = () => http2.frames.filter(({ type, stream }) => type === frameType.window && stream === 1);
    expect(given()).toEqual([]);
    server.decide("read");
    await http2.frame(frameType.window, 1);
    const settings = http2.frames.filter(({ type, flags }) => type === frameType.settings && flags === 0);
    expect(settings.map((frame) => windowOf(frame.payload))).toEqual([65_535, 256 * KiB]);
  });

  it("HTTP/2: a byte of a body does not hold the chunk of the network that it came in", async () => {
    const server = await slowServer();
    const http2 = new RawHttp2(server.port);
    await http2.frame(frameType.settings, 0);
    http2.request(1, "POST", false);
    await server.settle();
    const before = memory();
    for (let n = 0; n < 200; n += 1) {
      http2.body(1, 1);
      // Frames of an unknown type are ignored, and have no window.
      for (let junk = 0; junk < 4; junk += 1) http2.send(0xbb, 0, 0, Buffer.alloc(16 * KiB));
      await new Promise((resolve) => http2.pipe.socket.write("", resolve));
      if (n % 20 === 0) await server.settle();
    }
    await server.settle();
    await grownBelow(before, 4 * KiB * KiB);
  });

  it("HTTP/1.1: a body in chunks of one byte takes no more than other ones, and arrives whole", async () => {
    const server = await slowServer();
    const pipe = new RawPipe(server.port);
    await server.settle();
    const before = memory();
    pipe.request("POST /", ["Transfer-Encoding: chunked"], "1\r\nx\r\n".repeat(40_000));
    pipe.write("0\r\n\r\n");
    expect(await server.settle()).toBeLessThan(200 * KiB);
    await grownBelow(before, 2 * KiB * KiB);
    server.decide("read");
    await pipe.until("x".repeat(40_000));
  });

  it("a WebSocket: what follows the upgrade is not read", async () => {
    const server = await slowServer();
    const pipe = new RawPipe(server.port);
    pipe.request("GET /", ["Connection: Upgrade", "Upgrade: websocket"], "x".repeat(4 * KiB * KiB));
    expect(await server.settle()).toBeLessThan(256 * KiB);
    expect(server.asked).toHaveLength(1);
  });
});

it("defect M10: HTTP/1.1: when a client goes, all of its requests end, and not only the first one", async () => {
  const server = await slowServer();
  const pipe = new RawPipe(server.port);
  for (let n = 0; n < 5; n += 1) pipe.request("GET /");
  await server.settle();
  expect(server.asked.map(({ signal }) => signal.aborted)).toEqual(Array(5).fill(false));
  const ends = server.asked.map(({ signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)));
  pipe.socket.destroy();
  await Promise.all(ends);
});

it("defect M16: HTTP/1.1: a client that has gone leaves no requests in memory while the server decides", async () => {
  const server = await slowServer();
  const pipe = new RawPipe(server.port);
  const before = memory();
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(8 * KiB)}\r\nContent-Length: 0\r\n\r\n`;
  pipe.write(head.repeat(1_000));
  await server.settle();
  expect(server.asked).toHaveLength(100);
  expect(memory() - before).toBeGreaterThan(8 * KiB * KiB);
  const gone = new Promise((resolve) => server.asked[99]?.signal.addEventListener("abort", resolve));
  pipe.socket.destroy();
  await gone;
  await grownBelow(before, 3 * KiB * KiB);
});

describe("defect M10: at the bound of what is not decided", () => {
  const limits = { undecidedBytes: 200 * KiB };

  it("HTTP/2: the largest request of the largest connection is reset, and others are answered", async () => {
    const server = await slowServer(limits);
    const [greedy, modest] = [new RawHttp2(server.port), new RawHttp2(server.port)];
    for (const http2 of [greedy, modest]) await http2.frame(frameType.settings, 0);
    modest.request(1, "POST", false);
    fill(modest, 1, 40 * KiB);
    for (const stream of [1, 3, 5]) {
      greedy.request(stream, "POST", false);
      fill(greedy, stream, stream === 3 ? 62 * KiB : 50 * KiB);
    }
    const { payload } = await greedy.frame(frameType.reset, 3);
    expect(payload.readUInt32BE(0)).toBe(11);
    await server.settle();
    expect(
      [greedy, modest].flatMap(({ frames }) => frames.filter(({ type }) => type === frameType.reset)),
    ).toHaveLength(1);
    server.decide(new Response("no", { status: 401 }));
    await modest.frame(frameType.headers, 1);
  });

  it("HTTP/2: requests that wait for their turn count without a body too, and those that fit are answered", async () => {
    const server = await slowServer(limits);
    const http2 = new RawHttp2(server.port);
    http2.pipe.socket.cork();
    for (let stream = 1; stream < 100; stream += 2) http2.request(stream, "GET", true);
    http2.pipe.socket.uncork();
    await http2.frame(frameType.reset, 99);
    await server.settle();
    const reset = http2.frames.filter(({ type }) => type === frameType.reset);
    expect(reset.length + server.asked.length).toBe(50);
    // 16 begin at once, and six times 32 KiB may wait.
    expect(server.asked.length).toBeGreaterThanOrEqual(16 + 6);
  });

  it("HTTP/2: the server decides about 100 requests of a connection at once, and then about the next ones", async () => {
    const server = await slowServer();
    const http2 = new RawHttp2(server.port);
    for (let stream = 1; stream < 240; stream += 2) http2.request(stream, "GET", true);
    await server.settle();
    expect(server.asked).toHaveLength(100);
    server.decide("read");
    await http2.frame(frameType.headers, 239);
  });

  it("HTTP/2: a refused request counts until its client has read the answer", async () => {
    const server = await slowServer(limits);
    server.decide(new Response("no", { status: 401 }));
    const http2 = new RawHttp2(server.port, { window: 0 });
    for (let stream = 1; stream < 30; stream += 2) http2.request(stream, "POST", true);
    await http2.frame(frameType.reset, 27);
  });

  it("HTTP/1.1: a connection with many requests in one read is cut, and others are answered", async () => {
    const server = await slowServer(limits);
    const pipe = new RawPipe(server.port);
    pipe.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));
    await pipe.closed;
    await server.settle();
    expect(server.asked).toHaveLength(16);
  });

  it("what is decided does not count", async () => {
    const server = await slowServer(limits);
    server.decide("read");
    const http2 = openHttp2(`http://127.0.0.1:${server.port}`);
    for (let n = 0; n < 10; n += 1) {
      const body = String(n).repeat(60 * KiB);
      expect((await ask(http2, { ":method": "POST" }, body)).text === body).toBe(true);
    }
  });

  it("HTTP/2: a body that the server reads does not count", async () => {
    const server = await slowServer(limits);
    server.decide("read");
    const http2 = new RawHttp2(server.port);
    for (const stream of [1, 3, 5, 7, 9]) {
      http2.request(stream, "POST", false);
      await server.settle();
      fill(http2, stream, 60 * KiB);
      await server.settle();
    }
    http2.send(frameType.data, 1, 9);
    await http2.frame(frameType.headers, 9);
    expect(http2.frames.filter(({ type }) => type === frameType.reset)).toEqual([]);
  });
});

describe("a body that arrives before the server asks for it", () => {
  it.each([0, 1, 70_000, 300_000])("is complete, with %d bytes and in pieces", async (size) => {
    const server = await slowServer();
    const url = `http://127.0.0.1:${server.port}`;
    const body = Array.from({ length: size }, (_, n) => String.fromCharCode(97 + (n % 26))).join("");
    const http2 = openHttp2(url);
    const answers = [
      ask(http2, { ":method": "POST" }, body),
      fetch(url, { method: "POST", body }).then((a) => a.text()),
    ];
    await server.settle();
    expect(server.asked).toHaveLength(2);
    server.decide("read");
    const [first, second] = await Promise.all(answers);
    expect([(first as { readonly text: string }).text === body, second === body]).toEqual([true, true]);
  });

  it("is dropped if it is not wanted, also with GET", async () => {
    const server = await slowServer();
    const http2 = new RawHttp2(server.port);
    http2.request(1, "GET", false);
    fill(http2, 1, 60 * KiB);
    // Bytes that are dropped give room for more.
    await http2.frame(frameType.window, 1);
    expect(server.asked).toHaveLength(1);
  });
});
