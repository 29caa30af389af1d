import { describe, expect, it, vi } from "vitest";
import { eventHeaders, Stage } from "./raw-client.js";

const list = { id: 1, method: "session/list", params: {} };
const isRpcError = (code: number) => ({ jsonrpc: "2.0", id: null, error: { code, message: expect.any(String) } });

describe("requests that are refused", () => {
  it("REM-05: a POST without application/json is 415; parameters are allowed", async () => {
    const stage = await Stage.connected();
    for (const type of ["text/plain", "application/jsonp", ""])
      expect((await stage.post(list, { ...stage.headers(), "Content-Type": type })).status).toBe(415);
    const parameters = { ...stage.headers(), "Content-Type": "Application/JSON; charset=utf-8" };
    expect((await stage.post(list, parameters)).status).toBe(202);
    expect(stage.agent.side.count("session/list")).toBe(1);
  });

  it("REM-06: a GET that does not accept event streams by name is 406", async () => {
    const stage = await Stage.connected();
    for (const accept of ["", "*/*", "application/json", "text/event-streams"])
      expect((await stage.ask("GET", { ...stage.headers(), Accept: accept })).status).toBe(406);
    const among = { ...stage.headers(), Accept: "text/html, Text/Event-Stream;q=0.5" };
    expect((await stage.ask("GET", among)).status).toBe(200);
  });

  it("REM-07: without the id of a connection it is 400, with an unknown one 404", async () => {
    const stage = await Stage.connected();
    for (const [headers, status] of [
      [{}, 400],
      [{ "Acp-Connection-Id": "c" }, 404],
    ] as const) {
      expect((await stage.post(list, headers)).status).toBe(status);
      expect((await stage.ask("GET", { ...eventHeaders, ...headers })).status).toBe(status);
      expect((await stage.ask("DELETE", headers)).status).toBe(status);
    }
    expect((await stage.ask("PUT", stage.headers())).status).toBe(405);
  });

  it("REM-08: a session is named by the header or by the params, and the agent gets it in the params", async () => {
    const stage = await Stage.connected();
    for (const name of [
      "prompt",
      "cancel",
      "close",
      "delete",
      "fork",
      "load",
      "resume",
      "set_mode",
      "set_config_option",
    ])
      expect((await stage.post({ id: 1, method: `session/${name}`, params: {} })).status).toBe(400);
    expect(stage.agent.side.frames).toHaveLength(1);
    const prompt = { method: "session/prompt", params: { prompt: [] } };
    expect((await stage.post({ id: 2, ...prompt }, stage.headers("s"))).status).toBe(202);
    const params = { prompt: [], sessionId: "s" };
    expect(await stage.agent.side.call("session/prompt")).toMatchObject({ id: 2, params });
    expect((await stage.post({ id: 3, ...prompt, params })).status).toBe(202);
    expect(await stage.agent.side.call("session/prompt", 1)).toMatchObject({ id: 3, params });
  });

  it.each([
    ["a text", "x".repeat(100)],
    ["a list", [1, 2]],
    ["a number", 1],
  ])(
    "defect M5: params that are %s, in place of an object, are 400, and are not copied part by part",
    async (_, params) => {
      const stage = await Stage.connected();
      const cancel = { method: "session/cancel", params: params as never };
      const refused = await stage.post(cancel, stage.headers("s"));
      expect([refused.status, await refused.json()]).toEqual([400, isRpcError(-32600)]);
      expect(stage.agent.side.count("session/cancel")).toBe(0);
    },
  );

  it("REM-09: a header and params that name different sessions are 400", async () => {
    const stage = await Stage.connected();
    for (const method of ["session/prompt", "_own"]) {
      const response = await stage.post({ id: 1, method, params: { sessionId: "s" } }, stage.headers("t"));
      expect(response.status).toBe(400);
    }
    expect(stage.agent.side.frames).toHaveLength(1);
  });

  it("REM-10: $/cancel_request needs no session, and that of the agent goes out on the stream of the connection", async () => {
    const stage = await Stage.connected();
    await stage.prompt(1, "s");
    const cancel = { method: "$/cancel_request", params: { requestId: 1 } };
    expect((await stage.post(cancel)).status).toBe(202);
    expect(await stage.agent.side.call("$/cancel_request")).toMatchObject(cancel);
    stage.agent.side.send({ method: "$/cancel_request", params: { requestId: 9 } });
    expect(await (await stage.events()).next()).toMatchObject({ params: { requestId: 9 } });
  });

  it("REM-17: a list of messages is 400 with -32600, and so is what is no message; no JSON is -32700", async () => {
    const stage = await Stage.connected();
    const wrong = [[list], [], 7, null, {}, { jsonrpc: "1.0", method: "a" }, { jsonrpc: "2.0", method: 1 }];
    const texts = [...wrong, { jsonrpc: "2.0", result: 1 }, { ...list, jsonrpc: "2.0", id: {} }].map((value) =>
      JSON.stringify(value),
    );
    for (const text of texts) {
      const response = await stage.post(text);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual(isRpcError(-32600));
    }
    for (const text of ["", "{", "\u{feff}nothing"])
      expect(await (await stage.post(text)).json()).toEqual(isRpcError(-32700));
    const bytes = new Uint8Array([0x22, 0xff, 0x22]);
    const headers = { "Content-Type": "application/json", ...stage.headers() };
    expect((await stage.ask("POST", headers, { body: bytes })).status).toBe(400);
    expect(stage.agent.side.frames).toHaveLength(1);
  });

  it("REM-25: only one initialize begins a connection, and nothing else does", async () => {
    const stage = await Stage.connected();
    const again = await stage.post({ id: 5, method: "initialize", params: {} });
    expect([again.status, await again.json()]).toEqual([400, isRpcError(-32600)]);
    expect((await stage.post({ method: "initialize", params: {} }, {})).status).toBe(400);
    expect((await stage.post(list, {})).status).toBe(400);
    expect(stage.agent.side.count("initialize")).toBe(1);
  });

  it("REM-26: any Acp-Protocol-Version is accepted", async () => {
    const stage = await Stage.connected();
    for (const version of ["1", "2", "next"])
      expect((await stage.post({ method: "_a" }, { ...stage.headers(), "Acp-Protocol-Version": version })).status).toBe(
        202,
      );
  });

  it("an id in use is 400; the same prompt again is accepted and does not run twice", async () => {
    const stage = await Stage.connected();
    expect((await stage.post(list)).status).toBe(202);
    expect((await stage.post(list)).status).toBe(400);
    expect((await stage.post({ ...list, id: "1" })).status).toBe(202);
    expect((await stage.prompt(2, "s")).status).toBe(202);
    expect((await stage.prompt(2, "s")).status).toBe(202);
    expect((await stage.prompt(2, "t")).status).toBe(400);
    expect(stage.agent.side.count("session/prompt")).toBe(1);
    stage.agent.side.answer(2);
    stage.agent.side.answer(1);
    await (await stage.events("s")).next();
    expect((await stage.prompt(2, "s")).status).toBe(202);
    expect((await stage.post(list)).status).toBe(202);
    expect([stage.agent.side.count("session/prompt"), stage.agent.side.count("session/list")]).toEqual([2, 3]);
  });

  it("ids that no number holds stay what they are", async () => {
    const stage = await Stage.connected();
    const id = "123456789012345678901234567890";
    await stage.post(`{"jsonrpc":"2.0","id":${id},"method":"session/list"}`);
    stage.agent.side.answer((await stage.agent.side.call("session/list")).id);
    expect((await (await stage.events()).event())?.data).toContain(`"id":${id},`);
  });
});

describe("bounds of requests", () => {
  it("REM-22: a body of the limit is accepted, and one more byte is 413, announced or not", async () => {
    const stage = await Stage.connected({ limits: { bodyBytes: 100 } });
    const sized = (size: number) => JSON.stringify({ jsonrpc: "2.0", method: "_a", params: {} }).padEnd(size);
    expect((await stage.post(sized(100))).status).toBe(202);
    expect((await stage.post(sized(101))).status).toBe(413);
    const announced = { ...stage.headers(), "Content-Length": "101" };
    expect((await stage.post(sized(100), announced)).status).toBe(413);
    expect(stage.agent.side.count("_a")).toBe(1);
  });

  it("REM-22: 16 MiB by default", async () => {
    const stage = await Stage.connected();
    const announced = (bytes: number) => ({ ...stage.headers(), "Content-Length": String(bytes) });
    expect((await stage.post({ method: "_a" }, announced(16 * 1024 * 1024))).status).toBe(202);
    expect((await stage.post({ method: "_a" }, announced(16 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it("REM-22: ids of 1 024 characters are the longest", async () => {
    const stage = await Stage.connected();
    const [longest, tooLong] = ["s".repeat(1_024), "s".repeat(1_025)];
    for (const [id, ok] of [
      [longest, true],
      [tooLong, false],
    ] as const) {
      expect((await stage.post({ ...list, id })).status).toBe(ok ? 202 : 400);
      expect((await stage.post({ id: ok ? 1 : 2, method: "_a", params: { sessionId: id } })).status).toBe(
        ok ? 202 : 400,
      );
      expect((await stage.prompt(ok ? 3 : 4, id)).status).toBe(ok ? 202 : 400);
      expect((await stage.get(id)).status).toBe(ok ? 200 : 400);
    }
  });

  /** A body that gives `chunks`, and then nothing more. */
  function hanging(...chunks: readonly string[]) {
    const seen = { pulls: 0, isCancelled: false };
    const waiting = [...chunks];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        seen.pulls += 1;
        const chunk = waiting.shift();
        if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
        else return new Promise(() => {});
      },
      cancel() {
        seen.isCancelled = true;
      },
    });
    return { seen, init: { body, duplex: "half" } as RequestInit };
  }

  it("REM-22: a body that does not end is 408 after its time, and its source is released", async () => {
    const stage = await Stage.connected({ limits: { bodyMs: 20 } });
    const { seen, init } = hanging('{"jsonrpc":');
    const headers = { "Content-Type": "application/json", ...stage.headers() };
    expect((await stage.ask("POST", headers, init)).status).toBe(408);
    expect(seen).toEqual({ pulls: 2, isCancelled: true });
  });

  it.each([
    ["another type", { "Content-Type": "text/plain" }, 415],
    ["an unknown connection", { "Content-Type": "application/json", "Acp-Connection-Id": "c" }, 404],
    ["another host", { "Content-Type": "application/json", Host: "evil.example" }, 403],
  ])("a body is not read for %s, and its source is released", async (_, headers, status) => {
    const stage = new Stage();
    const { seen, init } = hanging("{", "}");
    expect((await stage.ask("POST", headers, init)).status).toBe(status);
    await vi.waitFor(() => expect(seen.isCancelled).toBe(true));
    expect(seen.pulls).toBeLessThan(3);
  });

  it("REM-22: bodies that arrive at the same time have a bound in common", async () => {
    const stage = await Stage.connected({ limits: { readingBytes: 150, bodyMs: 30 } });
    const headers = { "Content-Type": "application/json", ...stage.headers() };
    const slow = stage.ask("POST", headers, hanging(" ".repeat(100)).init);
    await vi.waitFor(async () => expect((await stage.post(" ".repeat(100))).status).toBe(503));
    expect((await slow).status).toBe(408);
    expect((await stage.post({ method: "_a" })).status).toBe(202);
  });

  it("defect M1: others are served while slow bodies of one principal fill its quarter, which costs it the largest one", async () => {
    const authorize = (request: Request) => ({ id: request.headers.get("Authorization") ?? "b" });
    const stage = await Stage.connected({ authorize, limits: { bodyBytes: 100, readingBytes: 800 } });
    /** Begins a body that stays unfinished. `ended` tells the answer. */
    const fill = async (id: string, size: number) => {
      const { seen, init } = hanging(" ".repeat(size));
      const answer = stage.ask("POST", { "Content-Type": "application/json", Authorization: id }, init);
      await vi.waitFor(() => expect(seen.pulls === 2 || seen.isCancelled).toBe(true));
      return { seen, ended: answer };
    };
    await fill("a", 60);
    const large = await fill("a", 90);
    const full = await fill("a", 50);
    expect(large.seen.isCancelled).toBe(false);
    await fill("a", 1);
    const refused = await large.ended;
    expect([refused.status, refused.headers.get("Retry-After"), full.seen.isCancelled]).toEqual([429, "5", false]);
    expect((await stage.post({ method: "_a" })).status).toBe(202);
    // The common bound costs the principal that has the most.
    for (const id of ["c", "d", "e"]) for (const size of [95, 100]) await fill(id, size);
    const most = await fill("a", 89);
    expect((await stage.post({ method: "_a", params: {} })).status).toBe(202);
    expect((await most.ended).status).toBe(503);
  });

  it("a body that breaks is 400", async () => {
    const stage = await Stage.connected();
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("cut")) });
    const headers = { "Content-Type": "application/json", ...stage.headers() };
    expect((await stage.ask("POST", headers, { body, duplex: "half" } as RequestInit)).status).toBe(400);
  });

  it("one open request too many is 429, until one is answered", async () => {
    const stage = await Stage.connected({ limits: { openRequests: 2 } });
    for (const id of [1, 2]) expect((await stage.post({ ...list, id })).status).toBe(202);
    expect((await stage.post({ ...list, id: 3 })).status).toBe(429);
    expect((await stage.post({ method: "session/cancel", params: { sessionId: "s" } })).status).toBe(202);
    stage.agent.side.answer(1);
    await (await stage.events()).next();
    expect((await stage.post({ ...list, id: 3 })).status).toBe(202);
  });
});
