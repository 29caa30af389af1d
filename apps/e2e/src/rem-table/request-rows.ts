import { hello } from "./hello.js";
import { list, type Row, type Stand } from "./row.js";

const newSession = (id: string | number = 1) => ({ id, method: "session/new", params: { cwd: "/", mcpServers: [] } });

/** A whole conversation over one protocol. */
async function talk({ raw }: Stand): Promise<string> {
  const first = await raw.post(hello());
  if (first.status !== 200) return String(first.status);
  raw.connectionId = String(first.headers["acp-connection-id"]);
  const events = await raw.events("s");
  const status = await raw.prompt("s", "say 2");
  const words = await events.words(3);
  const header = first.headers.connection === undefined ? "no" : "a";
  return list(first.status, status, ...words, `${header} header Connection`);
}

const scoped = ["prompt", "cancel", "close", "delete", "fork", "load", "resume", "set_config_option", "set_mode"];

/** Answers of requests: status, methods, bodies. */
export const requestRows: readonly Row[] = [
  {
    id: "REM-01",
    source: "RFD",
    what: "POST, GET, DELETE and the upgrade at one address",
    expected: "200, 200, 202, 101",
    async observe({ raw }) {
      const hi = await raw.post(hello());
      raw.connectionId = String(hi.headers["acp-connection-id"]);
      const stream = await raw.get();
      const gone = await raw.send("DELETE", raw.ids());
      const socket = await raw.upgrade();
      return list(hi.status, stream.status, gone.status, typeof socket === "number" ? socket : 101);
    },
  },
  {
    id: "REM-01",
    source: "SDK",
    what: "any path, because the host mounts the server",
    expected: "200",
    async observe({ raw }) {
      raw.path = "/anything";
      return list((await raw.post(hello())).status);
    },
  },
  {
    id: "REM-02",
    source: "RFD",
    what: "a conversation over HTTP/2 without TLS",
    expected: "200, 202, 1, 2, answer, no header Connection",
    wire: "http/2",
    observe: talk,
  },
  {
    id: "REM-02",
    source: "RFD",
    what: "a conversation over HTTP/2 with TLS",
    expected: "200, 202, 1, 2, answer, no header Connection",
    wire: "http/2",
    settings: { tls: true },
    observe: talk,
  },
  {
    id: "REM-03",
    source: "RFD",
    what: "`initialize`: status, type, header `Acp-Connection-Id`, members of the result",
    expected: "200, application/json, an id, protocolVersion agentCapabilities authMethods",
    async observe({ raw }) {
      const reply = await raw.post(hello());
      const id = reply.headers["acp-connection-id"] === undefined ? "no id" : "an id";
      const { result } = JSON.parse(await reply.text());
      return list(reply.status, reply.headers["content-type"], id, Object.keys(result).join(" "));
    },
  },
  {
    id: "REM-04",
    source: "RFD",
    what: "`session/new`: status, body, id of the answer on the stream",
    expected: "202, empty, 1",
    async observe({ raw }) {
      await raw.connect();
      const events = await raw.events();
      const reply = await raw.post(newSession(), raw.ids());
      const body = await reply.text();
      return list(reply.status, body === "" ? "empty" : body, (await events.message())?.frame.id);
    },
  },
  {
    id: "REM-05",
    source: "RFD",
    what: "POST of `text/plain`, of no type, and of JSON with a charset",
    expected: "415, 415, 200",
    async observe({ raw }) {
      const body = JSON.stringify({ jsonrpc: "2.0", ...hello() });
      const plain = await raw.send("POST", { "Content-Type": "text/plain" }, body);
      const none = await raw.send("POST", {}, body);
      const charset = await raw.send("POST", { "Content-Type": "application/json; charset=utf-8" }, body);
      return list(plain.status, none.status, charset.status);
    },
  },
  {
    id: "REM-06",
    source: "RFD",
    what: "GET that accepts nothing, `*/*`, JSON, and events beside others",
    expected: "406, 406, 406, 200",
    async observe({ raw }) {
      await raw.connect();
      const none = await raw.send("GET", raw.ids());
      const all = await raw.get(undefined, { Accept: "*/*" });
      const json = await raw.get(undefined, { Accept: "application/json" });
      const events = await raw.get(undefined, { Accept: "application/json, text/event-stream" });
      return list(none.status, all.status, json.status, events.status);
    },
  },
  {
    id: "REM-07",
    source: "RFD",
    what: "POST and GET without a connection, and with an unknown one",
    expected: "400, 400, 404, 404",
    async observe({ raw }) {
      const nowhere = [await raw.post(newSession()), await raw.send("GET", { Accept: "text/event-stream" })];
      raw.connectionId = "unknown";
      const unknown = [await raw.post(newSession(), raw.ids()), await raw.get()];
      return list(...[...nowhere, ...unknown].map(({ status }) => status));
    },
  },
  {
    id: "REM-08",
    source: "RFD",
    what: "each of the nine methods of a session, if neither the header nor the params name a session",
    expected: "400 × 9",
    async observe({ raw }) {
      await raw.connect();
      const statuses = new Map<number, number>();
      for (const [id, name] of scoped.entries()) {
        const status = await raw.call({ id, method: `session/${name}`, params: {} });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      return list(...[...statuses].map(([status, count]) => `${status} × ${count}`));
    },
  },
  {
    id: "REM-08",
    source: "ours",
    what: "`session/prompt` with `params.sessionId` and no header (the RFD asks for 400)",
    expected: "202",
    async observe({ raw }) {
      await raw.connect();
      return list(await raw.call({ id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } }));
    },
  },
  {
    id: "REM-08",
    source: "SDK",
    what: "`session/prompt` with the header and no `params.sessionId`",
    expected: "202",
    async observe({ raw }) {
      await raw.connect();
      return list(await raw.call({ id: 1, method: "session/prompt", params: { prompt: [] } }, "s"));
    },
  },
  {
    id: "REM-09",
    source: "SDK",
    what: "header and `params.sessionId` of two sessions",
    expected: "400",
    async observe({ raw }) {
      await raw.connect();
      return list(await raw.call({ id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } }, "t"));
    },
  },
  {
    id: "REM-10",
    source: "SDK",
    what: "`$/cancel_request` without a session: status and arrival; such a message of the agent arrives on the connection's stream",
    expected: "202, arrived, $/cancel_request",
    async observe({ raw, peer, soon }) {
      await raw.connect();
      const events = await raw.events();
      const cancel = { method: "$/cancel_request", params: { requestId: 1 } };
      const status = await raw.call(cancel);
      const hasArrived = await soon(() => peer.sides[0]?.count("$/cancel_request") === 1);
      await peer.sides[0]?.send(cancel);
      return list(status, hasArrived ? "arrived" : "lost", ...(await events.words(1)));
    },
  },
  {
    id: "REM-16",
    source: "RFD",
    what: "DELETE: without a connection, with it, and again; state of the agent's connection",
    expected: "400, 202, 404, closed",
    async observe({ raw, peer, soon }) {
      await raw.connect();
      const without = await raw.send("DELETE", {});
      const first = await raw.send("DELETE", raw.ids());
      const again = await raw.send("DELETE", raw.ids());
      const isClosed = await soon(() => peer.sides[0]?.isClosed === true);
      return list(without.status, first.status, again.status, isClosed ? "closed" : "open");
    },
  },
  {
    id: "REM-17",
    source: "SDK",
    what: "an array of messages, by POST and as a frame: status, code of the error",
    expected: "400, -32600, -32600",
    async observe({ raw }) {
      await raw.connect();
      const reply = await raw.post(JSON.stringify([{ jsonrpc: "2.0", ...newSession() }]), raw.ids());
      const body = await reply.text();
      const socket = await raw.socket();
      await socket.connect();
      socket.send([{ jsonrpc: "2.0", ...newSession() }]);
      return list(reply.status, JSON.parse(body).error?.code, (await socket.frame())?.error?.code);
    },
  },
  {
    id: "REM-22",
    source: "SDK",
    what: "a body of 16 MiB, and of one byte more",
    expected: "202, 413",
    async observe({ raw }) {
      await raw.connect();
      const frame = (size: number) => {
        const head = `{"jsonrpc":"2.0","method":"_big","params":{"text":"`;
        return `${head}${"x".repeat(size - head.length - 3)}"}}`;
      };
      const most = await raw.post(frame(16 * 2 ** 20), raw.ids());
      return list(most.status, (await raw.post(frame(16 * 2 ** 20 + 1), raw.ids())).status);
    },
  },
  {
    id: "REM-22",
    source: "SDK",
    what: "ids of a session and of a request with 1 024 characters, and with one more",
    expected: "200, 400, 202, 400",
    async observe({ raw }) {
      await raw.connect();
      const streams = [await raw.get("s".repeat(1_024)), await raw.get("s".repeat(1_025))];
      const calls = [await raw.call(newSession("i".repeat(1_024))), await raw.call(newSession("i".repeat(1_025)))];
      return list(...streams.map(({ status }) => status), ...calls);
    },
  },
  {
    id: "REM-25",
    source: "SDK",
    what: "a second `initialize`: by POST, and as a frame",
    expected: "400, -32600",
    async observe({ raw }) {
      await raw.connect();
      const status = await raw.call(hello());
      const socket = await raw.socket();
      await socket.connect();
      socket.send({ ...hello(), id: 1 });
      return list(status, (await socket.frame())?.error?.code);
    },
  },
  {
    id: "REM-26",
    source: "ours",
    what: "`Acp-Protocol-Version` with an unknown version",
    expected: "202",
    async observe({ raw }) {
      await raw.connect();
      return list(await raw.call(newSession(), undefined, { "Acp-Protocol-Version": "99" }));
    },
  },
];
