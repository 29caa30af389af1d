import { describe, expect, test } from "vitest";
import { allDialects, seedDialect, v1Dialect, v2Dialect } from "../../src/index.js";
import { clientInfo, connectAs, everything, info, seedHello, serve, v2Hello } from "../raw-client.js";

const hello = (change: object = {}) => ({ ...v2Hello, ...change });

describe("initialize of version 2", () => {
  test("V2-INIT-02 V2-INIT-15: answers with what the handlers can", async () => {
    const plain = serve({}).client;
    expect(await plain.result("initialize", hello())).toEqual({
      protocolVersion: 2,
      info,
      capabilities: { session: { prompt: {}, mcp: { stdio: {} } } },
    });
    const rich = serve({
      deleteSession: () => undefined,
      login: () => undefined,
      authMethods: [{ type: "agent", methodId: "web", name: "Web" }],
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { additionalDirectories: true },
    }).client;
    expect(await rich.result("initialize", hello())).toEqual({
      protocolVersion: 2,
      info,
      capabilities: {
        session: {
          prompt: { image: {}, audio: {}, embeddedContext: {} },
          mcp: { stdio: {}, http: {} },
          delete: {},
          additionalDirectories: {},
        },
      },
      authMethods: [{ type: "agent", methodId: "web", name: "Web" }],
    });
  });

  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [65_535, 2],
  ])("V2-INIT-04: version %i is answered with %i", async (protocolVersion, answered) => {
    const { client } = serve({});
    expect(await client.result("initialize", hello({ protocolVersion }))).toMatchObject({ protocolVersion: answered });
    expect(await client.newSession()).toBeTypeOf("string");
  });

  test("V2-INIT-04: without a version at or below the requested one: -32022", async () => {
    const { client } = serve({}, { dialects: [v2Dialect, seedDialect] });
    expect(await client.error("initialize", hello({ protocolVersion: 1 }))).toEqual({
      code: -32022,
      message: "Unsupported protocol version",
      data: { requested: 1, supported: [2] },
    });
    expect(await client.result("initialize", hello())).toMatchObject({ protocolVersion: 2 });
  });

  const spoken = { "1 and 2": [2, 1], "2": [2] };
  test.each([
    ["1 and 2", allDialects, 0],
    ["2", [v2Dialect], 0],
    ["2", [v2Dialect], 1],
    ["2", [seedDialect], 1],
  ] as const)(
    "defect B14: an agent of %s refuses a version below with what it supports (V2-INIT-04)",
    async (name, dialects, requested) => {
      const { client } = serve({}, { dialects });
      expect(await client.error("initialize", hello({ protocolVersion: requested }))).toEqual({
        code: -32022,
        message: "Unsupported protocol version",
        data: { requested, supported: spoken[name] },
      });
      // Only that attempt failed.
      expect(await client.error("session/new", { cwd: "/w", mcpServers: [] })).toMatchObject({ code: -32600 });
      const again = dialects[0] === seedDialect ? seedHello : hello();
      expect(await client.result("initialize", again)).toMatchObject({ protocolVersion: 2 });
    },
  );

  test.each([-1, 1.5, "1", "0", null, undefined, true, 65_536])(
    "V2-INIT-01: %j is no version",
    async (protocolVersion) => {
      const { client } = serve({});
      expect(await client.error("initialize", hello({ protocolVersion }))).toMatchObject({ code: -32602 });
      expect(await client.result("initialize", hello())).toMatchObject({ protocolVersion: 2 });
    },
  );

  test("V2-SEED-20: the dialects of an agent may be named in any order", async () => {
    const { client } = serve({}, { dialects: [seedDialect, v1Dialect, v2Dialect] });
    expect(await client.result("initialize", hello())).toMatchObject({ protocolVersion: 2, info });
  });

  test("V2-SEED-20: an agent without the older draft refuses its hello", async () => {
    const { client } = serve({}, { dialects: [v2Dialect] });
    expect(await client.error("initialize", seedHello)).toMatchObject({ code: -32602 });
  });

  test("V2-INIT-05: an agent of version 1 only answers 1", async () => {
    const { client } = serve({}, { dialects: [v1Dialect] });
    expect(await client.result("initialize", hello())).toMatchObject({ protocolVersion: 1, agentInfo: info });
  });

  test("V2-INIT-08: it may be repeated until another request came; the latest success counts", async () => {
    let seen: unknown;
    const { client } = serve({
      newSession: (_, session) => {
        seen = session.client.info.name;
      },
    });
    await client.result("initialize", hello());
    client.notify("session/cancel", { sessionId: "none" });
    await client.result("initialize", hello({ info: { name: "second", version: "2" } }));
    expect(await client.error("initialize", hello({ info: { name: 3 } }))).toMatchObject({ code: -32602 });
    expect(await client.error("initialize", hello({ protocolVersion: 1 }))).toMatchObject({ code: -32600 });
    await client.newSession();
    expect(seen).toBe("second");
    expect(await client.error("initialize", hello())).toMatchObject({ code: -32600 });
  });

  test("V2-INIT-09: before it requests are refused and notifications are ignored", async () => {
    const { client } = serve({});
    client.notify("session/cancel", { sessionId: "s" });
    for (const method of ["session/new", "auth/login", "no/such"]) {
      expect(await client.error(method, {})).toMatchObject({ code: -32600 });
    }
    expect(client.received).toHaveLength(3);
  });

  test("V2-INIT-11: strict for the very version, forgiving for a higher one", async () => {
    const strict = serve({}).client;
    for (const broken of [{ name: "no version" }, null, "x"]) {
      expect(await strict.error("initialize", hello({ info: broken }))).toMatchObject({ code: -32602 });
    }
    let seen: unknown;
    const { client } = serve({
      newSession: (_, session) => {
        seen = session.client;
      },
    });
    await client.result("initialize", { protocolVersion: 3, capabilities: "new", info: 7 });
    await client.newSession();
    expect(seen).toMatchObject({ dialect: "v2", info: { name: "unknown", version: "unknown" } });
  });

  test.each<[string, object, object]>([
    [
      "V2-INIT-18 V2-INIT-19: the older form is preferred",
      { ...hello(), clientInfo: { name: "old", version: "1" }, clientCapabilities: everything },
      { info: { name: "old" }, capabilities: { files: { read: true }, terminals: true } },
    ],
    [
      "V2-INIT-19: without it the newer one is read",
      hello(),
      { info: clientInfo, capabilities: { files: { read: false }, terminalLogin: true, booleanOptions: true } },
    ],
  ])("a version 1 agent and a hello of version 2: %s", async (_, params, expected) => {
    let seen: unknown;
    const { client } = await connectAs(
      params,
      {
        newSession: (_request, session) => {
          seen = session.client;
        },
      },
      { dialects: [v1Dialect] },
    );
    await client.newSession();
    expect(seen).toMatchObject({ dialect: "v1", ...expected });
  });

  test("V2-SEED-20: version 2 without info is the older draft", async () => {
    const { client } = serve({});
    expect(await client.result("initialize", seedHello)).toMatchObject({ protocolVersion: 2, agentInfo: info });
  });
});

describe("logins of version 2", () => {
  const authMethods = [
    { type: "agent", methodId: "web", name: "Web" },
    { type: "terminal", methodId: "tty", name: "Terminal", args: ["login"], env: [] },
  ] as const;

  test("V2-AUTH-05 V2-AUTH-06 V2-AUTH-09: login and logout", async () => {
    const said: string[] = [];
    const { client } = await connectAs(v2Hello, {
      authMethods,
      login: (methodId) => void said.push(methodId),
      logout: () => void said.push("out"),
    });
    expect(await client.result("auth/login", { methodId: "web" })).toEqual({});
    expect(await client.error("auth/login", { methodId: "tty" })).toMatchObject({ code: -32602 });
    expect(await client.result("auth/logout")).toEqual({});
    expect(said).toEqual(["web", "out"]);
  });

  test("V2-AUTH-07: a client without terminals for it is not told of such methods", async () => {
    const { client } = serve({ authMethods, login: () => undefined });
    const poor = await client.result("initialize", hello({ capabilities: {} }));
    expect(poor.authMethods).toEqual([authMethods[0]]);
    expect((await client.result("initialize", hello())).authMethods).toEqual(authMethods);
  });

  test("V1-AUTH-15: version 1 has logout too, where the agent does", async () => {
    const { client } = serve({ authMethods, login: () => undefined, logout: () => undefined });
    expect((await client.initialize()).agentCapabilities.auth).toEqual({ logout: {} });
    expect(await client.result("logout")).toEqual({});
    const none = serve({}).client;
    await none.initialize();
    expect(await none.error("logout")).toMatchObject({ code: -32601 });
  });
});
