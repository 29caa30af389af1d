import { expect } from "../../verdict.js";
import type { RawServer } from "./raw-server.js";
import { expectStatus, statusCheck, type TransportCheck, transportCheck } from "./transport-check.js";

const hello = (server: RawServer) => server.frame("initialize", server.options.hello);
const create = (server: RawServer) => server.frame("session/new", server.options.newSession);

/** Opens a connection first. */
const connected =
  <T>(ask: (server: RawServer) => Promise<T>) =>
  async (server: RawServer): Promise<T> => {
    await server.initialize();
    return ask(server);
  };

const upgrade = (server: RawServer) =>
  server.send("GET", {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dHVybmtpdC1jb25mb3JtYQ==",
  });

const cancel = (sessionId: string) =>
  JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });

/** Checks of single requests: status, headers and bodies. */
export const requestChecks: readonly TransportCheck[] = [
  statusCheck(["TKR-INIT-01", "REM-03", "initialize is answered with 200."], 200, (server) =>
    server.post(hello(server)),
  ),
  transportCheck(["TKR-INIT-02", "REM-03", "The answer to initialize is application/json."], async (server) => {
    const { headers, entry } = await server.post(hello(server));
    expect(String(headers["content-type"]).startsWith("application/json"), "it has another type", entry);
  }),
  transportCheck(
    ["TKR-INIT-03", "REM-03", "The answer to initialize has the header Acp-Connection-Id."],
    async (server) => {
      const { headers, entry } = await server.post(hello(server));
      expect(typeof headers["acp-connection-id"] === "string", "the header is missing", entry);
    },
  ),
  transportCheck(
    ["TKR-INIT-04", "REM-03", "The body of the answer is the result of initialize, with its id."],
    async (server) => {
      const reply = await server.post(server.frame("initialize", server.options.hello, 77));
      const { id, result } = JSON.parse(await reply.text()) as { readonly id?: unknown; readonly result?: unknown };
      expect(id === 77 && typeof result === "object", `the id is ${String(id)}`, reply.entry);
    },
  ),
  transportCheck(
    ["TKR-INIT-05", "REM-03", "Each initialize opens a connection with an id of its own."],
    async (server) => {
      const first = (await server.initialize()).headers["acp-connection-id"];
      const second = await server.initialize();
      expect(second.headers["acp-connection-id"] !== first, "the id is the same", second.entry);
    },
  ),
  statusCheck(
    ["TKR-INIT-06", "REM-25", "A second initialize on a connection is answered with 400."],
    400,
    connected((server) => server.post(hello(server), server.ids())),
  ),
  statusCheck(
    ["TKR-POST-01", "REM-04", "A request is answered with 202."],
    202,
    connected((server) => server.post(create(server), server.ids())),
  ),
  transportCheck(
    ["TKR-POST-02", "REM-04", "The answer 202 has no body."],
    connected(async (server) => {
      const reply = await server.post(create(server), server.ids());
      expect((await reply.text()) === "", "it has a body", reply.entry);
    }),
  ),
  statusCheck(["TKR-POST-03", "REM-05", "A body of another type is answered with 415."], 415, (server) =>
    server.send("POST", { "Content-Type": "text/plain" }, hello(server)),
  ),
  statusCheck(["TKR-POST-04", "REM-05", "A body without a type is answered with 415."], 415, (server) =>
    server.send("POST", {}, hello(server)),
  ),
  statusCheck(["TKR-POST-05", "REM-05", "The type of a body may have parameters."], 200, (server) =>
    server.send("POST", { "Content-Type": "application/json; charset=utf-8" }, hello(server)),
  ),
  statusCheck(["TKR-POST-06", "REM-07", "A request without a connection is answered with 400."], 400, (server) =>
    server.post(create(server)),
  ),
  statusCheck(["TKR-POST-07", "REM-07", "A request on an unknown connection is answered with 404."], 404, (server) =>
    server.post(create(server), { "Acp-Connection-Id": "turnkit-unknown" }),
  ),
  statusCheck(
    ["TKR-POST-08", "REM-08", "A request of a session that names no session is answered with 400."],
    400,
    connected((server) => server.post(server.frame("session/prompt", { prompt: [] }), server.ids())),
  ),
  statusCheck(
    [
      "TKR-POST-09",
      "REM-09",
      "A request whose header names another session than its params is answered with 400.",
      "advisory",
    ],
    400,
    connected((server) => server.post(cancel("conf-one"), server.ids("conf-two"))),
  ),
  statusCheck(
    ["TKR-POST-10", "REM-10", "$/cancel_request needs no session."],
    202,
    connected((server) =>
      server.post(
        JSON.stringify({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 999 } }),
        server.ids(),
      ),
    ),
  ),
  statusCheck(
    ["TKR-POST-11", "REM-17", "A batch is answered with 400 or 501."],
    400,
    connected((server) => server.post(`[${create(server)}]`, server.ids())),
  ),
  transportCheck(
    ["TKR-POST-12", "REM-17", "The answer to a batch has the error -32600.", "advisory"],
    connected(async (server) => {
      const reply = await server.post(`[${create(server)}]`, server.ids());
      expect((await reply.text()).includes("-32600"), "it does not", reply.entry);
    }),
  ),
  statusCheck(
    ["TKR-POST-13", "REM-04", "A body that is not JSON is answered with 400."],
    400,
    connected((server) => server.post('{"jsonrpc":', server.ids())),
  ),
  statusCheck(
    ["TKR-GET-01", "REM-11", "The stream of a connection is opened with 200."],
    200,
    connected((server) => server.events()),
  ),
  transportCheck(
    ["TKR-GET-02", "REM-11", "A stream is text/event-stream."],
    connected(async (server) => {
      const { headers, entry } = await server.events();
      expect(String(headers["content-type"]).startsWith("text/event-stream"), "it has another type", entry);
    }),
  ),
  statusCheck(
    ["TKR-GET-03", "REM-06", "GET without Accept is answered with 406."],
    406,
    connected((server) => server.send("GET", server.ids())),
  ),
  statusCheck(
    ["TKR-GET-04", "REM-06", "GET that accepts only JSON is answered with 406."],
    406,
    connected((server) => server.events(undefined, "application/json")),
  ),
  statusCheck(
    ["TKR-GET-05", "REM-06", "GET may accept other types beside text/event-stream."],
    200,
    connected((server) => server.events(undefined, "application/json, text/event-stream")),
  ),
  statusCheck(["TKR-GET-06", "REM-07", "A stream without a connection is answered with 400."], 400, (server) =>
    server.events(),
  ),
  statusCheck(["TKR-GET-07", "REM-07", "A stream of an unknown connection is answered with 404."], 404, (server) => {
    server.connectionId = "turnkit-unknown";
    return server.events();
  }),
  transportCheck(
    ["TKR-GET-08", "REM-12", "A second reader of a stream is answered with 409.", "advisory"],
    connected(async (server) => {
      await server.events();
      expectStatus(await server.events(), 409);
    }),
  ),
  statusCheck(
    ["TKR-DELETE-01", "REM-16", "DELETE of a connection is answered with 202."],
    202,
    connected((server) => server.send("DELETE", server.ids())),
  ),
  transportCheck(
    ["TKR-DELETE-02", "REM-16", "After DELETE, the connection takes no requests."],
    connected(async (server) => {
      await server.send("DELETE", server.ids());
      expectStatus(await server.post(create(server), server.ids()), 404);
    }),
  ),
  statusCheck(["TKR-DELETE-03", "REM-16", "DELETE without a connection is answered with 400."], 400, (server) =>
    server.send("DELETE"),
  ),
  statusCheck(["TKR-DELETE-04", "REM-16", "DELETE of an unknown connection is answered with 404."], 404, (server) =>
    server.send("DELETE", { "Acp-Connection-Id": "turnkit-unknown" }),
  ),
  statusCheck(["TKR-METHOD-01", "REM-01", "PUT is answered with 405."], 405, (server) => server.send("PUT", {}, "{}")),
  statusCheck(["TKR-SOCKET-01", "REM-18", "A WebSocket is opened with 101."], 101, upgrade),
  transportCheck(["TKR-SOCKET-02", "REM-18", "The answer 101 has the header Acp-Connection-Id."], async (server) => {
    const { headers, entry } = await upgrade(server);
    expect(typeof headers["acp-connection-id"] === "string", "the header is missing", entry);
  }),
  transportCheck(["TKR-HTTP2-01", "REM-02", "initialize over HTTP/2 is answered with 200."], async (server) => {
    const { status, entry } = await server.overHttp2();
    expect(status === 200, `the status is ${status}`, entry);
  }),
  transportCheck(["TKR-ORIGIN-01", "REM-21", "A page of an unknown origin is refused.", "advisory"], async (server) => {
    const { status, entry } = await server.post(hello(server), { Origin: "https://evil.example" });
    expect(status === 403, `the status is ${status}`, entry);
  }),
];
