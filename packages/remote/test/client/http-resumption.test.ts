import { describe, expect, it } from "vitest";
import { type RawServer, refuse, type Script, startRawServer } from "./raw-server.js";
import { quick, RemoteClient, texts, update } from "./remote-client.js";

/** A resumable server, and a client with a session `s-1`. Cursors of the connection begin with `c`, of the session with `s`. */
async function stage(options = {}): Promise<{ server: RawServer; client: RemoteClient }> {
  const server = await startRawServer();
  server.isResumable = true;
  const client = await RemoteClient.connect(server.url, options);
  await server.ask("GET stream");
  server.event(undefined, "c0");
  client.call("new", "session/new", { cwd: "/srv" });
  await server.ask("POST session/new");
  server.event(undefined, "c1", { id: "new", result: { sessionId: "s-1" } });
  await client.answer("new");
  server.event("s-1", "s0");
  server.event("s-1", "s1", update("s-1", "one"));
  await client.until(() => texts(client.frames).length === 1);
  return { server, client };
}

const statuses = ({ states }: RemoteClient) => states.map(({ status }) => status);

describe("a cut over HTTP, with resumption", () => {
  it("REM-39: the client asks, and does not resume what the server does not offer or it was told not to", async () => {
    const server = await startRawServer();
    server.isResumable = true;
    await RemoteClient.connect(server.url, { reconnect: false });
    expect((await server.ask("POST initialize")).frame.params).not.toHaveProperty("_meta");
    const client = await RemoteClient.connect(server.url);
    expect((await server.ask("POST initialize", 1)).frame.params._meta).toEqual({
      "acp/resumable": true,
      "acp/packed": true,
    });
    expect(client.states).toEqual([{ status: "connected" }]);
  });

  it.each(["cut", "end"] as const)(
    "REM-40, REM-43: after a %s, a session's stream goes on after the last cursor",
    async (how) => {
      const { server, client } = await stage();
      server[how]("s-1");
      const again = await server.ask("GET stream s-1", 1);
      expect(again.headers["last-event-id"]).toBe("s1");
      // The server replays one message too many: its cursor gives it away.
      server.event("s-1", "s1", update("s-1", "one"));
      server.event("s-1", "s2", update("s-1", "two"));
      await client.until(() => texts(client.frames).length === 2);
      expect(texts(client.frames)).toEqual(["one", "two"]);
      expect(statuses(client)).toEqual(["connected", "reconnecting", "connected"]);
      expect(client.states[1]).toMatchObject({ attempt: 1, message: expect.stringContaining("of a session") });
    },
  );

  it("REM-50: a cut before the first message loses nothing, since the opening has a cursor", async () => {
    const server = await startRawServer();
    server.isResumable = true;
    const client = await RemoteClient.connect(server.url);
    await server.ask("GET stream");
    server.event(undefined, "c0");
    // A cut could take the event with it.
    server.end(undefined);
    expect((await server.ask("GET stream", 1)).headers["last-event-id"]).toBe("c0");
    server.event(undefined, "c1", { method: "_hi" });
    await client.next(({ method }) => method === "_hi");
  });

  it("REM-50: the first cursor may be a header of the opening, for a cut before the first event", async () => {
    const server = await startRawServer();
    server.isResumable = true;
    server.script = ({ line, headers, reply }) => {
      if (line !== "GET stream" || headers["last-event-id"] !== undefined) return undefined;
      reply(200, "", { "Content-Type": "text/event-stream", "Acp-Cursor": "c0" });
      return true;
    };
    await RemoteClient.connect(server.url);
    expect((await server.ask("GET stream", 1)).headers["last-event-id"]).toBe("c0");
  });

  it("REM-50: a stream that was cut before its first event is opened again", async () => {
    const server = await startRawServer();
    server.isResumable = true;
    const client = await RemoteClient.connect(server.url);
    await server.ask("GET stream");
    server.cut(undefined);
    await server.ask("GET stream", 1);
    server.event(undefined, "c1", { method: "_hi" });
    await client.next(({ method }) => method === "_hi");
  });

  it("a stream whose messages had no cursor is not opened again: messages may be lost", async () => {
    const server = await startRawServer();
    server.isResumable = true;
    const client = await RemoteClient.connect(server.url);
    await server.ask("GET stream");
    server.send(undefined, { method: "_hi" });
    await client.next(({ method }) => method === "_hi");
    server.cut(undefined);
    expect((await client.closed).kind).toBe("failed");
    expect(server.log.filter((line) => line === "GET stream")).toHaveLength(1);
  });

  it("REM-38: the cursor in the envelope counts too, and is removed", async () => {
    const { server, client } = await stage();
    const framed = { ...update("s-1", "two"), _meta: { "acp/cursor": "s2", own: 1 } };
    server.send("s-1", framed, { method: "_x", _meta: { "acp/cursor": "s3" } } as object);
    await client.next(({ method }) => method === "_x");
    expect(client.frames.at(-2)).toMatchObject({ _meta: { own: 1 } });
    expect(client.frames.at(-2)).not.toHaveProperty(["_meta", "acp/cursor"]);
    expect(client.frames.at(-1)).not.toHaveProperty("_meta");
    server.cut("s-1");
    expect((await server.ask("GET stream s-1", 1)).headers["last-event-id"]).toBe("s3");
  });

  it.each(["cursor_expired", "cursor_unknown", "cursor_foreign"])(
    "REM-41, REM-42, REM-51: after %s the channel ends, and the reason says how to restore",
    async (reason) => {
      const { server, client } = await stage();
      server.script = refuse("GET stream s-1", 409, { body: { reason } });
      server.cut("s-1");
      const end = await client.closed;
      expect(end.kind).toBe("failed");
      expect(end.message).toContain(reason);
      expect(end.message).toMatch(/restore the session.*session\/resume or session\/load/);
      expect(statuses(client).at(-1)).toBe("lost");
      expect(server.log.filter((line) => line === "GET stream s-1")).toHaveLength(2);
    },
  );

  it.each([
    [
      "a reader that the server thinks is there",
      refuse("GET stream s-1", 409, { body: { reason: "reader_busy" }, times: 2 }),
    ],
    ["a proxy that is away", refuse("GET stream s-1", 502, { times: 2 })],
  ])("REM-43: %s does not end the attempts", async (_, script) => {
    const { server, client } = await stage();
    server.script = script;
    server.cut("s-1");
    await server.ask("GET stream s-1", 3);
    server.event("s-1", "s2", update("s-1", "two"));
    await client.until(() => texts(client.frames).length === 2);
    expect(statuses(client)).toEqual(["connected", "reconnecting", "reconnecting", "reconnecting", "connected"]);
  });

  it("REM-43: a stream that was cut before its first cursor waits until the server has noticed the cut", async () => {
    const { server, client } = await stage();
    let asked = 0;
    server.script = (ask) => {
      if (ask.line !== "GET stream s-2") return undefined;
      asked += 1;
      if (asked === 1) ask.destroy();
      else if (asked === 2) ask.reply(409, { reason: "reader_busy" });
      else return undefined;
      return true;
    };
    client.prompt("p", "s-2");
    await server.ask("GET stream s-2", 2);
    server.event("s-2", "x1", update("s-2", "two"));
    await client.until(() => texts(client.frames).length === 2);
  });

  it.each([401, 403, 404, 410])("REM-43: %i is final", async (status) => {
    const { server, client } = await stage();
    server.script = refuse("GET stream", status);
    server.cut(undefined);
    expect((await client.closed).message).toContain(`HTTP ${status}`);
    expect(server.log.filter((line) => line === "GET stream")).toHaveLength(2);
  });

  it("REM-43, REM-53: the attempts are bounded, and progress begins a new count", async () => {
    const { server, client } = await stage({ reconnect: { ...quick, attempts: 3 } });
    server.script = refuse("GET stream s-1", 503, { times: 2 });
    server.cut("s-1");
    await server.ask("GET stream s-1", 3);
    server.event("s-1", "s2", update("s-1", "two"));
    await client.until(() => texts(client.frames).length === 2);
    server.script = refuse("GET stream s-1", 503);
    server.cut("s-1");
    expect((await client.closed).message).toMatch(/HTTP 503.*No attempt to reopen it succeeded.*restore/);
    expect(client.states.flatMap((state) => (state.status === "reconnecting" ? state.attempt : []))).toEqual([
      1, 2, 3, 1, 2, 3,
    ]);
  });

  it("REM-43: after a close of this side nothing is opened again", async () => {
    const { server, client } = await stage();
    await client.channel.close();
    expect(server.log.at(-1)).toBe("DELETE end");
    expect(server.log.filter((line) => line === "GET stream s-1")).toHaveLength(1);
  });

  it("REM-45: a stream without a sign of life is cut by the client", async () => {
    const { server, client } = await stage({ reconnect: { ...quick, silenceMs: 50 } });
    await server.ask("GET stream s-1", 1);
    expect(
      client.states.some((state) => state.status === "reconnecting" && /nothing arrived for 50 ms/.test(state.message)),
    ).toBe(true);
  });

  it("defect M12: a silent stream is cut if `fetch` leaves its read open after an abort", async () => {
    // The one of Node does so at times, when the process was busy.
    const deaf: typeof fetch = (url, { signal, ...init } = {}) =>
      fetch(url, init.method === "GET" ? init : { ...init, ...(signal && { signal }) });
    const { server, client } = await stage({ reconnect: { ...quick, silenceMs: 500 }, fetch: deaf });
    const { headers } = await server.ask("GET stream s-1", 1);
    expect(headers["last-event-id"]).toBe("s1");
    server.event("s-1", "s2", update("s-1", "two"));
    await client.until(() => texts(client.frames).length === 2);
    const [, cut] = client.states;
    expect(cut).toMatchObject({ message: expect.stringContaining("nothing arrived for 500 ms") });
  });
});

describe("messages to send during a cut, with resumption", () => {
  it("REM-49: every POST has a number, and one whose fate is unknown is sent again under it", async () => {
    const { server, client } = await stage();
    let broken = 2;
    server.script = ({ line, destroy }) => {
      if (line !== "POST session/prompt s-1" || broken === 0) return undefined;
      broken -= 1;
      destroy();
      return true;
    };
    client.prompt(1, "s-1");
    client.call(2, "session/list");
    const sent = [0, 1, 2].map((nth) => server.ask("POST session/prompt s-1", nth));
    const numbers = (await Promise.all(sent)).map(({ headers }) => headers["acp-message-number"]);
    expect(numbers).toEqual(["2", "2", "2"]);
    const next = await server.ask("POST session/list");
    expect(next.headers["acp-message-number"]).toBe("3");
    expect(server.log.filter((line) => line === "POST session/prompt s-1")).toHaveLength(3);
  });

  it("REM-49: a number that a refused message did not use is used by the next one", async () => {
    const { server, client } = await stage();
    const used = new Set(["1"]);
    const gate: Script = ({ line, headers, reply }) => {
      if (!line.startsWith("POST")) return undefined;
      const number = String(headers["acp-message-number"]);
      if (line === "POST session/list") reply(400);
      else if (!used.has(String(Number(number) - 1))) reply(409, { reason: "message_gap" });
      else {
        used.add(number);
        return undefined;
      }
      return true;
    };
    server.script = gate;
    client.call(1, "session/list");
    client.prompt(2, "s-1");
    expect((await client.answer(1)).error.data).toEqual({ status: 400, body: "" });
    await server.ask("POST session/prompt s-1", 1);
    const prompts = server.asked.filter(({ line }) => line === "POST session/prompt s-1");
    expect(prompts.map(({ headers }) => headers["acp-message-number"])).toEqual(["3", "2"]);
  });

  it("REM-35, REM-53: a cancel waits for the stream, then goes first", async () => {
    const { server, client } = await stage();
    client.prompt(1, "s-1");
    await server.ask("POST session/prompt s-1");
    const held: (() => void)[] = [];
    server.script = ({ line, accept }) => {
      if (line !== "GET stream s-1") return undefined;
      held.push(accept);
      return true;
    };
    server.cut("s-1");
    await server.ask("GET stream s-1", 1);
    const before = server.log.length;
    client.call(2, "session/set_mode", { sessionId: "s-1", modeId: "ask" });
    client.call(3, "session/set_mode", { sessionId: "s-1", modeId: "code" });
    client.cancel("s-1");
    client.prompt(4, "s-1");
    held[0]?.();
    await server.ask("POST session/prompt s-1", 1);
    const names = server.log.slice(before).map((line) => line.split(" ")[1]);
    // The first message had left the list before the cancel came.
    expect(names).toEqual(["session/set_mode", "session/cancel", "session/set_mode", "session/prompt"]);
  });

  it("a POST that a proxy does not take for a while is repeated", async () => {
    const { server, client } = await stage();
    server.script = refuse("POST session/list", 503, { times: 3 });
    client.call(1, "session/list");
    await server.ask("POST session/list", 3);
    expect(client.frames.filter(({ id }) => id === 1)).toEqual([]);
  });
});
