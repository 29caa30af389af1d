import { type ClientRow, chunk, offering, prompt } from "./client-row.js";
import { list, within } from "./row.js";

const state = (end: unknown): string => (end === undefined ? "open" : "closed");

const isGetAgain = ({ verb, sessionId, headers }: Parameters<NonNullable<ClientRow["script"]>>[0]) =>
  verb === "GET" && sessionId === "s-1" && headers["last-event-id"] !== undefined;

/** Acts of a client after a cut. */
export const reconnectRows: readonly ClientRow[] = [
  {
    id: "REM-34",
    source: "ours",
    what: "with resumption, a cut of a session's stream during a prompt: header of the next GET, answer of the prompt",
    expected: "Last-Event-ID: 7, end_turn",
    script: offering,
    async observe(stand) {
      const client = await stand.prompting();
      await stand.asked("GET stream s-1");
      stand.server.write("s-1", `id: 7\ndata: ${JSON.stringify(chunk("one"))}\n\n`);
      await stand.soon(() => client.frames.length === 2);
      stand.last("GET stream s-1")?.destroy();
      if (!(await stand.asked("GET stream s-1", 2))) return "no GET";
      stand.server.write("s-1", `id: 8\ndata: {"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}\n\n`);
      await stand.soon(() => client.frames.length === 3);
      const cursor = stand.last("GET stream s-1")?.headers["last-event-id"];
      return list(`Last-Event-ID: ${cursor}`, client.frames[2]?.result?.stopReason);
    },
  },
  {
    id: "REM-35",
    source: "ours",
    what: "`session/cancel` right after a cut of every stream: its POST",
    expected: "sent",
    script: offering,
    async observe(stand) {
      const client = await stand.prompting();
      await stand.asked("GET stream s-1");
      stand.last("GET stream")?.destroy();
      stand.last("GET stream s-1")?.destroy();
      client.send({ method: "session/cancel", params: { sessionId: "s-1" } });
      return (await stand.asked("POST session/cancel s-1", 1)) ? "sent" : "lost";
    },
  },
  {
    id: "REM-42",
    source: "draft",
    what: "a resume that is answered 409 `cursor_expired`: the client, and whether its reason says what to do",
    expected: "closed, restore",
    script: (ask) => {
      if (!isGetAgain(ask)) return offering(ask);
      ask.reply(409, `{"reason":"cursor_expired"}`);
      return true;
    },
    async observe(stand) {
      const client = await stand.prompting();
      await stand.asked("GET stream s-1");
      stand.server.write("s-1", `id: 7\ndata: ${JSON.stringify(chunk("one"))}\n\n`);
      await stand.soon(() => client.frames.length === 2);
      stand.last("GET stream s-1")?.destroy();
      await stand.soon(() => client.end !== undefined);
      return list(state(client.end), /restore/.test(client.end?.message ?? "") ? "restore" : "no remedy");
    },
  },
  {
    id: "REM-43",
    source: "draft",
    what: "a stream that is cut each time it opens, until the client gives up: number of GETs, the client",
    expected: "11, closed",
    script: (ask) => {
      if (ask.verb !== "GET" || ask.sessionId !== undefined) return offering(ask);
      ask.destroy();
      return true;
    },
    async observe(stand) {
      const client = await stand.connect();
      await stand.soon(() => client.end !== undefined);
      return list(stand.times("GET stream"), state(client.end));
    },
  },
  {
    id: "REM-43",
    source: "draft",
    what: "requests after the client's own close, within 100 ms",
    expected: "DELETE end",
    script: offering,
    async observe(stand) {
      const client = await stand.connect();
      await stand.asked("GET stream");
      const before = stand.server.log.length;
      await client.close();
      await within(100, () => stand.server.log.length > before + 1);
      return list(...stand.server.log.slice(before));
    },
  },
  {
    id: "REM-45",
    source: "draft",
    what: "a stream without a byte beyond the time of silence: a new GET",
    expected: "opened again",
    settings: { silenceMs: 100 },
    script: offering,
    async observe(stand) {
      await stand.connect();
      return (await stand.asked("GET stream", 2)) ? "opened again" : "waits";
    },
  },
  {
    id: "REM-53",
    source: "ours",
    what: "with defaults, the first attempt after a cut",
    expected: "within 1 s",
    settings: { isHasty: false },
    script: offering,
    async observe(stand) {
      await stand.connect();
      await stand.asked("GET stream");
      stand.last("GET stream")?.destroy();
      return (await within(1_000, () => stand.times("GET stream") === 2)) ? "within 1 s" : "no attempt";
    },
  },
  {
    id: "REM-53",
    source: "ours",
    what: "a prompt, a request and `session/cancel` while the WebSocket is cut: frames on the next one",
    expected: "stream/resume, session/prompt, session/cancel, session/list",
    settings: { isHasty: false },
    async observe(stand) {
      const client = await stand.connect("ws");
      stand.sockets[0]?.socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 30));
      client.send(prompt(1));
      client.send({ id: 2, method: "session/list", params: {} });
      client.send({ method: "session/cancel", params: { sessionId: "s-1" } });
      await stand.soon(() => (stand.sockets[1]?.frames.length ?? 0) >= 4);
      return list(...(stand.sockets[1]?.frames ?? []).map(({ method }) => method));
    },
  },
];
