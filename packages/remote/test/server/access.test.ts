import { describe, expect, it, vi } from "vitest";
import { createRemoteServer, type Principal, type RemoteServerOptions } from "../../src/server/index.js";
import { RawAgent } from "./raw-agent.js";
import { eventHeaders, type HeaderList, Stage } from "./raw-client.js";
import { SocketStage } from "./raw-socket.js";

const page = { Origin: "https://app.example" };

/** Admits requests with a token, as the principal that the token names. */
const authorize = (request: Request): Principal | Response | undefined => {
  const token = request.headers.get("Authorization")?.slice("Bearer ".length);
  if (token === undefined) return undefined;
  return token === "bad" ? new Response("no", { status: 403 }) : { id: token };
};

const as = (token: string): HeaderList => ({ Authorization: `Bearer ${token}` });

describe("authorization", () => {
  it("REM-20: without a principal nothing is allocated, and the refusal is the one of `authorize`", async () => {
    const stage = new Stage({ authorize });
    const refused = await stage.initialize();
    expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
    const forbidden = await stage.initialize({}, as("bad"));
    expect([forbidden.status, await forbidden.text()]).toEqual([403, "no"]);
    expect(stage.agent.sides).toHaveLength(0);
    expect((await stage.initialize({}, as("ann"))).status).toBe(200);
  });

  it("REM-20: every later request is asked about, and the id of another principal is unknown", async () => {
    const stage = new Stage({ authorize });
    await stage.initialize({}, as("ann"));
    const requests = (token: HeaderList) => [
      stage.post({ method: "_a" }, { ...stage.headers(), ...token }),
      stage.get(undefined, token),
      stage.ask("DELETE", { ...stage.headers(), ...token }),
    ];
    const statuses = async (token: HeaderList) => Promise.all(requests(token).map(async (one) => (await one).status));
    expect(await statuses({})).toEqual([401, 401, 401]);
    expect(await statuses(as("bob"))).toEqual([404, 404, 404]);
    expect(stage.agent.side.count("_a")).toBe(0);
    expect(await statuses(as("ann"))).toEqual([202, 200, 202]);
  });

  it("REM-20: an `authorize` that fails, or names no principal, is 500 without details", async () => {
    for (const broken of [
      () => {
        throw new Error("secret of the database");
      },
      () => ({}) as Principal,
      () => true as never,
      async () => Promise.reject(new Error("secret of the database")),
    ]) {
      const reported: string[] = [];
      const stage = new Stage({ authorize: broken, onDiagnostic: ({ code }) => reported.push(code) });
      const refused = await stage.initialize();
      expect(refused.status).toBe(500);
      expect(await refused.text()).not.toContain("secret");
      expect(reported).toEqual(["handler_failed"]);
      expect(stage.agent.sides).toHaveLength(0);
    }
  });

  it("REM-20: an `authorize` that returns null or nothing refuses with 401; defect N91: the first one is reported", async () => {
    for (const none of [null, undefined]) {
      const reported: string[] = [];
      const stage = new Stage({ authorize: async () => none, onDiagnostic: ({ message }) => reported.push(message) });
      await stage.initialize();
      const refused = await stage.initialize();
      expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
      expect(reported).toEqual([expect.stringContaining(`authorize returned ${none}, so the answer is 401.`)]);
      expect(reported.join().includes("its `return` is missing")).toBe(none === undefined);
    }
  });

  it("defect N91: each host, origin and status that is refused is reported once, of at most 16, and without a token", async () => {
    const reported: string[] = [];
    const stage = new Stage({
      authorize,
      hosts: ["agents.example"],
      onDiagnostic: ({ code, message }) => reported.push(`${code} ${message}`),
    });
    for (const _ of [1, 2]) {
      await stage.initialize({}, { ...as("ann"), ...page });
      await stage.initialize({}, { ...as("ann"), Host: "evil.example" });
      await stage.initialize({}, as("bad"));
    }
    expect(reported).toEqual([
      expect.stringMatching(/^refused A request was refused: pages of "https:\/\/app\.example" .*`origins`/),
      expect.stringMatching(/^refused A request was refused: its host "evil\.example" .*`hosts`/),
      expect.stringMatching(/^refused A request was refused: authorize returned a Response with the status 403/),
    ]);
    for (let n = 0; n < 50; n++) await stage.initialize({}, { Host: `h${n}.example` });
    expect(reported).toHaveLength(18);
    expect(reported.join()).not.toContain("ann");
  });

  it("REM-20: a principal of a wrong form is reported with the remedy", async () => {
    for (const [wrong, message] of [
      [true, "authorize failed: authorize returned true"],
      [{ id: 7 }, "authorize failed: authorize returned an object without"],
    ] as const) {
      const reported: string[] = [];
      const stage = new Stage({ authorize: () => wrong as never, onDiagnostic: (one) => reported.push(one.message) });
      await stage.initialize();
      expect(reported).toEqual([expect.stringContaining(message)]);
      expect(reported[0]).toContain("Return an object with the text `id`, a Response or nothing.");
    }
  });

  it("REM-20: an `authorize` that does not settle is 503 after its time, also for an upgrade, and is reported", async () => {
    const reported: string[] = [];
    const stage = new SocketStage({
      authorize: () => new Promise(() => {}),
      limits: { authorizeMs: 10 },
      onDiagnostic: ({ message }) => reported.push(message),
    });
    const refused = await stage.initialize();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await stage.ask101()).toMatchObject({ status: 503 });
    expect(reported).toEqual(Array(2).fill("authorize did not settle within 10 ms."));
    expect(stage.agent.sides).toHaveLength(0);
  });

  it("defect M10: at the bound of requests that wait for `authorize`, further ones are 503 until one is decided", async () => {
    let decide = (_: Principal) => {};
    const waiting = new Promise<Principal>((resolve) => {
      decide = resolve;
    });
    const reported: string[] = [];
    const stage = new Stage({
      authorize: (request) => (request.headers.has("Slow") ? waiting : { id: "ann" }),
      limits: { authorizing: 2 },
      onDiagnostic: ({ code }) => reported.push(code),
    });
    const slow = [stage.initialize({}, { Slow: "yes" }), stage.initialize({}, { Slow: "yes" })];
    const refused = await stage.initialize();
    expect([refused.status, refused.headers.get("Retry-After"), reported]).toEqual([503, "5", ["refused"]]);
    decide({ id: "bob" });
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await stage.initialize()).status).toBe(200);
  });

  it.each(["http://a:99999", "http://1.2.3.4.5", "https://[:::]"])(
    "defect M13: the origin %s, which is no address, is 403 and no fault of the server",
    async (origin) => {
      const reported: string[] = [];
      const stage = new SocketStage({ onDiagnostic: ({ code }) => reported.push(code) });
      const refused = await stage.initialize({}, { Origin: origin });
      expect([refused.status, await stage.ask101({ Origin: origin }), reported]).toEqual([
        403,
        expect.objectContaining({ status: 403 }),
        ["refused"],
      ]);
    },
  );

  it("REM-28: tokens, bodies and ids are in no report and no refusal", async () => {
    const said: string[] = [];
    const stage = new Stage({ authorize, onDiagnostic: (diagnostic) => said.push(JSON.stringify(diagnostic)) });
    await stage.initialize({}, as("hush-token"));
    const headers = { ...stage.headers("hush-session"), ...as("hush-token") };
    const hush = { id: 1, method: "_a", params: { sessionId: "hush-other", text: "hush-body" } };
    for (const response of [
      await stage.post(hush, headers),
      await stage.post('{"hush-body', headers),
      await stage.post(hush, { ...headers, ...as("hush-stranger") }),
      await stage.get(undefined, { ...as("hush-token"), "Acp-Connection-Id": "hush-connection" }),
    ])
      said.push(await response.text());
    stage.agent.side.send({ method: "_b", params: { toJSON: () => JSON.parse("{") } });
    stage.agent.side.send({ method: "session/update", params: { sessionId: "hush-session", hush: 1n } });
    await vi.waitFor(() => expect(said).toHaveLength(6));
    expect(said.join()).not.toMatch(/hush/);
    expect(said.join()).not.toContain(stage.connectionId);
  });
});

describe("hosts", () => {
  const statusOf = async (stage: Stage, host: string) =>
    (await stage.initialize({}, { Host: host, ...as("ann") })).status;

  it("REM-21: without `authorize` only hosts of this machine are served, so that no name of a page leads here", async () => {
    const stage = new Stage();
    for (const host of ["127.0.0.1:4040", "localhost", "[::1]:4040", "app.localhost:80"])
      expect(await statusOf(stage, host)).toBe(200);
    for (const host of [
      "evil.example",
      "127.0.0.1.evil.example",
      "10.0.0.7",
      "127.0.0.1:80@evil.example",
      "localhost, evil.example",
      "",
    ])
      expect(await statusOf(stage, host)).toBe(403);
    expect(stage.agent.sides).toHaveLength(4);
  });

  it("REM-21: `hosts` adds hosts, with any port or one; with `authorize` alone, every host is served", async () => {
    const listed = new Stage({ hosts: ["agents.example", "one.example:8443"] });
    for (const host of ["agents.example", "agents.example:99", "one.example:8443", "Agents.Example", "localhost"])
      expect(await statusOf(listed, host)).toBe(200);
    for (const host of ["one.example", "one.example:80", "x.agents.example"])
      expect(await statusOf(listed, host)).toBe(403);
    expect(await statusOf(new Stage({ authorize }), "agents.example")).toBe(200);
    expect(await statusOf(new Stage({ authorize, hosts: ["agents.example"] }), "other.example")).toBe(403);
  });

  it("REM-27: a request without the header counts by its address", async () => {
    const { server } = new Stage();
    expect((await server.fetch(new Request("http://10.0.0.7/acp"))).status).toBe(403);
    expect((await server.fetch(new Request("http://127.0.0.1/acp", { headers: eventHeaders }))).status).toBe(400);
  });
});

describe("pages of other origins", () => {
  it("REM-21: an unknown origin is refused on every method, before `authorize`; the own one is known", async () => {
    let asked = 0;
    const stage = new Stage({
      authorize: () => {
        asked += 1;
        return { id: "" };
      },
    });
    for (const origin of [
      "https://evil.example",
      "null",
      "http://127.0.0.1",
      "http://127.0.0.1:4041",
      "file://127.0.0.1:4040",
    ])
      for (const method of ["POST", "GET", "DELETE", "OPTIONS"]) {
        const response = await stage.ask(method, { Origin: origin, ...eventHeaders });
        expect([response.status, response.headers.has("Access-Control-Allow-Origin")]).toEqual([403, false]);
      }
    expect(asked).toBe(0);
    expect((await stage.initialize({}, { Origin: "http://127.0.0.1:4040" })).status).toBe(200);
  });

  it("REM-21: a listed origin may ask first, and sees answers, refusals and the id of the connection", async () => {
    const stage = new Stage({ origins: [page.Origin], authorize });
    const asked = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,x-own" };
    const preflight = await stage.ask("OPTIONS", { ...page, ...asked });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-methods": "POST, GET, DELETE, OPTIONS",
      "access-control-allow-headers": "content-type,x-own",
      vary: "Origin",
    });
    for (const response of [await stage.initialize({}, { ...page, ...as("ann") }), await stage.initialize({}, page)]) {
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe("https://app.example");
      expect(response.headers.get("Access-Control-Expose-Headers")).toBe("Acp-Connection-Id, Acp-Cursor");
    }
    expect((await stage.initialize({}, { Origin: "https://app.example.evil", ...as("ann") })).status).toBe(403);
  });

  it("REM-19, REM-21: cookies of a refusal stay unmerged beside these headers", async () => {
    const cookies = [
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2"],
    ] as [string, string][];
    const refuse = () => new Response("no", { status: 401, headers: cookies });
    const refused = await new Stage({ origins: [page.Origin], authorize: refuse }).initialize({}, page);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, ["a=1", "b=2"]]);
  });

  it("OPTIONS of a program says which methods there are, and odd names of headers are not repeated", async () => {
    const stage = new Stage({ origins: [page.Origin] });
    const plain = await stage.ask("OPTIONS");
    expect([plain.status, plain.headers.get("Allow")]).toEqual([204, "POST, GET, DELETE, OPTIONS"]);
    const asked = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "a;b" };
    const preflight = await stage.ask("OPTIONS", { ...page, ...asked });
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toMatch(/Content-Type, Acp-Connection-Id/);
  });
});

it("wrong options are refused at once, with the remedy", () => {
  const create = (options: object) => () => createRemoteServer(options as RemoteServerOptions);
  const agent = new RawAgent();
  expect(create({})).toThrow(/createRemoteServer agent got undefined: pass the result of createAgent/);
  expect(create({ agent: { serve: () => {} }, open: () => {} })).toThrow(
    /createRemoteServer open got .*: pass agent or open/,
  );
  expect(create({ agent, hosts: ["https://agents.example"] })).toThrow(
    /createRemoteServer hosts got "https:\/\/agents.example"/,
  );
  for (const origin of ["app.example", "https://app.example/", "*"])
    expect(create({ agent, origins: [origin] })).toThrow(/createRemoteServer origins got/);
});
