import { describe, expect, test } from "vitest";
import { defaultPermissionOptions as options, RpcError, v1Dialect } from "../src/index.js";
import { clientInfo, connectAs, type Frame, gate, openAs, seedHello, serve, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo };
const hellos = { v1: v1Hello, v2: v2Hello, seed: seedHello };

/** One answer per frame, however they came. */
const answers = (frames: readonly Frame[]) => frames.map(({ id, error, result }) => [id, error?.code ?? result]);

describe("requests with the id null", () => {
  test("V2-ENV-02, V2-ENV-05: version 2 has none: -32600, and they are not processed", async () => {
    let sessions = 0;
    const { client } = await connectAs(v2Hello, { newSession: () => void sessions++ });
    for (const method of ["session/new", "no/such"]) client.send({ id: null, method, params: { cwd: "/w" } });
    await client.result("session/new", { cwd: "/w", mcpServers: [] });
    expect(sessions).toBe(1);
    expect(answers(client.received.slice(1, 3))).toEqual([
      [null, -32600],
      [null, -32600],
    ]);
  });

  test("V2-ENV-05: nor is its initialize", async () => {
    const { client } = serve({});
    client.send({ id: null, method: "initialize", params: v2Hello });
    expect(await client.answer(null)).toMatchObject({ error: { code: -32600 } });
    expect(await client.error("session/new", { cwd: "/w" })).toMatchObject({ code: -32600 });
    expect(await client.result("initialize", v2Hello)).toMatchObject({ protocolVersion: 2 });
  });

  test.each(["v1", "seed"] as const)("V1-RPC-02, V1-RPC-03: %s knows them as requests", async (dialect) => {
    const { client } = await connectAs(hellos[dialect], { extensions: { _ping: () => "pong" } });
    client.send({ id: null, method: "_ping" });
    expect(await client.answer(null)).toMatchObject({ result: "pong" });
  });
});

describe("arrays of messages", () => {
  const batch = [
    { jsonrpc: "2.0", id: "a", method: "_ping" },
    { jsonrpc: "2.0", method: "_ping" },
    { jsonrpc: "2.0", id: "b", method: "no/such" },
  ];
  const talk = async (hello: object, options: Parameters<typeof serve>[1]) => {
    let pings = 0;
    const { client } = await connectAs(hello, { extensions: { _ping: () => ++pings } }, options);
    client.channel.send(batch as never);
    await client.request("_last");
    return answers(client.received.slice(1, -1));
  };

  test.each(["v1", "v2", "seed"] as const)(
    "V2-ENV-06, P-BATCH-01, V2-SEED-13: are refused once with -32600 in %s",
    async (dialect) => {
      expect(await talk(hellos[dialect], {})).toEqual([[null, -32600]]);
      expect(await talk(hellos[dialect], { batches: "refuse" })).toEqual([[null, -32600]]);
    },
  );

  test("V2-SEED-13: an agent that was told to unpack them answers entry by entry", async () => {
    expect(await talk(seedHello, { batches: "unpack" })).toEqual([
      ["a", 1],
      ["b", -32601],
    ]);
  });
});

describe("methods that the protocol does not have", () => {
  test.each(["v1", "v2", "seed"] as const)(
    "V1-EXT-07: reach a fallback raw in %s; the protocol's own and the extensions come first",
    async (dialect) => {
      const heard: unknown[] = [];
      const handlers = {
        extensions: { _exact: () => "exact" },
        fallback(method: string, params: unknown) {
          heard.push([method, params]);
          if (method === "_unknown") throw RpcError.methodNotFound(method);
          return { method };
        },
      };
      const { client } = serve(handlers);
      expect(await client.error("session/fork", {})).toMatchObject({ code: -32600 });
      await client.result("initialize", hellos[dialect]);
      const sessionId = await client.newSession();
      client.notify("later/note", { n: 1 });
      expect(await client.result("_exact")).toBe("exact");
      const params = { sessionId, odd: [{ deep: null }], _meta: { a: 1 } };
      expect(await client.result("session/fork", params)).toEqual({ method: "session/fork" });
      expect(await client.result("session/load", params)).toEqual({ method: "session/load" });
      expect(await client.error("_unknown")).toMatchObject({ code: -32601, data: { method: "_unknown" } });
      expect(heard).toEqual([
        ["later/note", { n: 1 }],
        ["session/fork", params],
        ["session/load", params],
        ["_unknown", {}],
      ]);
    },
  );

  test("V1-EXT-07: its signal fires when the client cancels", async () => {
    const { client } = await connectAs(v1Hello, {
      fallback: (_method, _params, signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    client.send({ id: "f", method: "future/work" });
    client.notify("$/cancel_request", { requestId: "f" });
    expect(await client.answer("f")).toMatchObject({ error: { code: -32800 } });
  });

  test("V2-EXT-06: extensions begin with _ and are answered; unknown ones are -32601, their notifications ignored", async () => {
    const heard: unknown[] = [];
    const { client, diagnostics } = await connectAs(v2Hello, {
      extensions: { "_example.com/undo": (params) => ({ undone: params }), _told: (params) => void heard.push(params) },
    });
    client.notify("_told", { n: 1 });
    client.notify("_unheard", { n: 2 });
    expect(await client.result("_example.com/undo", { steps: 2 })).toEqual({ undone: { steps: 2 } });
    expect(await client.error("_example.com/redo")).toMatchObject({ code: -32601 });
    expect(heard).toEqual([{ n: 1 }]);
    expect(client.received).toHaveLength(3);
    expect(diagnostics).toMatchObject([{ code: "unhandled", method: "_unheard" }]);
  });
});

describe("trace context", () => {
  const _meta = {
    traceparent: "00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01",
    tracestate: "vendor=1",
    baggage: "user=7",
    "example.com": { deep: [null] },
  };

  test.each(["v1", "v2", "seed"] as const)(
    "V1-EXT-03, V2-EXT-07: the `_meta` of a request reaches its handler whole and gives the trace on, in %s",
    async (dialect) => {
      const seen: unknown[] = [];
      const { client } = await connectAs(hellos[dialect], {
        newSession: (request) => void seen.push(request._meta),
        async prompt(turn) {
          seen.push(turn._meta);
          const { traceparent, tracestate, baggage } = turn._meta ?? {};
          const trace = { traceparent, tracestate, baggage };
          turn.emit({
            type: "agent_message_chunk",
            content: { type: "text", text: "hi" },
            messageId: "m",
            _meta: trace,
          });
          await turn.requestPermission({
            title: "May I?",
            options,
            subject: { type: "tool_call", toolCall: { toolCallId: "t", title: "T" } },
            _meta: trace,
          });
        },
        extensions: { _echo: (params) => params },
      });
      const sessionId = await client.newSession({ _meta });
      const prompt = [{ type: "text", text: "hi" }];
      client.send({ id: "p", method: "session/prompt", params: { sessionId, prompt, _meta } });
      const asked = await client.call("session/request_permission");
      client.reply(asked, { outcome: { outcome: "cancelled" } });
      await client.answer("p");
      expect(seen).toEqual([_meta, _meta]);
      const { "example.com": _, ...trace } = _meta;
      const chunk = client.received.find(({ params }) => params?.update?.sessionUpdate === "agent_message_chunk");
      expect(chunk?.params.update._meta).toEqual(trace);
      expect(asked.params._meta).toEqual(trace);
      expect(await client.result("_echo", { _meta })).toEqual({ _meta });
    },
  );

  test("V1-EXT-03: a prompt without it has none, and a malformed one reads as none", async () => {
    const seen: unknown[] = [];
    const { client, sessionId } = await openAs(v1Hello, {
      prompt: (turn) => void seen.push("_meta" in turn && turn._meta),
    });
    const prompt = [{ type: "text", text: "hi" }];
    for (const meta of [{}, { _meta: null }, { _meta: "text" }]) {
      await client.result("session/prompt", { sessionId, prompt, ...meta });
    }
    expect(seen.map(Boolean)).toEqual([false, false, false]);
  });
});

describe("version 1 alone", () => {
  test.each([0, 2, 99, 65_535])(
    "V1-ERR-05: asked for version %i it answers with its own, not with an error",
    async (version) => {
      const { client } = serve({}, { dialects: [v1Dialect] });
      const answer = await client.request("initialize", { protocolVersion: version, clientInfo });
      expect(answer).toMatchObject({ result: { protocolVersion: 1 } });
      expect(answer).not.toHaveProperty("error");
      expect(await client.newSession()).toBeTypeOf("string");
    },
  );
});

describe("shutdown", () => {
  test.each(["v1", "v2", "seed"] as const)(
    "V1-CANCEL-18, V2-CAN-09: answers what still runs with -32800 in %s, prompts in the way of the dialect",
    async (dialect) => {
      const running = gate();
      const { client, served, sessionId } = await openAs(hellos[dialect], {
        prompt: async ({ signal }) => {
          running.open();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
        extensions: { _slow: () => new Promise(() => undefined) },
      });
      client.send({ id: "slow", method: "_slow" });
      client.prompt(sessionId);
      await running.promise;
      await served.close();
      expect(await client.answer("slow")).toMatchObject({ error: { code: -32800 } });
      const ends = client.received.filter(
        ({ result, params }) => result?.stopReason === "cancelled" || params?.update?.stopReason === "cancelled",
      );
      expect(ends).toHaveLength(1);
    },
  );
});
