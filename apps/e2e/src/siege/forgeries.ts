import { createRandom } from "@turnkit/testing";
import { type Attack, distinct, type Target } from "./attack.js";

const EVENTS = { Accept: "text/event-stream" };

/** Sends bytes, and returns the status of the answer. */
async function raw(target: Target, ...lines: readonly string[]): Promise<number> {
  const pipe = await target.pipe([...lines, "", ""].join("\r\n"));
  await Promise.race([
    new Promise((resolve) => pipe.socket.once("data", resolve)),
    pipe.closed,
    new Promise((resolve) => setTimeout(resolve, 5_000)),
  ]);
  return pipe.status;
}

const own = "Authorization: Bearer token-ann";
const get = "GET /acp HTTP/1.1";
const host = "Host: localhost";

/** Requests with headers, cursors and ids that are not true. */
export const forgeries: readonly Attack[] = [
  {
    name: "headers: two hosts, two lengths, length and chunks, a bare line feed in a value, NUL, no host",
    expected: "400",
    async run(target) {
      const post = ["POST /acp HTTP/1.1", host, own, "Content-Type: application/json"];
      return distinct([
        await raw(target, get, host, "Host: agents.example", own),
        await raw(target, ...post, "Content-Length: 1", "Content-Length: 2"),
        await raw(target, ...post, "Content-Length: 1", "Transfer-Encoding: chunked"),
        await raw(target, get, host, own, "X-Split: a\nAcp-Connection-Id: b"),
        await raw(target, get, host, own, "X-Nul: a\0b"),
        await raw(target, get, own),
      ]);
    },
  },
  {
    name: "headers of 20 kB",
    expected: "431",
    run: async (target) => distinct([await raw(target, get, host, own, `X-Long: ${"x".repeat(20_000)}`)]),
  },
  {
    name: "numbers of messages: 0, -1, 1.5, NaN, 1e400, empty, 9 007 199 254 740 993",
    expected: "400",
    async run(target) {
      const connection = { "Acp-Connection-Id": await target.connection() };
      const statuses = [];
      for (const number of ["0", "-1", "1.5", "NaN", "1e400", "", "9007199254740993"]) {
        const headers = { ...connection, "Acp-Message-Number": number };
        statuses.push((await target.post({ method: "_note" }, headers)).status);
      }
      return distinct(statuses);
    },
  },
  {
    name: "ids of connections: guessed, in capitals, of a path, of 8 000 characters",
    expected: "404",
    async run(target) {
      const known = await target.connection();
      const last = known.at(-1) === "0" ? "1" : "0";
      const ids = [known.slice(0, -1), `${known.slice(0, -1)}${last}`, known.toUpperCase(), "../x", "x".repeat(8_000)];
      const statuses = [];
      for (const id of ids) {
        const headers = { "Acp-Connection-Id": id };
        statuses.push((await target.post({ method: "_note" }, headers)).status);
        statuses.push((await target.send("GET", { ...EVENTS, ...headers })).status);
      }
      return distinct(statuses);
    },
  },
  {
    name: "300 cursors: changed in one place, of another stream, of another connection",
    expected: "409",
    async run(target) {
      const random = createRandom(1);
      const cursorOf = async (id: string, session: string) => {
        const stream = await target.send("GET", { ...EVENTS, "Acp-Connection-Id": id, "Acp-Session-Id": session });
        const cursor = String(stream.headers["acp-cursor"]);
        stream.cut();
        return cursor;
      };
      const id = await target.connection();
      // Refused requests do not keep a connection alive.
      await target.send("GET", { ...EVENTS, "Acp-Connection-Id": id });
      const [mine, others] = [await cursorOf(id, "s"), await cursorOf(id, "t")];
      const foreign = await cursorOf(await target.connection(), "s");
      const change = () => {
        const at = random.below(mine.length);
        const digit = "0123456789abcdef-"[random.below(17)] as string;
        return `${mine.slice(0, at)}${digit}${mine.slice(at + random.below(2))}`;
      };
      const forged = Array.from({ length: 300 }, change).filter((cursor) => cursor !== mine);
      const statuses = [];
      for (const cursor of [others, foreign, ...forged]) {
        const headers = { ...EVENTS, "Acp-Connection-Id": id, "Acp-Session-Id": "s", "Last-Event-ID": cursor };
        const reply = await target.send("GET", headers);
        statuses.push(reply.status);
        reply.cut();
      }
      return distinct(statuses);
    },
  },
  {
    name: "the connection of another principal: POST, GET, DELETE, resume of a stream; a guessed token, no token",
    expected: "404; 401",
    async run(target) {
      const id = await target.connection();
      const headers = { "Acp-Connection-Id": id, Authorization: "Bearer token-bob" };
      const foreign = [
        await target.post({ method: "_note" }, headers),
        await target.send("GET", { ...EVENTS, ...headers }),
        await target.send("GET", { ...EVENTS, ...headers, "Last-Event-ID": "x" }),
        await target.send("DELETE", headers),
      ];
      const guessed = await target.post({ method: "_note" }, { ...headers, Authorization: "Bearer guessed" });
      const none = await raw(target, get, host, "Accept: text/event-stream", `Acp-Connection-Id: ${id}`);
      return `${distinct(foreign.map(({ status }) => status))}; ${distinct([guessed.status, none])}`;
    },
  },
  {
    name: "origins: unknown, null, a start or an end of the listed one, another scheme or port; and the listed one",
    expected: "403; 200",
    async run(target) {
      const frame = { id: 0, method: "initialize", params: { protocolVersion: 1 } };
      const origins = [
        "https://evil.example",
        "null",
        "https://app.example.evil.example",
        "https://evil-app.example",
        "http://app.example",
        "https://app.example:444",
        "https://app.example@evil.example",
      ];
      const statuses = [];
      for (const Origin of origins) statuses.push((await target.post(frame, { Origin })).status);
      return `${distinct(statuses)}; ${(await target.post(frame, { Origin: "https://app.example" })).status}`;
    },
  },
  {
    name: "DNS rebinding: hosts that are not listed, ends of listed ones; and the listed one",
    expected: "403; 200",
    async run(target) {
      const frame = { id: 0, method: "initialize", params: { protocolVersion: 1 } };
      const hosts = ["evil.example", "agents.example.evil.example", "localhost.evil.example", "127.0.0.1.evil.example"];
      const statuses = [];
      for (const Host of hosts) statuses.push((await target.post(frame, { Host })).status);
      return `${distinct(statuses)}; ${(await target.post(frame, { Host: "agents.example" })).status}`;
    },
  },
];
