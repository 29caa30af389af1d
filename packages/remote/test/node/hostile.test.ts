import { describe, expect, it } from "vitest";
import { createRemoteServer } from "../../src/server/index.js";
import { RawAgent } from "../server/raw-agent.js";
import { ask, openHttp2 } from "./http2-client.js";
import { frameType, RawHttp2 } from "./raw-http2.js";
import { RawPipe } from "./raw-socket.js";
import { echo, stand } from "./stand.js";

// Requests that would end the process, or stop it for all others.

const refusing = async () => new Response(null, { status: 204 });

const answers = (text: string) => text.match(/HTTP\/1\.1 \d+/g) ?? [];

describe("defect M3: a request whose client is gone", () => {
  it.each(["OPTIONS", "POST"])("does not end the process when it was reset in the read of its %s", async (method) => {
    const { port, url } = await stand({ fetch: refusing });
    const http2 = new RawHttp2(port);
    await http2.frame(frameType.settings, 0);
    http2.pipe.socket.cork();
    http2.request(1, method, false);
    http2.body(1, 1);
    // NO_ERROR: the stream is closed, and Node does not destroy it before its body is read.
    http2.send(frameType.reset, 0, 1, Buffer.alloc(4));
    http2.request(3, method, true);
    http2.pipe.socket.uncork();
    await http2.frame(frameType.headers, 3);
    expect((await ask(openHttp2(url), {})).status).toBe(204);
  });
});

describe("defect M3: an answer that cannot be sent", () => {
  const broken = (): Response => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("cut")) });
    return new Response(body, { status: 403 });
  };

  it.each([
    ["whose body fails", broken],
    [
      "whose body was read",
      () => {
        const answer = new Response("no", { status: 403 });
        void answer.text();
        return answer;
      },
    ],
    ["that is an error", () => Response.error()],
  ])("%s cuts its own connection alone", async (_, answer) => {
    const isBad = (request: Request) => new URL(request.url).pathname === "/bad";
    const fetch = async (request: Request) => (isBad(request) ? answer() : echo(request));
    const upgrade = async (request: Request) => (isBad(request) ? answer() : new Response("no", { status: 401 }));
    const { port, url } = await stand({ fetch, upgrade });
    const http1 = new RawPipe(port);
    http1.request("GET /bad");
    await http1.closed;
    const socket = new RawPipe(port);
    socket.request("GET /bad", ["Connection: Upgrade", "Upgrade: websocket"]);
    await socket.closed;
    await ask(openHttp2(url), { ":path": "/bad" }).catch(() => {});
    expect((await ask(openHttp2(url), {})).status).toBe(200);
  });

  it("defect M3, REM-20: `authorize` may return one Response for all requests", async () => {
    const forbidden = new Response("not you", { status: 403 });
    const server = createRemoteServer({ agent: new RawAgent(), authorize: () => forbidden });
    const { url, port } = await stand(server);
    for (let n = 0; n < 2; n += 1) {
      expect(await ask(openHttp2(url), {})).toMatchObject({ status: 403, text: "not you" });
      const socket = new RawPipe(port);
      socket.request("GET /", ["Connection: Upgrade", "Upgrade: websocket"]);
      await socket.closed;
      expect(socket.text).toMatch(/^HTTP\/1\.1 403 [\s\S]*not you$/);
    }
  });
});

describe("defect M4: many requests in one read", () => {
  it("let others in between, and are answered in order", async () => {
    const order: string[] = [];
    const fetch = async (request: Request) => {
      const name = new URL(request.url).pathname.slice(1);
      order.push(name);
      return new Response(name);
    };
    const { port } = await stand({ fetch });
    const [flood, other] = [new RawPipe(port), new RawPipe(port)];
    other.request("GET /first");
    await other.until("first");
    const count = 200;
    const texts = Array.from({ length: count }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    flood.write(texts.join(""));
    other.request("GET /other");
    await flood.until(`\r\n\r\n${count - 1}`);
    await other.until("other");
    expect(answers(flood.text)).toHaveLength(count);
    expect(order.filter((name) => /^\d+$/.test(name))).toEqual(texts.map((_, n) => String(n)));
    expect(order.indexOf("other")).toBeLessThan(count);
  });
});
