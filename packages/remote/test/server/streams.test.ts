import { describe, expect, it, vi } from "vitest";
import { texts, update } from "../client/remote-client.js";
import { Stage } from "./raw-client.js";

describe("event streams", () => {
  it("REM-11: the stream of any session opens while the connection lives, before session/load", async () => {
    const stage = await Stage.connected();
    expect((await stage.get("never heard of")).status).toBe(200);
    const full = await Stage.connected({ limits: { sessions: 1 } });
    await full.events();
    const events = await full.events("s");
    expect([(await full.get("s")).status, (await full.get("t")).status]).toEqual([409, 429]);
    await events.cancel();
    expect((await full.get("t")).status).toBe(200);
  });

  it("REM-12, REM-51: a second reader is 409 with its reason, until the first one has gone", async () => {
    const stage = await Stage.connected();
    const first = await stage.events("s");
    const second = await stage.get("s");
    expect([second.status, await second.json()]).toEqual([409, { reason: "reader_busy" }]);
    await stage.events();
    await first.cancel();
    expect((await stage.get("s")).status).toBe(200);
  });

  it("REM-14: what was not read waits for the next reader, and Last-Event-ID and cursors play no part", async () => {
    const stage = await Stage.connected();
    const { side } = stage.agent;
    side.send(update("s", "one"));
    const first = await stage.events("s");
    expect((await first.next())?.params.update.content.text).toBe("one");
    await first.cancel();
    side.send(update("s", "two"), update("s", "three"));
    const next = await stage.events("s", { "Last-Event-ID": "7" });
    const two = await next.event();
    expect(two?.id).toBeUndefined();
    expect(two?.data).not.toContain("acp/cursor");
    expect(two?.data).toContain("two");
    expect((await next.next())?.params.update.content.text).toBe("three");
  });

  it("the headers and the first byte of a stream do not wait for a message", async () => {
    const stage = await Stage.connected();
    const events = await stage.events();
    expect(await events.read()).toBe(true);
    expect(events.comments).toBe(1);
    const { headers } = events.response;
    expect(headers.get("Cache-Control")).toBe("no-cache, no-transform");
    expect(headers.get("X-Accel-Buffering")).toBe("no");
  });

  it("REM-16: messages that wait are delivered at the end of a connection", async () => {
    const stage = await Stage.connected();
    const events = await stage.events("s");
    stage.agent.side.send(update("s", "last"));
    await stage.agent.side.channel.close();
    expect(texts(await events.rest())).toEqual(["last"]);
    expect((await stage.post({ method: "_a" })).status).toBe(404);
  });

  it("a message that cannot be sent is stated: by an error answer, or to the agent", async () => {
    const reported: string[] = [];
    const stage = await Stage.connected({ onDiagnostic: ({ message }) => reported.push(message) });
    const { side } = stage.agent;
    const cycle: { own?: object } = {};
    cycle.own = cycle;
    await stage.post({ id: 1, method: "session/list" });
    side.send({ id: 1, result: cycle }, { id: "q", method: "_ask", params: cycle }, { method: "_note", params: cycle });
    expect(await (await stage.events()).next()).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(await side.call(undefined)).toMatchObject({ id: "q", error: { code: -32603 } });
    await vi.waitFor(() => expect(reported).toHaveLength(3));
  });

  it("an answer that is larger than clients read is an error answer with the sizes", async () => {
    const stage = await Stage.connected();
    await stage.post({ id: 1, method: "session/list" });
    stage.agent.side.answer(1, { text: "x".repeat(32 * 1024 * 1024 - 1_000) });
    const answer = await (await stage.events()).next();
    expect(answer?.error.message).toMatch(/could not be sent: it has 3355\d+ characters, and 33553408 is the most/);
  });

  it("JSON of the agent that is no message is reported, and the connection goes on", async () => {
    const reported: string[] = [];
    const stage = await Stage.connected({ onDiagnostic: ({ code }) => reported.push(code) });
    const { channel } = stage.agent.side;
    for (const odd of [7, null, "text", []]) void channel.send(odd as never);
    stage.agent.side.send({ method: "_a" });
    expect((await (await stage.events()).next())?.method).toBe("_a");
    expect(reported).toEqual(Array.from({ length: 4 }, () => "invalid_message"));
  });

  it("REM-54: close ends streams and agents, and further requests are 503", async () => {
    const stage = await Stage.connected();
    const events = await stage.events();
    await stage.server.close();
    expect(await events.next()).toBeUndefined();
    expect(stage.agent.side.isClosed).toBe(true);
    expect((await stage.get()).status).toBe(503);
    expect((await stage.initialize()).status).toBe(503);
  });
});

describe("a client that does not read", () => {
  const limits = { streamCharacters: 1_000, connectionCharacters: 2_500, stalledMs: 30 };
  const long = "x".repeat(200);

  it("REM-23: at the bound of a stream the agent waits, and goes on when half of it was read", async () => {
    const stage = await Stage.connected({ limits: { ...limits, stalledMs: 60_000 } });
    const { side } = stage.agent;
    let sent = 0;
    const flood = (async () => {
      for (; sent < 500; sent += 1) await side.send(update("s", long));
    })();
    await vi.waitFor(() => expect(sent).toBeGreaterThan(60));
    const before = sent;
    await stage.post({ method: "_a" });
    expect(sent).toBe(before);
    const events = await stage.events("s");
    for (let at = 0; at < 500; at += 1) expect((await events.next())?.params.update.content.text).toBe(long);
    await flood;
  });

  it("REM-23: after a while without a reader the session fails: 409, questions are refused, other sessions go on", async () => {
    const reported: string[] = [];
    const stage = await Stage.connected({ limits, onDiagnostic: ({ message }) => reported.push(message) });
    const { side } = stage.agent;
    const other = await stage.events("t");
    side.send({ id: "q", method: "session/request_permission", params: { sessionId: "s" } });
    for (let at = 0; at < 10; at += 1) side.send(update("s", long));
    expect(await side.call(undefined)).toMatchObject({ id: "q", error: { code: -32603 } });
    side.send(update("t", "on"));
    expect(texts([(await other.next())!])).toEqual(["on"]);
    const refused = await stage.get("s");
    expect([refused.status, await refused.json()]).toEqual([409, { reason: "unread_dropped" }]);
    const prompt = await stage.prompt(1, "s");
    expect([prompt.status, await prompt.json()]).toEqual([409, { reason: "unread_dropped" }]);
    const cancel = { method: "session/cancel", params: { sessionId: "s" } };
    expect((await stage.post(cancel)).status).toBe(202);
    side.send({ id: "r", method: "session/request_permission", params: { sessionId: "s" } });
    expect(await side.call(undefined, 1)).toMatchObject({ id: "r", error: { code: -32603 } });
    expect((await stage.post({ id: 2, method: "session/load", params: { sessionId: "s" } })).status).toBe(202);
    const restored = await stage.events("s");
    side.send(update("s", "anew"));
    expect(texts([(await restored.next())!])).toEqual(["anew"]);
    expect(reported.join()).toContain("did not read");
    expect(reported.join()).not.toContain(stage.connectionId);
  });

  it("REM-23: the bound in common counts all streams, and the stream of the connection ends it", async () => {
    const stage = await Stage.connected({ limits });
    const { side } = stage.agent;
    for (let at = 0; at < 12; at += 1) side.send({ method: "_note", params: { long } });
    await side.closed;
    expect((await stage.get()).status).toBe(404);
    const many = await Stage.connected({ limits });
    for (let at = 0; at < 12; at += 1) many.agent.side.send(update(`s${at}`, long));
    await vi.waitFor(async () => {
      const failed = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(async (at) => (await many.get(`s${at}`)).status));
      expect(failed.filter((status) => status === 409).length).toBeGreaterThan(0);
    });
  });

  it("REM-23: one session too many without a reader ends the connection", async () => {
    const stage = await Stage.connected({ limits: { sessions: 2 } });
    await stage.events("read");
    for (const id of ["read", "a", "b"]) stage.agent.side.send(update(id, "hi"));
    await stage.post({ method: "_a" });
    await stage.agent.side.call("_a");
    expect(stage.agent.side.isClosed).toBe(false);
    stage.agent.side.send(update("c", "hi"));
    await stage.agent.side.closed;
  });

  it("streams that hold nothing make room for others", async () => {
    const stage = await Stage.connected({ limits: { sessions: 1 } });
    for (const id of ["a", "b", "c"]) {
      const events = await stage.events(id);
      stage.agent.side.send(update(id, "hi"));
      await events.next();
      await events.cancel();
    }
    expect(stage.agent.side.isClosed).toBe(false);
  });
});
