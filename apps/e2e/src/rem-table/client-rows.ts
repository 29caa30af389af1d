import { type ClientRow, chunk, offeringWith, prompt, refusing } from "./client-row.js";
import { list } from "./row.js";

const state = (end: unknown): string => (end === undefined ? "open" : "closed");

/** Requests of a client, and its reading. */
export const clientRows: readonly ClientRow[] = [
  {
    id: "REM-29",
    source: "RFD",
    what: "`initialize` over both profiles",
    expected: "HTTP, WebSocket",
    async observe(stand) {
      const http = await stand.connect();
      const socket = await stand.connect("ws");
      return list(http.frames.length === 1 ? "HTTP" : "none", socket.frames.length === 1 ? "WebSocket" : "none");
    },
  },
  {
    id: "REM-30",
    source: "RFD",
    what: "a cookie of the answer of `initialize`: header `Cookie` of a POST and of a GET",
    expected: "a=1, a=1",
    script: offeringWith({ "Set-Cookie": "a=1; Path=/" }),
    async observe(stand) {
      const client = await stand.connect();
      client.send({ id: 1, method: "session/list", params: {} });
      await stand.asked("POST session/list");
      await stand.asked("GET stream");
      return list(stand.last("POST session/list")?.headers.cookie, stand.last("GET stream")?.headers.cookie);
    },
  },
  {
    id: "REM-30",
    source: "ours",
    what: "a cookie of another path: header `Cookie` of a POST",
    expected: "none",
    script: offeringWith({ "Set-Cookie": "a=1; Path=/other" }),
    async observe(stand) {
      const client = await stand.connect();
      client.send({ id: 1, method: "session/list", params: {} });
      await stand.asked("POST session/list");
      return stand.last("POST session/list")?.headers.cookie ?? "none";
    },
  },
  {
    id: "REM-31",
    source: "SDK",
    what: "requests of a first prompt, in order",
    expected: "POST initialize, GET stream, GET stream s-1, POST session/prompt s-1",
    async observe(stand) {
      await stand.prompting();
      await stand.asked("GET stream");
      const [first, ...others] = stand.server.log;
      // Two requests at the same time have no order.
      return list(first, ...others.slice(0, 2).sort(), ...others.slice(2));
    },
  },
  {
    id: "REM-32",
    source: "SDK",
    what: "an answer of `initialize` with another id: the client",
    expected: "closed",
    script: ({ about, reply }) => {
      if (about !== "initialize") return undefined;
      reply(200, `{"jsonrpc":"2.0","id":99,"result":{"protocolVersion":1}}`, { "Acp-Connection-Id": "c-1" });
      return true;
    },
    observe: async (stand) => state((await stand.connect()).end),
  },
  {
    id: "REM-32",
    source: "SDK",
    what: "an answer of `initialize` without `Acp-Connection-Id`: the client",
    expected: "closed",
    script: ({ about, frame, reply }) => {
      if (about !== "initialize") return undefined;
      reply(200, `{"jsonrpc":"2.0","id":${frame.id},"result":{"protocolVersion":1}}`);
      return true;
    },
    observe: async (stand) => state((await stand.connect()).end),
  },
  ...[401, 403, 404, 410].map(
    (status): ClientRow => ({
      id: "REM-33",
      source: "SDK",
      what: `a POST that is answered ${status}: the client`,
      expected: "closed",
      script: refusing("POST session/list", status),
      async observe(stand) {
        const client = await stand.connect();
        client.send({ id: 1, method: "session/list", params: {} });
        await stand.soon(() => client.end !== undefined);
        return state(client.end);
      },
    }),
  ),
  {
    id: "REM-33",
    source: "SDK",
    what: "a request that is answered 500 with 10 kB: error, status, length of the body, the client",
    expected: "-32603, 500, 8192, open",
    script: refusing("POST session/list", 500, "x".repeat(10_000)),
    async observe(stand) {
      const client = await stand.connect();
      client.send({ id: 1, method: "session/list", params: {} });
      await stand.soon(() => client.frames.length === 2);
      const { code, data } = client.frames[1]?.error ?? {};
      return list(code, data?.status, data?.body?.length, state(client.end));
    },
  },
  {
    id: "REM-33",
    source: "SDK",
    what: "a prompt that is answered 409, the next one, and `session/load`: requests that leave, the client",
    expected: "1 prompt, 1 load, open",
    script: refusing("POST session/prompt s-1", 409),
    async observe(stand) {
      const client = await stand.prompting();
      await stand.soon(() => client.frames.some(({ id, error }) => id === 1 && error));
      client.send(prompt(2));
      await stand.soon(() => client.frames.some(({ id, error }) => id === 2 && error));
      client.send({ id: 3, method: "session/load", params: { sessionId: "s-1", cwd: "/", mcpServers: [] } });
      await stand.asked("POST session/load s-1");
      const [prompts, loads] = [stand.times("POST session/prompt s-1"), stand.times("POST session/load s-1")];
      return list(`${prompts} prompt`, `${loads} load`, state(client.end));
    },
  },
  {
    id: "REM-34",
    source: "SDK",
    what: "without resumption, the end of a session's stream during a prompt: the prompt, the next prompt, the client",
    expected: "fails, a new stream, open",
    async observe(stand) {
      const client = await stand.prompting();
      await stand.asked("GET stream s-1");
      stand.server.end("s-1");
      const hasFailed = await stand.soon(() => client.frames.some(({ id, error }) => id === 1 && error));
      client.send(prompt(2));
      const isOpened = await stand.asked("GET stream s-1", 2);
      return list(hasFailed ? "fails" : "waits", isOpened ? "a new stream" : "no stream", state(client.end));
    },
  },
  {
    id: "REM-34",
    source: "SDK",
    what: "without resumption, the end of the connection's stream: the client",
    expected: "closed",
    async observe(stand) {
      const client = await stand.connect();
      await stand.asked("GET stream");
      stand.server.end(undefined);
      await stand.soon(() => client.end !== undefined);
      return state(client.end);
    },
  },
  {
    id: "REM-36",
    source: "SDK",
    what: "events with LF, CRLF, CR, a mark of byte order, comments, unknown fields and data in two lines",
    expected: "LF, CRLF, CR, two lines",
    async observe(stand) {
      const client = await stand.prompting();
      await stand.asked("GET stream s-1");
      const data = (text: string) => `data: ${JSON.stringify(chunk(text))}`;
      stand.server.write("s-1", `\uFEFF: a comment\n\n${data("LF")}\n\n`);
      stand.server.write("s-1", `event: message\r\n${data("CRLF")}\r\nother: 1\r\n\r\n`);
      stand.server.write("s-1", `${data("CR")}\r\r`);
      const [head, tail] = data("two lines").split(`,"params"`);
      stand.server.write("s-1", `${head},\ndata: "params"${tail}\n\n`);
      await stand.soon(() => client.frames.length === 5);
      return list(...client.frames.slice(1).map(({ params }) => params?.update?.content?.text));
    },
  },
  {
    id: "REM-36",
    source: "SDK",
    what: "an event of more than 32 MiB: the client",
    expected: "closed",
    async observe(stand) {
      const client = await stand.prompting();
      await stand.asked("GET stream s-1");
      const part = "x".repeat(2 ** 20);
      stand.server.write("s-1", "data: ");
      for (let count = 0; count < 34; count += 1) stand.server.write("s-1", part);
      await stand.soon(() => client.end !== undefined);
      return state(client.end);
    },
  },
];
