import { describe, expect, it, vi } from "vitest";
import type { RemoteServerOptions } from "../../src/server/index.js";
import type { Frame } from "../client/raw-server.js";
import { update } from "../client/remote-client.js";
import type { EventBody } from "./event-body.js";
import { Stage } from "./raw-client.js";

const asks = { _meta: { "acp/resumable": true, own: 1 } };

/** Result of an answer of `initialize`. */
const resultOf = async (response: Response) => ((await response.json()) as Frame).result;

/** A resumable connection. */
const resumable = (options: Partial<RemoteServerOptions> & { agent?: undefined } = {}) =>
  Stage.connected(options, asks);

/** Reads `count` messages: the cursor and the text of each. */
async function read(events: EventBody, count: number): Promise<{ readonly cursor: string; readonly text: string }[]> {
  const found: { cursor: string; text: string }[] = [];
  while (found.length < count) {
    const event = await events.event();
    if (event === undefined) throw new Error("the stream ended");
    if (event.data === undefined) continue;
    found.push({ cursor: event.id ?? "", text: JSON.parse(event.data).params.update.content.text });
  }
  return found;
}

const say = ({ agent: { side } }: Stage, ...words: readonly string[]) =>
  side.send(...words.map((word) => update("s", word)));

describe("the offer of resumption", () => {
  it("REM-39: it is made to a client that asks, beside other capabilities; the agent does not see the question", async () => {
    const stage = new Stage();
    stage.agent.answers = false;
    const asked = stage.initialize(asks);
    await vi.waitFor(() => stage.agent.side.call("initialize"));
    expect((await stage.agent.side.call("initialize")).params).toEqual({ protocolVersion: 1, _meta: { own: 1 } });
    stage.agent.side.answer(0, { protocolVersion: 1, capabilities: { other: {}, transport: { more: 1 } } });
    expect(await resultOf(await asked)).toEqual({
      protocolVersion: 1,
      capabilities: {
        other: {},
        transport: { more: 1, resumable: { retentionMessages: 1_000, retentionSeconds: 300 } },
      },
    });
  });

  it("REM-39: it is not made to others, or by a server that was told not to; the agent sees no empty _meta", async () => {
    expect(await resultOf(await new Stage().initialize())).toEqual({ protocolVersion: 1 });
    const stage = new Stage({ resumption: false });
    const response = await stage.initialize({ _meta: { "acp/resumable": true } });
    expect(await resultOf(response)).toEqual({ protocolVersion: 1 });
    expect((await stage.agent.side.call("initialize")).params).toEqual({ protocolVersion: 1 });
    const offered = await new Stage({ resumption: { messages: 5, seconds: 7 } }).initialize(asks);
    const { transport } = (await resultOf(offered)).capabilities;
    expect(transport.resumable).toEqual({ retentionMessages: 5, retentionSeconds: 7 });
  });
});

describe("streams with cursors", () => {
  it("REM-38: every message has a cursor of its own, as id and in the envelope", async () => {
    const stage = await resumable();
    const events = await stage.events("s");
    say(stage, "one", "two");
    const first = await events.event();
    expect(first).toEqual({ data: undefined, id: expect.any(String) });
    const [one, two] = [await events.event(), await events.event()];
    for (const event of [one, two]) expect(JSON.parse(event?.data ?? "")._meta).toEqual({ "acp/cursor": event?.id });
    expect(new Set([first?.id, one?.id, two?.id]).size).toBe(3);
    stage.agent.side.send({ method: "session/update", params: { sessionId: "s" }, _meta: { own: 1 } } as object);
    const own = await events.event();
    expect(JSON.parse(own?.data ?? "")).toMatchObject({
      _meta: { own: 1, "acp/cursor": own?.id },
      params: { sessionId: "s" },
    });
  });

  it("REM-40, REM-41: after a cut, everything after the cursor comes again with the same cursors, and then what is new", async () => {
    const stage = await resumable();
    const first = await stage.events("s");
    say(stage, "one", "two", "three");
    const before = await read(first, 3);
    await first.cancel();
    say(stage, "four");
    const again = await stage.events("s", { "Last-Event-ID": before[0]?.cursor ?? "" });
    const replayed = await read(again, 3);
    expect(replayed.slice(0, 2)).toEqual(before.slice(1));
    expect(replayed[2]?.text).toBe("four");
    say(stage, "five");
    expect((await read(again, 1))[0]?.text).toBe("five");
  });

  it("REM-47: the same resume twice gives the same messages, and a later cursor can follow an earlier one", async () => {
    const stage = await resumable();
    const first = await stage.events("s");
    say(stage, "one", "two", "three");
    const seen = await read(first, 3);
    for (const at of [0, 0, 1, 0, 2]) {
      const events = await stage.events("s", { "Last-Event-ID": seen[at]?.cursor ?? "" });
      expect(await read(events, 2 - at)).toEqual(seen.slice(at + 1));
    }
    // The client may have more than an answer that was cut at its start shows.
    const cut = await stage.events("s", { "Last-Event-ID": seen[0]?.cursor ?? "" });
    await cut.cancel();
    const events = await stage.events("s", { "Last-Event-ID": seen[2]?.cursor ?? "" });
    say(stage, "four");
    expect((await read(events, 1))[0]?.text).toBe("four");
  });

  it("REM-50: a cut before the first message loses nothing, with the cursor of the opening or without one", async () => {
    const stage = await resumable();
    const first = await stage.events("s");
    const opening = await first.event();
    say(stage, "one");
    await read(first, 1);
    await first.cancel();
    const again = await stage.events("s", { "Last-Event-ID": opening?.id ?? "" });
    expect((await read(again, 1))[0]?.text).toBe("one");
    await again.cancel();
    // The client got not even the headers: it has no cursor.
    const without = await stage.events("s");
    expect((await read(without, 1))[0]?.text).toBe("one");
  });

  it("REM-41, REM-51: an unknown, foreign or expired cursor is 409 with its reason, and never a live stream", async () => {
    const stage = await resumable({ resumption: { messages: 2 } });
    const events = await stage.events("s");
    say(stage, "one", "two", "three", "four");
    const [one, two] = await read(events, 4);
    await events.cancel();
    const other = await (await stage.events("t")).event();
    const refusal = async (cursor = "") => {
      const response = await stage.get("s", { "Last-Event-ID": cursor });
      return [response.status, await response.json()];
    };
    expect(await refusal("nonsense")).toEqual([409, { reason: "cursor_unknown" }]);
    expect(await refusal(`${one?.cursor}0`)).toEqual([409, { reason: "cursor_unknown" }]);
    expect(await refusal(other?.id)).toEqual([409, { reason: "cursor_foreign" }]);
    expect(await refusal(one?.cursor)).toEqual([409, { reason: "cursor_expired" }]);
    expect((await stage.get("s", { "Last-Event-ID": two?.cursor ?? "" })).status).toBe(200);
  });

  it("REM-42: after a refusal, a stream without a cursor begins anew", async () => {
    const stage = await resumable({ resumption: { messages: 1 } });
    const events = await stage.events("s");
    say(stage, "one", "two", "three");
    const [one] = await read(events, 3);
    await events.cancel();
    expect((await stage.get("s", { "Last-Event-ID": one?.cursor ?? "" })).status).toBe(409);
    const fresh = await stage.events("s");
    say(stage, "anew");
    expect((await read(fresh, 1))[0]?.text).toBe("anew");
  });

  it("REM-41: a stream without a cursor whose lost messages are gone is 409 once", async () => {
    const stage = await resumable({ resumption: { messages: 1 } });
    const events = await stage.events("s");
    say(stage, "one", "two", "three");
    await read(events, 3);
    await events.cancel();
    expect(await (await stage.get("s")).json()).toEqual({ reason: "cursor_expired" });
    expect((await stage.get("s")).status).toBe(200);
  });

  it("a session that was closed and is loaded again does not get its old messages", async () => {
    const stage = await resumable();
    const events = await stage.events("s");
    say(stage, "old");
    await read(events, 1);
    await stage.post({ id: 1, method: "session/close", params: { sessionId: "s" } });
    stage.agent.side.answer(1);
    expect((await events.next())?.id).toBe(1);
    await events.cancel();
    const again = await stage.events("s");
    say(stage, "new");
    expect((await read(again, 1))[0]?.text).toBe("new");
  });

  it("REM-51: a valid cursor takes over from a reader that is held open; without one it is busy if something is lost", async () => {
    const stage = await resumable({ resumption: { messages: 1 } });
    const dead = await stage.events("s");
    say(stage, "zero", "one");
    const [, one] = await read(dead, 2);
    expect(await (await stage.get("s")).json()).toEqual({ reason: "reader_busy" });
    expect((await stage.get("s", { "Last-Event-ID": "nonsense" })).status).toBe(409);
    const live = await stage.events("s", { "Last-Event-ID": one?.cursor ?? "" });
    say(stage, "two");
    expect((await read(live, 1))[0]?.text).toBe("two");
    expect(await dead.next()).toBeUndefined();
    // The end of the former reader does not close the stream of the present one.
    say(stage, "three");
    expect((await read(live, 1))[0]?.text).toBe("three");
  });

  it("REM-50, REM-51: a client that did not get the answer of its request takes over too, and loses nothing", async () => {
    const stage = await resumable();
    const dead = await stage.events("s");
    say(stage, "one");
    await read(dead, 1);
    const live = await stage.events("s");
    expect((await read(live, 1))[0]?.text).toBe("one");
    expect(await dead.next()).toBeUndefined();
  });

  it("REM-50: the first cursor is a header too, so that it arrives with the opening", async () => {
    const stage = await resumable();
    const events = await stage.events("s");
    const cursor = events.response.headers.get("Acp-Cursor") ?? "";
    expect((await events.event())?.id).toBe(cursor);
    say(stage, "one");
    await read(events, 1);
    expect((await read(await stage.events("s", { "Last-Event-ID": cursor }), 1))[0]?.text).toBe("one");
    expect((await (await Stage.connected()).events("s")).response.headers.has("Acp-Cursor")).toBe(false);
  });

  it("REM-46: a resumed session gets its last state after the replay and before what is new", async () => {
    const stage = await resumable();
    const state = {
      method: "session/update",
      params: { sessionId: "s", update: { sessionUpdate: "state_update", state: "running" } },
    };
    const events = await stage.events("s");
    stage.agent.side.send(state, update("s", "one"), update("s", "two"));
    const stateEvent = await events.event().then(() => events.event());
    const [one] = await read(events, 2);
    await events.cancel();
    const again = await stage.events("s", { "Last-Event-ID": one?.cursor ?? "" });
    say(stage, "three");
    const got = [await again.event(), await again.event(), await again.event()];
    expect(got.map((event) => JSON.parse(event?.data ?? "").params.update.content?.text ?? event?.id)).toEqual([
      "two",
      undefined,
      "three",
    ]);
    expect(JSON.parse(got[1]?.data ?? "")).toEqual({ jsonrpc: "2.0", ...state });
    expect(stateEvent?.id).toBeDefined();
  });

  it("REM-46: in version 1 the resume says whether the prompt runs", async () => {
    const stage = await resumable();
    const opening = await (await stage.events("s")).event();
    const advice = async () => {
      const response = await stage.get("s", { "Last-Event-ID": opening?.id ?? "" });
      const { value } = await response.body!.getReader().read();
      return /^event: resumed\ndata: (.*)\n\n/.exec(new TextDecoder().decode(value))?.[1];
    };
    expect(JSON.parse((await advice()) ?? "")).toEqual({ _meta: { "acp/turnState": { state: "idle" } } });
    await stage.prompt(7, "s");
    expect(JSON.parse((await advice()) ?? "")._meta).toEqual({
      "acp/turnState": { state: "running", promptRequestId: 7 },
    });
  });

  it("messages of a stream are kept for the time of the offer", async () => {
    vi.useFakeTimers();
    try {
      const stage = await resumable({ resumption: { seconds: 10 }, graceMs: 1e6 });
      const events = await stage.events("s");
      const opening = await events.event();
      say(stage, "one");
      await read(events, 1);
      await events.cancel();
      const status = async () => {
        const response = await stage.get("s", { "Last-Event-ID": opening?.id ?? "" });
        await response.body?.cancel();
        return response.status;
      };
      vi.setSystemTime(Date.now() + 10_001);
      expect(await status()).toBe(409);
    } finally {
      vi.useRealTimers();
    }
  });

  it("a stream that was quiet for long, and was cut, continues after its last cursor", async () => {
    vi.useFakeTimers();
    try {
      const stage = await resumable({ resumption: { seconds: 10 } });
      await stage.events();
      const events = await stage.events("s");
      say(stage, "one");
      const [one] = await read(events, 1);
      await vi.advanceTimersByTimeAsync(29_999);
      await events.cancel();
      await vi.advanceTimersByTimeAsync(2);
      say(stage, "two");
      const again = await stage.events("s", { "Last-Event-ID": one?.cursor ?? "" });
      expect((await read(again, 1))[0]?.text).toBe("two");
    } finally {
      vi.useRealTimers();
    }
  });

  it("the kept messages of all streams together are bounded", async () => {
    const stage = await resumable({ resumption: { characters: 10_000 } });
    const first = "x".repeat(9_000);
    const openings: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      const events = await stage.events(`s${at}`);
      openings.push((await events.event())?.id ?? "");
      stage.agent.side.send(update(`s${at}`, first));
      await read(events, 1);
      await events.cancel();
    }
    const statuses = await Promise.all(
      openings.map(async (id, at) => (await stage.get(`s${at}`, { "Last-Event-ID": id })).status),
    );
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(5);
    expect(statuses.at(-1)).toBe(200);
  });
});

describe("numbered messages", () => {
  const numbered = (stage: Stage, number: string, method: string) =>
    stage.post({ method }, { ...stage.headers(), "Acp-Message-Number": number });

  it("REM-49: each number is taken once and in order; a repeated one is accepted without effect", async () => {
    const stage = await resumable();
    expect((await numbered(stage, "1", "_a")).status).toBe(202);
    expect((await numbered(stage, "1", "_a")).status).toBe(202);
    const gap = await numbered(stage, "3", "_c");
    expect([gap.status, await gap.json()]).toEqual([409, { reason: "message_gap" }]);
    expect((await numbered(stage, "2", "_b")).status).toBe(202);
    for (const wrong of ["0", "-1", "1.5", "x"]) expect((await numbered(stage, wrong, "_d")).status).toBe(400);
    expect(stage.agent.side.frames.slice(1).map(({ method }) => method)).toEqual(["_a", "_b"]);
  });

  it("REM-49: a refused message does not use its number", async () => {
    const stage = await resumable();
    expect((await numbered(stage, "1", "session/prompt")).status).toBe(400);
    expect((await numbered(stage, "1", "_a")).status).toBe(202);
    expect(stage.agent.side.count("_a")).toBe(1);
  });

  it("REM-49: without resumption numbers play no part", async () => {
    const stage = await Stage.connected();
    for (const number of ["5", "5"]) expect((await numbered(stage, number, "_a")).status).toBe(202);
    expect(stage.agent.side.count("_a")).toBe(2);
  });

  it("REM-49: a prompt with the id of an earlier one does not run, also after its answer", async () => {
    const stage = await resumable();
    await stage.prompt(1, "s");
    stage.agent.side.answer(1);
    const events = await stage.events("s");
    expect((await events.next())?.id).toBe(1);
    expect((await stage.prompt(1, "s")).status).toBe(202);
    expect((await stage.prompt(2, "s")).status).toBe(202);
    expect(stage.agent.side.frames.filter(({ method }) => method === "session/prompt").map(({ id }) => id)).toEqual([
      1, 2,
    ]);
  });
});
