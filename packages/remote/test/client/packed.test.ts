import { describe, expect, it } from "vitest";
import type { Frame } from "./raw-server.js";
import { startRawServer } from "./raw-server.js";
import { RawSocketServer, webSocket } from "./raw-socket-server.js";
import { quick, RemoteClient, texts, update } from "./remote-client.js";

const agreed = { "acp/packed": true };

const lineOf = (frame: Frame, cursor?: string) =>
  JSON.stringify({ jsonrpc: "2.0", ...frame, ...(cursor && { _meta: { "acp/cursor": cursor } }) });

/** Text of a packed frame: updates with these texts. The last one has the cursor. */
const frameOf = (words: readonly string[], cursor?: string) =>
  words.map((word, at) => lineOf(update("s-1", word), at + 1 === words.length ? cursor : undefined)).join("\n");

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `${from + at}`);

/** A client over a WebSocket, and a bare server that has answered `initialize` with this `_meta`. */
async function overSocket(meta: object = agreed, arrives: (frame: string) => void = () => {}) {
  const server = await RawSocketServer.start();
  const watched: typeof webSocket = (url, request) => {
    const socket = webSocket(url, request);
    socket.addEventListener("message", (event) => arrives(String((event as { readonly data: unknown }).data)));
    return socket;
  };
  const client = await RemoteClient.open(server.url, { webSocket: watched, reconnect: quick });
  client.call(0, "initialize", { protocolVersion: 1 });
  const socket = await server.socket();
  await socket.initialize(true, meta);
  await client.answer(0);
  return { server, client, socket };
}

/** A client over HTTP with a session `s-1`. */
async function overHttp(meta: object = agreed) {
  const server = await startRawServer((ask) => {
    if (ask.line !== "POST initialize") return undefined;
    const transport = { resumable: { retentionMessages: 9, retentionSeconds: 9 } };
    const result = { protocolVersion: 1, capabilities: { transport }, _meta: meta };
    ask.reply(200, { jsonrpc: "2.0", id: ask.frame.id, result }, { "Acp-Connection-Id": "c-1" });
    return true;
  });
  const client = await RemoteClient.connect(server.url);
  await server.ask("GET stream");
  client.call("new", "session/new", { cwd: "/srv" });
  await server.ask("POST session/new");
  server.event(undefined, "c1", { id: "new", result: { sessionId: "s-1" } });
  await client.answer("new");
  return { server, client };
}

const dataOf = (frame: string) => `data: ${frame.replaceAll("\n", "\ndata: ")}\n\n`;

describe("packed frames", () => {
  it("REM-39: the client asks for them over both profiles, unless it was told not to resume", async () => {
    const server = await RawSocketServer.start();
    for (const reconnect of [quick, false] as const) {
      const client = await RemoteClient.open(server.url, { webSocket, reconnect });
      client.call(0, "initialize", { protocolVersion: 1 });
    }
    const asked = await Promise.all([0, 1].map(async (nth) => (await server.socket(nth)).frame("initialize")));
    expect(asked.map(({ params }) => params._meta?.["acp/packed"])).toEqual([true, undefined]);
    const { server: http } = await overHttp();
    expect((await http.ask("POST initialize")).frame.params._meta["acp/packed"]).toBe(true);
  });

  it("defect M19: the messages of a frame are delivered in order, and a resume names the cursor of its last one", async () => {
    const { client, socket, server } = await overSocket();
    socket.socket.send(frameOf(numbers(500), "c1"));
    socket.socket.send(frameOf(["500"], "c2"));
    socket.socket.send(`${frameOf(["501"])}\n${lineOf({ method: "_x" })}\nno json\n${frameOf(["502"], "c3")}`);
    await client.until(() => texts(client.frames).length === 503);
    expect(texts(client.frames)).toEqual(numbers(503));
    expect(client.invalid).toEqual(["no json"]);
    expect(client.frames.some((frame) => "_meta" in frame)).toBe(false);
    socket.socket.terminate();
    const again = await server.socket(1);
    const { id, params } = await again.frame("stream/resume");
    expect(params.streams).toEqual([{ cursor: "c3" }]);
    again.send({ id, result: { streams: [], received: 1 } });
    again.socket.send(frameOf(["503", "504"], "c4"));
    await client.until(() => texts(client.frames).length === 505);
  });

  it("REM-49: a frame of which a part waits for a slow program is not asked for again after a cut", async () => {
    let arrived = () => {};
    const whenArrived = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { client, socket, server } = await overSocket(agreed, (data) => data.includes("299") && arrived());
    client.channel.pause();
    socket.socket.send(frameOf(numbers(300), "c1"));
    await whenArrived;
    socket.socket.send(frameOf(numbers(300, 300), "c2"));
    socket.socket.terminate();
    client.channel.resume();
    const again = await server.socket(1);
    const { id, params } = await again.frame("stream/resume");
    again.send({ id, result: { streams: [], received: 1 } });
    const next = params.streams[0].cursor === "c2" ? 600 : params.streams[0].cursor === "c1" ? 300 : 0;
    again.socket.send(frameOf(numbers(700 - next, next), "c3"));
    await client.until(() => texts(client.frames).length >= 700);
    expect(texts(client.frames)).toEqual(numbers(700));
  });

  it("REM-39: without the agreement, two lines are no JSON, and a list is delivered as it is", async () => {
    const { client, socket } = await overSocket({});
    socket.socket.send(frameOf(["0", "1"], "c1"));
    socket.socket.send(`[${lineOf(update("s-1", "2"))}]`);
    socket.socket.send(`{"jsonrpc":"2.0",\n"method":"_wrapped"}`);
    await client.next(({ method }) => method === "_wrapped");
    expect([client.invalid.length, client.frames.filter(Array.isArray).length]).toEqual([1, 1]);
    expect(texts(client.frames)).toEqual([]);

    const { client: other, server } = await overHttp({});
    server.write("s-1", dataOf(frameOf(["0", "1"], "s1")));
    server.write("s-1", dataOf(`{"jsonrpc":"2.0",\n"method":"_wrapped"}`));
    await other.next(({ method }) => method === "_wrapped");
    expect([other.invalid.length, texts(other.frames)]).toEqual([1, []]);
  });

  it("defect M19: over HTTP, each line of data is a message, and the event has the cursor of the last one", async () => {
    const { client, server } = await overHttp();
    server.write("s-1", `id: s1\n${dataOf(frameOf(numbers(500), "s1"))}`);
    server.write("s-1", `id: s2\n${dataOf(frameOf(["500", "501"]))}`);
    await client.until(() => texts(client.frames).length === 502);
    expect(texts(client.frames)).toEqual(numbers(502));
    server.cut("s-1");
    expect((await server.ask("GET stream s-1", 1)).headers["last-event-id"]).toBe("s2");
  });

  it("defect M18: a frame or an event with more than 1 024 messages ends the channel, and is not asked for again", async () => {
    const { client, socket } = await overSocket();
    socket.socket.send(frameOf(numbers(1_024), "c1"));
    await client.until(() => texts(client.frames).length === 1_024);
    socket.socket.send("\n".repeat(1_024));
    expect(await client.closed).toMatchObject({ kind: "frame", message: expect.stringContaining("1024 messages") });

    const { client: other, server } = await overHttp();
    server.write("s-1", dataOf(frameOf(numbers(1_025), "s1")));
    expect(await other.closed).toMatchObject({ kind: "frame" });
    expect([texts(client.frames).length, texts(other.frames).length]).toEqual([1_024, 0]);
  });
});
