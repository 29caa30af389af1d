import { hello } from "./hello.js";
import { list, type Row } from "./row.js";

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const evil = { Origin: "https://evil.example" };
const statusOf = (socket: unknown) => (typeof socket === "number" ? socket : 101);

/** Access to a server, and secrets in its logs. */
export const accessRows: readonly Row[] = [
  {
    id: "REM-19",
    source: "RFD",
    what: "two cookies that the host sets: lines `Set-Cookie` of an answer and of the 101",
    expected: "2, 2",
    settings: { cookies: ["a=1; Path=/", "b=2; Path=/"] },
    async observe({ raw }) {
      const reply = await raw.post(hello());
      const socket = await raw.socket();
      const count = (value: unknown) => [value].flat().filter((line) => line !== undefined).length;
      return list(count(reply.headers["set-cookie"]), count(socket.socket.headers["set-cookie"]));
    },
  },
  {
    id: "REM-20",
    source: "ours",
    what: "no token: POST, GET, DELETE, upgrade (checked by the host around the SDK)",
    expected: "401, 401, 401, 401",
    settings: { tokens: { one: "ann" } },
    async observe({ raw }) {
      const replies = [await raw.post(hello()), await raw.get(), await raw.send("DELETE", {})];
      return list(...replies.map(({ status }) => status), statusOf(await raw.upgrade()));
    },
  },
  {
    id: "REM-20",
    source: "ours",
    what: "the connection of another principal, with a valid token: POST, GET, DELETE",
    expected: "404, 404, 404",
    settings: { tokens: { one: "ann", two: "bob" } },
    async observe({ raw, other }) {
      raw.common = bearer("one");
      await raw.connect();
      other.common = bearer("two");
      other.connectionId = raw.connectionId;
      const replies = [
        await other.post({ id: 1, method: "session/new", params: { cwd: "/" } }, other.ids()),
        await other.get(),
        await other.send("DELETE", other.ids()),
      ];
      return list(...replies.map(({ status }) => status));
    },
  },
  {
    id: "REM-21",
    source: "ours",
    what: "a page of an unknown origin: POST, GET, preflight, upgrade",
    expected: "403, 403, 403, 403",
    async observe({ raw }) {
      await raw.connect();
      const preflight = { ...evil, "Access-Control-Request-Method": "POST" };
      const replies = [
        await raw.post(hello(), evil),
        await raw.get(undefined, evil),
        await raw.send("OPTIONS", preflight),
      ];
      return list(...replies.map(({ status }) => status), statusOf(await raw.upgrade(evil)));
    },
  },
  {
    id: "REM-21",
    source: "ours",
    what: "a page of a listed origin: preflight, allowed origin, exposed header",
    expected: "204, https://app.example, Acp-Connection-Id",
    settings: { origins: ["https://app.example"] },
    async observe({ raw }) {
      const page = { Origin: "https://app.example" };
      const preflight = await raw.send("OPTIONS", { ...page, "Access-Control-Request-Method": "POST" });
      const reply = await raw.post(hello(), page);
      const exposed = String(reply.headers["access-control-expose-headers"]).split(",")[0];
      return list(preflight.status, preflight.headers["access-control-allow-origin"], exposed);
    },
  },
  {
    id: "REM-21",
    source: "ours",
    what: "another name that leads to the machine (DNS rebinding): POST, GET, upgrade",
    expected: "403, 403, 403",
    async observe({ raw }) {
      await raw.connect();
      const host = { Host: "rebound.example" };
      const replies = [await raw.post(hello(), host), await raw.get(undefined, host)];
      return list(...replies.map(({ status }) => status), statusOf(await raw.upgrade(host)));
    },
  },
  {
    id: "REM-27",
    source: "draft",
    what: "a port beyond loopback without `authorize`",
    expected: "refused",
    isAbsent: ({ listenBeyond }) => listenBeyond === undefined,
    observe: async ({ peer }) => (await peer.listenBeyond?.().catch(() => "refused")) ?? "",
  },
  {
    id: "REM-28",
    source: "ours",
    what: "the console during refused bodies, frames, tokens and a stalled session",
    expected: "no body, token or id of a session",
    settings: { unread: 10_000, stalledMs: 40 },
    async observe({ raw, log }) {
      raw.common = bearer("secret-token");
      await raw.connect();
      await raw.post(`{"secret-body`, raw.ids());
      await raw.call({ id: 1, method: "session/prompt", params: { sessionId: "secret-session" } }, "other");
      await raw.prompt("secret-session", "say 100 1000");
      const socket = await raw.socket();
      socket.send(`{"secret-body`, { method: "secret-body" });
      await socket.end();
      const found = ["secret-body", "secret-token", "secret-session"].filter((word) => log().includes(word));
      return found.length === 0 ? "no body, token or id of a session" : `logs ${found.join(" and ")}`;
    },
  },
];
