import { describe, expect, test } from "vitest";
import { createAgent, RpcError, v1Dialect } from "../src/index.js";
import { clientInfo, connect, everything, info, open, serve } from "./raw-client.js";

describe("initialize", () => {
  test("V1-INIT-02 V1-RPC-06: before it requests are refused and notifications are ignored", async () => {
    const { client } = serve({ extensions: { "_test/ping": () => ({}) } });
    client.send({ method: "session/cancel", params: { sessionId: "s" } }, { method: "_anything" });
    for (const method of ["session/new", "session/prompt", "authenticate", "no/such", "_test/ping"]) {
      expect(await client.error(method, {})).toMatchObject({ code: -32600 });
    }
    expect(client.received).toHaveLength(5);
    expect(await client.initialize()).toMatchObject({ protocolVersion: 1 });
  });

  test("V1-INIT-08 V1-INIT-09: answers with what the handlers can", async () => {
    const plain = serve({}).client;
    expect(await plain.initialize()).toEqual({
      protocolVersion: 1,
      agentInfo: info,
      authMethods: [],
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: false, audio: false, embeddedContext: false },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: { close: {} },
        auth: {},
      },
    });
    const rich = serve({
      restoreSession: () => undefined,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { additionalDirectories: true },
    }).client;
    expect((await rich.initialize()).agentCapabilities).toEqual({
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { close: {}, resume: {}, additionalDirectories: {} },
      auth: {},
    });
  });

  test.each([2, 99, 0])("V1-INIT-05 V1-INIT-15: version %i is answered with 1", async (protocolVersion) => {
    const { client } = serve({}, { dialects: [v1Dialect] });
    const hello = { protocolVersion, capabilities: { unheardOf: {} }, info: clientInfo, clientInfo };
    expect(await client.result("initialize", hello)).toMatchObject({ protocolVersion: 1 });
    expect(await client.newSession()).toBeTypeOf("string");
  });

  test("V1-INIT-04: a version that is no number is refused, and the gate stays shut", async () => {
    const { client } = serve({});
    for (const params of [{ protocolVersion: "1.0.0" }, { protocolVersion: -1 }, {}]) {
      expect(await client.error("initialize", params)).toMatchObject({ code: -32602 });
    }
    expect(await client.error("session/new", { cwd: "/w", mcpServers: [] })).toMatchObject({ code: -32600 });
  });

  test("V1-INIT-16: it may be repeated until a session is opened", async () => {
    const { client } = serve({});
    await client.initialize({});
    await client.initialize(everything);
    const sessionId = await client.newSession();
    const again = { protocolVersion: 1 };
    expect(await client.error("initialize", again)).toMatchObject({ code: -32600 });
    await client.result("session/close", { sessionId });
    expect(await client.result("initialize", again)).toMatchObject({ protocolVersion: 1 });
  });

  test("V1-INIT-16: a session that is being opened counts", async () => {
    const { client } = serve({ newSession: () => new Promise<undefined>(() => undefined) });
    await client.initialize();
    client.send({ id: "new", method: "session/new", params: { cwd: "/w", mcpServers: [] } });
    expect(await client.error("initialize", { protocolVersion: 1 })).toMatchObject({ code: -32600 });
  });

  test("V1-INIT-12: handlers see who the client is and what it can do", async () => {
    let seen: unknown;
    const { client } = serve({
      newSession: (_, session) => {
        seen = session.client;
      },
    });
    await client.initialize({ fs: { readTextFile: true }, terminal: "yes" });
    await client.newSession();
    expect(seen).toMatchObject({
      info: clientInfo,
      capabilities: { files: { read: true, write: false }, terminals: false, notices: false },
    });
  });
});

describe("authenticate", () => {
  const authMethods = [
    { type: "agent", methodId: "web", name: "Browser" },
    { type: "terminal", methodId: "tui", name: "Terminal", args: ["login"], env: [{ name: "A", value: "1" }] },
  ] as const;

  test("V1-AUTH-01 V1-AUTH-04: terminal methods are told to clients that can do them", async () => {
    const handlers = { authMethods, login: () => undefined };
    expect((await serve(handlers).client.initialize({})).authMethods).toEqual([{ id: "web", name: "Browser" }]);
    expect((await serve(handlers).client.initialize(everything)).authMethods).toEqual([
      { id: "web", name: "Browser" },
      { type: "terminal", id: "tui", name: "Terminal", args: ["login"], env: { A: "1" } },
    ]);
  });

  test("V1-AUTH-07 V1-AUTH-09: login opens what needs it", async () => {
    let user: string | undefined;
    const { client } = await connect({
      authMethods,
      login(methodId) {
        user = methodId;
      },
      newSession() {
        if (user === undefined) throw RpcError.authRequired();
      },
    });
    expect(await client.error("session/new", { cwd: "/w", mcpServers: [] })).toMatchObject({ code: -32000 });
    expect(await client.result("authenticate", { methodId: "web" })).toEqual({});
    expect(await client.newSession()).toBeTypeOf("string");
  });

  test("V1-AUTH-08: unknown and terminal methods are refused, a failed login is an error", async () => {
    const { client } = await connect({ authMethods, login: () => Promise.reject(new Error("wrong password")) });
    expect(await client.error("authenticate", { methodId: "none" })).toMatchObject({ code: -32602 });
    expect(await client.error("authenticate", { methodId: "tui" })).toMatchObject({ code: -32602 });
    expect(await client.error("authenticate", {})).toMatchObject({ code: -32602 });
    expect(await client.error("authenticate", { methodId: "web" })).toMatchObject({ code: -32603 });
  });

  test("V1-AUTH-18: without methods there is nothing to authenticate by", async () => {
    const { client } = await connect({});
    expect(await client.error("authenticate", { methodId: "web" })).toMatchObject({ code: -32602 });
  });

  test("V1-CANCEL-13 V1-RPC-16: a login can be called off", async () => {
    const { client } = await connect({
      authMethods,
      login: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    client.send({ id: "a", method: "authenticate", params: { methodId: "web" } });
    client.notify("$/cancel_request", { requestId: "a" });
    expect((await client.answer("a")).error).toMatchObject({ code: -32800 });
  });

  test("an agent that cannot log anybody in cannot be made", () => {
    expect(() => createAgent({ info, authMethods, newSession() {}, prompt() {} })).toThrow(TypeError);
  });

  test.each(["onDiagnostic", "onLoss"])("an agent that would never call its %s cannot be made", (name) => {
    const handlers = { info, newSession() {}, prompt() {} };
    expect(() => createAgent({ ...handlers, [name]: () => undefined })).toThrow(`${name} is an option of \`serve\``);
    expect(() => createAgent({ ...handlers, [name]: undefined })).not.toThrow();
  });
});

describe("methods", () => {
  test("V1-RPC-12 V1-INIT-18: what is unknown or was not offered does not exist", async () => {
    const { client, sessionId } = await open({});
    for (const method of ["session/load", "session/resume", "session/list", "session/delete", "logout", "no/such"]) {
      expect(await client.error(method, { sessionId, cwd: "/w", mcpServers: [] })).toMatchObject({ code: -32601 });
    }
    client.notify("no/such");
    expect((await client.ask(sessionId)).result).toEqual({ stopReason: "end_turn" });
  });

  test("V1-EXT-04: extensions answer requests and hear notifications", async () => {
    const heard: unknown[] = [];
    const { client } = await connect({
      extensions: {
        "_test/add": (params) => ({ sum: (params as { a: number }).a + 1 }),
        "_test/later": async () => ({ ok: true }),
        "_test/heard": (params) => void heard.push(params),
        "_test/fails": () => {
          throw new RpcError(-32050, "No.", { why: "because" });
        },
      },
    });
    client.notify("_test/heard", { n: 1 });
    expect(await client.result("_test/add", { a: 1 })).toEqual({ sum: 2 });
    expect(await client.result("_test/later")).toEqual({ ok: true });
    expect(await client.error("_test/fails")).toEqual({ code: -32050, message: "No.", data: { why: "because" } });
    expect(await client.error("_test/none")).toMatchObject({ code: -32601 });
    expect(await client.error("_toString")).toMatchObject({ code: -32601 });
    expect(heard).toEqual([{ n: 1 }]);
  });
});
