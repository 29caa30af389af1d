import { createHttpStream, DEFAULT_MAX_MESSAGE_BYTES } from "@agentclientprotocol/sdk/experimental/http-client";
import { DEFAULT_MAX_REQUEST_BODY_BYTES } from "@agentclientprotocol/sdk/experimental/node";
import {
  DEFAULT_MAX_BUFFERED_BYTES,
  DEFAULT_MAX_BUFFERED_SESSION_STREAMS,
  DEFAULT_MAX_ID_LENGTH,
  DEFAULT_MAX_OUTPUT_STALL_MS,
} from "@agentclientprotocol/sdk/experimental/server";
import { createAgent } from "@turnkit/agent";
import { connectWith, v1Dialect } from "@turnkit/client";
import { createGate } from "@turnkit/testing";
import { createMessageStreamChannel, frameLimit } from "@turnkit/transport/channels";
import { describe, expect, it, vi } from "vitest";
import { RawHttp } from "./raw-http.js";
import { startRemoteAgent } from "./remote-server.js";

const info = { name: "remote", version: "1.0.0" };
const filler = "x".repeat(1_000);

/** An agent that says `pieces` pieces of about 1 KiB, each when there is room, and counts them in `said`. */
function talker(pieces: number, said: { count: number }, seen: { signal?: AbortSignal } = {}) {
  return createAgent({
    info,
    newSession: (_, session) => {
      seen.signal = session.signal;
    },
    async prompt(turn) {
      for (; said.count < pieces && !turn.signal.aborted; said.count += 1) await turn.say(filler);
    },
  });
}

async function connected(remote: { readonly http: string }) {
  const http = new RawHttp(remote.http);
  await http.initialize();
  const connection = await http.read();
  return { http, connection, id: await http.newSession(connection) };
}

/** Lets everything that can still happen happen. */
async function settle(count: { count: number }): Promise<void> {
  for (let before = -1; before !== count.count; ) {
    before = count.count;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("bounds of the remote transport", () => {
  it("V2-REM-06: are these unless said otherwise", () => {
    expect([DEFAULT_MAX_MESSAGE_BYTES, DEFAULT_MAX_REQUEST_BODY_BYTES]).toEqual([32 * 2 ** 20, 16 * 2 ** 20]);
    expect([DEFAULT_MAX_BUFFERED_BYTES, DEFAULT_MAX_OUTPUT_STALL_MS]).toEqual([64 * 2 ** 20, 60_000]);
    expect([DEFAULT_MAX_BUFFERED_SESSION_STREAMS, DEFAULT_MAX_ID_LENGTH]).toEqual([1024, 1024]);
    // A message that one of our pipes takes, the remote transport takes too.
    expect(DEFAULT_MAX_MESSAGE_BYTES).toBe(frameLimit);
  });

  it("V2-REM-06: at the server's output buffer our agent's handler waits, until the client reads", async () => {
    const said = { count: 0 };
    const remote = await startRemoteAgent(talker(500, said), { limits: { maxBufferedBytes: 10_000 } });
    const { http, id } = await connected(remote);
    await http.prompt(id, 2);
    await settle(said);
    // What the server buffers (10 messages), what our channel holds before it asks to wait (64), and what is between.
    expect(said.count).toBeGreaterThan(60);
    expect(said.count).toBeLessThan(90);
    const session = await http.read(id);
    await session.answer(2);
    expect(said.count).toBe(500);
    expect(session.frames.filter(({ method }) => method === "session/update")).toHaveLength(500);
  });

  it("V2-REM-06: while its output is full, the server holds back requests, not notifications", async () => {
    const said = { count: 0 };
    const remote = await startRemoteAgent(talker(100, said), { limits: { maxBufferedBytes: 10_000 } });
    const { http, connection, id } = await connected(remote);
    await http.prompt(id, 2);
    await settle(said);
    let accepted = false;
    const waiting = http.newSession(connection, "later").then(() => {
      accepted = true;
    });
    await http.send({ method: "_note", params: {} });
    expect(accepted).toBe(false);
    const session = await http.read(id);
    await session.answer(2);
    await waiting;
  });

  it("V2-REM-06: a client that reads nothing for too long loses its connection, and our agent its session", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const said = { count: 0 };
    const seen: { signal?: AbortSignal } = {};
    const limits = { maxBufferedBytes: 10_000, maxOutputStallMs: 50 };
    const remote = await startRemoteAgent(talker(500, said, seen), { limits });
    const { http, id } = await connected(remote);
    await http.prompt(id, 2);
    expect(await remote.served[0]?.closed).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("stalled"),
    });
    expect(seen.signal?.aborted).toBe(true);
    expect(said.count).toBeLessThan(90);
    expect((await http.ask("GET", { Accept: "text/event-stream", ...http.headers() })).status).toBe(404);
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
  });

  it("V2-REM-06: so many sessions may buffer without a reader; one more costs the connection", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const gate = createGate();
    const agent = createAgent({
      info,
      newSession() {},
      prompt: (turn) => gate.opened.then(() => void turn.say("one")),
    });
    const remote = await startRemoteAgent(agent, { limits: { maxBufferedSessionStreams: 2 } });
    const { http, connection, id } = await connected(remote);
    const ids = [id, await http.newSession(connection, 2), await http.newSession(connection, 3)];
    for (const [at, one] of ids.entries()) await http.prompt(one, 10 + at);
    gate.open();
    const reason = await remote.served[0]?.closed;
    expect(reason).toMatchObject({ kind: "failed", message: expect.stringContaining("maxBufferedSessionStreams (2)") });
    warned.mockRestore();
  });

  it("V2-REM-06: ids are 1024 UTF-16 units at most", async () => {
    const { http, connection } = await connected(await startRemoteAgent(talker(0, { count: 0 })));
    const call = (id: string) => ({ id, method: "session/list", params: {} });
    expect((await http.post(call("é".repeat(1_025)), http.headers())).status).toBe(400);
    const longest = "é".repeat(1_024);
    await http.send(call(longest));
    expect(await connection.answer(longest)).toBeDefined();
    const read = http.ask("GET", { Accept: "text/event-stream", ...http.headers("s".repeat(1_025)) });
    expect((await read).status).toBe(400);
  });

  it("V2-REM-06: a message over the client's limit closes our client's channel as failed", async () => {
    const remote = await startRemoteAgent(talker(1, { count: 0 }));
    const stream = createHttpStream(remote.http, { maxMessageBytes: 999 });
    const client = await connectWith([v1Dialect], createMessageStreamChannel(stream), { info });
    const session = await client.newSession({ cwd: "/srv" });
    await expect(session.prompt("go").ended).rejects.toMatchObject({ code: "connection_closed" });
    expect(await client.closed).toMatchObject({ kind: "failed", message: expect.stringContaining("999") });
  });
});
