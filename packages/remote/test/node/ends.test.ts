import { describe, expect, it } from "vitest";
import WebSocket from "ws";
import { ask, openHttp2 } from "./http2-client.js";
import { frameType, RawHttp2 } from "./raw-http2.js";
import { RawPipe } from "./raw-socket.js";
import { echo, echoSocket, endless, stand } from "./stand.js";

// The end of a client, of an answer, and of the port.

describe("a client that leaves", () => {
  it.each(["HTTP/1.1", "HTTP/2"])(
    "%s: its request is aborted, and the body of its answer is cancelled",
    async (version) => {
      const source = endless(1);
      let aborted: Promise<void> | undefined;
      const fetch = (request: Request) => {
        aborted = new Promise((resolve) => request.signal.addEventListener("abort", () => resolve()));
        return source.fetch();
      };
      const { port } = await stand({ fetch });
      if (version === "HTTP/2") {
        const raw = new RawHttp2(port);
        raw.request(1, "GET", true);
        await raw.frame(frameType.data, 1);
        raw.send(frameType.reset, 0, 1, Buffer.from([0, 0, 0, 8]));
      } else {
        const pipe = new RawPipe(port);
        pipe.request("GET /");
        await pipe.until("\r\n\r\n");
        pipe.socket.destroy();
      }
      await source.cancelled;
      await aborted;
    },
  );

  it("a body that breaks off fails for the server", async () => {
    let failed: Promise<string> | undefined;
    const fetch = (request: Request) => {
      failed = request.text().catch(({ message }: Error) => message);
      return new Promise<Response>(() => {});
    };
    const { port } = await stand({ fetch });
    const pipe = new RawPipe(port);
    pipe.request("POST /", ["Content-Length: 10"], "half");
    await expect.poll(() => failed !== undefined).toBe(true);
    pipe.socket.destroy();
    expect(await failed).toContain("broke off");
  });
});

describe("an answer whose body fails", () => {
  const broken = async () => {
    let pieces = 0;
    return new Response(
      new ReadableStream({
        async pull(controller) {
          pieces += 1;
          if (pieces < 3) controller.enqueue(new TextEncoder().encode("piece"));
          else await new Promise((_, reject) => setImmediate(reject, new Error("secret")));
        },
      }),
    );
  };

  it("is cut, so that the client sees that it is not complete", async () => {
    const { port, url } = await stand({ fetch: broken });
    const pipe = new RawPipe(port);
    pipe.request("GET /");
    await pipe.closed;
    expect(pipe.text).toContain("piece");
    expect(pipe.text).not.toMatch(/\r\n0\r\n\r\n$|secret/);
    await expect(ask(openHttp2(url), {})).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
  });
});

describe("close", () => {
  it("REM-54: ends streams in good order, then closes every socket and the port", async () => {
    let end = () => {};
    const stream = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("event"));
          end = () => controller.close();
        },
      });
    const fetch = async ({ method }: Request) => new Response(method === "HEAD" ? null : stream());
    const listening = await stand({ fetch, close: async () => end() }, { limits: { closeMs: 10_000 } });
    const pipe = new RawPipe(listening.port);
    pipe.request("GET /");
    await pipe.until("event");
    // The port accepts sockets in their order, so it has this one when the next one is answered.
    const silent = new RawPipe(listening.port);
    const idle = new RawPipe(listening.port);
    idle.request("HEAD /");
    await idle.until("\r\n\r\n");
    const started = performance.now();
    await listening.close();
    // Nothing waits for closeMs: not the idle connection, and not the one without a request.
    expect(performance.now() - started).toBeLessThan(5_000);
    await silent.closed;
    await pipe.closed;
    expect(pipe.text).toMatch(/\r\n0\r\n\r\n$/);
    await idle.closed;
    await new RawPipe(listening.port).closed;
  });

  it("HTTP/2: sends GOAWAY, waits for open requests, and cuts them after closeMs", async () => {
    const listening = await stand({ fetch: () => new Promise(() => {}) }, { limits: { closeMs: 30 } });
    const raw = new RawHttp2(listening.port);
    raw.request(1, "GET", true);
    await raw.frame(frameType.settings, 0);
    const closed = listening.close();
    await raw.frame(frameType.goaway, 0);
    await closed;
    expect(listening.close()).toBe(listening.close());
  });
});

/** Opens a WebSocket. */
async function startSocket(port: number, path = "/"): Promise<RawPipe> {
  const pipe = new RawPipe(port);
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`;
  pipe.request(`GET ${path}`, ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", key]);
  await pipe.until("\r\n\r\n");
  return pipe;
}

/** Sends the start of a frame with a mask of zeros, and bytes of its text. */
async function beginFrame({ socket }: RawPipe, first: number, size: number, sent: number): Promise<void> {
  const head = Buffer.from([first, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(size, 6);
  await new Promise((resolve) => socket.write(Buffer.concat([head, Buffer.alloc(sent, "x")]), resolve));
}

describe("WebSockets", () => {
  const open = async (log: string[], limits = {}) => {
    const upgrade = async () => ({ headers: new Headers(), protocol: undefined, open: echoSocket(log) });
    const listening = await stand({ fetch: echo, upgrade }, { limits });
    const socket = new WebSocket(listening.url.replace("http", "ws"));
    await new Promise((resolve) => socket.once("open", resolve));
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    return { socket, closed };
  };

  it("texts, binary frames, pongs and the end reach the server in order", async () => {
    const log: string[] = [];
    const { socket, closed } = await open(log);
    socket.send("one");
    socket.send(Buffer.from("two"));
    socket.pong();
    socket.send("three");
    socket.close(4000);
    await closed;
    await expect.poll(() => log).toEqual(["one", "binary", "pong", "three", "closed 4000"]);
  });

  it("REM-22: a frame of more than frameBytes closes the WebSocket with 1009", async () => {
    const log: string[] = [];
    const { socket, closed } = await open(log, { frameBytes: 10 });
    socket.send("0123456789");
    socket.send("0123456789x");
    expect(await closed).toBe(1009);
    await expect.poll(() => log).toEqual(["0123456789", "closed 1006"]);
  });

  it("REM-22: unfinished frames of all WebSockets have a common bound, and the largest one is cut", async () => {
    const log: string[] = [];
    const upgrade = async () => ({ headers: new Headers(), protocol: undefined, open: echoSocket(log) });
    const { port } = await stand({ upgrade }, { limits: { arrivingBytes: 100_000 } });
    const [text, part, last] = [0x81, 0x01, 0x80];
    const [one, other] = [await startSocket(port), await startSocket(port)];
    // A message that ends leaves the account.
    for (let messages = 1; messages <= 3; messages += 1) {
      await beginFrame(one, text, 80_000, 80_000);
      await expect.poll(() => log.length).toBe(messages);
    }
    // A ping between the parts of a message does not end it.
    await beginFrame(other, part, 40_000, 40_000);
    other.socket.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
    await other.until("\x8a\x00");
    await beginFrame(one, text, 80_000, 70_000);
    await one.closed;
    await beginFrame(other, last, 1, 1);
    await expect.poll(() => log.length).toBe(5);
    expect(log.map((entry) => (entry.startsWith("x") ? entry.length : entry)).sort()).toEqual([
      40_001,
      80_000,
      80_000,
      80_000,
      "closed 1006",
    ]);
  });

  it("defect M1: other principals are served while one holds all that may be unfinished", async () => {
    const log: string[] = [];
    const upgrade = async ({ url }: Request) => ({
      headers: new Headers(),
      protocol: undefined,
      owner: url.slice(-1),
      open: echoSocket(log),
    });
    const { port } = await stand({ upgrade }, { limits: { arrivingBytes: 400_000, frameBytes: 100_000 } });
    const other = await startSocket(port, "/b");
    for (let at = 0; at < 5; at += 1) await beginFrame(await startSocket(port, "/a"), 0x01, 90_000, 90_000);
    // The half of a principal has room for two of them.
    await expect.poll(() => log).toEqual(["closed 1006", "closed 1006", "closed 1006"]);
    await beginFrame(other, 0x81, 90_000, 90_000);
    await expect.poll(() => log.at(-1)?.length).toBe(90_000);
  });

  it("defect M1: a message that does not end within messageMs cuts its WebSocket, in spite of pings between its parts", async () => {
    const log: string[] = [];
    const upgrade = async () => ({ headers: new Headers(), protocol: undefined, open: echoSocket(log) });
    const { port } = await stand({ upgrade }, { limits: { messageMs: 60 } });
    const [slow, silent] = [await startSocket(port), await startSocket(port)];
    await beginFrame(slow, 0x01, 10, 10);
    let isOver = false;
    void slow.closed.then(() => {
      isOver = true;
    });
    while (!isOver) {
      slow.socket.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
      await Promise.race([slow.arrival().catch(() => {}), slow.closed]);
    }
    await expect.poll(() => log).toEqual(["closed 1006"]);
    // A WebSocket without a message may be silent.
    await beginFrame(silent, 0x81, 10, 10);
    await expect.poll(() => log).toEqual(["closed 1006", "x".repeat(10)]);
  });

  it("a text that is no UTF-8 closes the WebSocket with 1007", async () => {
    const { socket, closed } = await open([]);
    socket.send(Buffer.from([0xff]), { binary: false });
    expect(await closed).toBe(1007);
  });

  it("a cut is reported with 1006", async () => {
    const log: string[] = [];
    const { socket } = await open(log);
    socket.terminate();
    await expect.poll(() => log).toEqual(["closed 1006"]);
  });
});
