import type { EventFeed } from "./event-feed.js";
import { list, type Row, within } from "./row.js";

const call = (id: string, method: string, params: object = {}) => ({ id, method, params });

/** Ids of the answers that arrive, until nothing comes any more. */
async function answersOf(events: EventFeed, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const message = await events.message();
    if (message === undefined) break;
    if (message.frame.method === undefined) ids.push(message.frame.id);
  }
  return ids;
}

/** Event streams and WebSockets: routes, buffers, signs of life, ends. */
export const streamRows: readonly Row[] = [
  {
    id: "REM-11",
    source: "RFD",
    what: "GET of the connection, and of a session",
    expected: "200, 200, text/event-stream",
    async observe({ raw }) {
      await raw.connect();
      const stream = await raw.get();
      return list(stream.status, (await raw.get("s")).status, stream.headers["content-type"]);
    },
  },
  {
    id: "REM-11",
    source: "SDK",
    what: "GET of a session that nobody has opened (the RFD asks for 404; its description of a resume needs 200)",
    expected: "200",
    async observe({ raw }) {
      await raw.connect();
      return list((await raw.get("unknown")).status);
    },
  },
  {
    id: "REM-12",
    source: "SDK",
    what: "a second GET of the same stream",
    expected: "200, 409, 200, 409",
    async observe({ raw }) {
      await raw.connect();
      const replies = [await raw.get(), await raw.get(), await raw.get("s"), await raw.get("s")];
      return list(...replies.map(({ status }) => status));
    },
  },
  {
    id: "REM-13",
    source: "RFD",
    what: "answers of `session/new` and `session/load` on the connection's stream; update and answer of a prompt on the session's",
    expected: "new load; 1 answer",
    async observe({ raw }) {
      await raw.connect();
      const [connection, session] = [await raw.events(), await raw.events("s")];
      await raw.call(call("new", "session/new", { cwd: "/" }));
      await raw.call(call("load", "session/load", { sessionId: "s", cwd: "/" }), "s");
      const opened = await answersOf(connection, 2);
      await raw.prompt("s", "say 1");
      return `${opened.join(" ")}; ${(await session.words(2)).join(" ")}`;
    },
  },
  {
    id: "REM-13",
    source: "SDK",
    what: "answers of `session/resume` and `session/fork` on the session's stream",
    expected: "resume, fork",
    async observe({ raw }) {
      await raw.connect();
      const session = await raw.events("s");
      await raw.call(call("resume", "session/resume", { sessionId: "s", cwd: "/" }), "s");
      const first = await answersOf(session, 1);
      await raw.call(call("fork", "session/fork", { sessionId: "s", cwd: "/" }), "s");
      return list(...first, ...(await answersOf(session, 1)));
    },
  },
  {
    id: "REM-14",
    source: "SDK",
    what: "a stream that is closed during a prompt, and opened again",
    expected: "1, 2, 3, answer",
    async observe({ raw }) {
      await raw.connect();
      const first = await raw.events("s");
      first.cut();
      await first.ended;
      await raw.prompt("s", "say 3");
      const again = await raw.getAgain("s");
      return list(...(await again.feed.words(4)));
    },
  },
  {
    id: "REM-14",
    source: "SDK",
    what: "`Last-Event-ID` of a client that did not ask for resumption: status, lines `id:`",
    expected: "200, none",
    async observe({ raw }) {
      await raw.connect();
      const reply = await raw.get("s", { "Last-Event-ID": "7" });
      await raw.prompt("s", "say 1");
      await reply.feed.words(2);
      return list(reply.status, reply.feed.text.includes("id:") && /^id:/m.test(reply.feed.text) ? "some" : "none");
    },
  },
  {
    id: "REM-15",
    source: "SDK",
    what: "an event stream without a message: comments",
    expected: "comments",
    settings: { keepAliveMs: 40 },
    async observe({ raw, soon }) {
      await raw.connect();
      const events = await raw.events();
      const hasComments = await soon(() => (events.text.match(/^:/gm) ?? []).length >= 3);
      return hasComments ? "comments" : "silence";
    },
  },
  {
    id: "REM-15",
    source: "ours",
    what: "a WebSocket without a message: pings",
    expected: "pings",
    settings: { keepAliveMs: 40 },
    async observe({ raw }) {
      const socket = await raw.socket();
      await socket.connect();
      return (await socket.until(() => socket.pings >= 2)) ? "pings" : "no ping";
    },
  },
  {
    id: "REM-18",
    source: "RFD",
    what: "an upgrade: header `Acp-Connection-Id`, and a conversation in text frames",
    expected: "an id, initialized, 1, 2, answer",
    async observe({ raw }) {
      const socket = await raw.socket();
      const id = socket.socket.headers["acp-connection-id"] === undefined ? "no id" : "an id";
      const { result } = await socket.connect();
      socket.prompt("s", "say 2");
      await socket.until(() => socket.frames.length === 4);
      const words = socket.frames.slice(1).map((frame) => frame.params?.update?.content?.text ?? "answer");
      return list(id, result ? "initialized" : "no answer", ...words);
    },
  },
  {
    id: "REM-18",
    source: "RFD",
    what: "a binary frame before `initialize` and after it",
    expected: "ignored",
    async observe({ raw }) {
      const socket = await raw.socket();
      socket.socket.sendBinary(Uint8Array.of(1, 2, 3));
      await socket.connect();
      socket.socket.sendBinary(Uint8Array.of(1, 2, 3));
      socket.prompt("s", "say 0");
      const answer = await socket.frame();
      return answer?.result?.stopReason === "end_turn" && socket.code === undefined ? "ignored" : `ends ${socket.code}`;
    },
  },
  {
    id: "REM-18",
    source: "SDK",
    what: "a first message that is not `initialize`: close code",
    expected: "1002",
    async observe({ raw }) {
      const socket = await raw.socket();
      socket.send(call("1", "session/new", { cwd: "/" }));
      return list(await socket.end());
    },
  },
  {
    id: "REM-23",
    source: "SDK",
    what: "400 updates of 1 kB without a reader, at a bound of 64 kB: the agent, and then a reader",
    expected: "waits, 401 arrive",
    settings: { unread: 65_536 },
    async observe({ raw, peer }) {
      await raw.connect();
      await raw.prompt("s", "say 400 1000");
      const hasEnded = await within(150, () => peer.sides[0]?.said === 400);
      const events = await raw.events("s");
      return list(hasEnded ? "does not wait" : "waits", `${(await events.words(401)).length} arrive`);
    },
  },
  {
    id: "REM-23",
    source: "ours",
    what: "a session without a reader stalls for too long: GET of this session, and GET of another session",
    expected: "409, 200",
    settings: { unread: 65_536, stalledMs: 60 },
    async observe({ raw, peer, soon }) {
      await raw.connect();
      const connection = await raw.get();
      await raw.prompt("s", "say 400 1000");
      await soon(() => peer.sides[0]?.isClosed === true || peer.sides[0]?.said === 400);
      const statuses = list((await raw.get("s")).status, (await raw.get("t")).status);
      connection.cut();
      return statuses;
    },
  },
  {
    id: "REM-24",
    source: "ours",
    what: "a connection without a stream after its grace: POST, state of the agent's connection",
    expected: "404, closed",
    settings: { graceMs: 60 },
    async observe({ raw, peer, soon }) {
      await raw.connect();
      const events = await raw.events();
      events.cut();
      const isClosed = await soon(() => peer.sides[0]?.isClosed === true);
      const status = await raw.call(call("1", "session/new", { cwd: "/" }));
      return list(status, isClosed ? "closed" : "open");
    },
  },
  {
    id: "REM-44",
    source: "draft",
    what: "a stream that is cut during a prompt: what the agent gets",
    expected: "no cancel, open",
    async observe({ raw, peer }) {
      await raw.connect();
      const events = await raw.events("s");
      await raw.prompt("s", "wait");
      events.cut();
      await within(150, () => peer.sides[0]?.isClosed === true || peer.sides[0]?.count("session/cancel") !== 0);
      const hasCancel = peer.sides[0]?.count("session/cancel") !== 0;
      return list(hasCancel ? "a cancel" : "no cancel", peer.sides[0]?.isClosed ? "closed" : "open");
    },
  },
  {
    id: "REM-44",
    source: "draft",
    what: "a resumable WebSocket that is cut during a prompt: state of the agent's connection",
    expected: "open",
    async observe({ raw, peer, soon }) {
      const socket = await raw.socket();
      await socket.connect(true);
      socket.prompt("s", "wait");
      await soon(() => peer.sides[0]?.count("session/prompt") === 1);
      socket.socket.destroy();
      return (await within(300, () => peer.sides[0]?.isClosed === true)) ? "closed" : "open";
    },
  },
  {
    id: "REM-45",
    source: "draft",
    what: "a WebSocket that answers no ping",
    expected: "cut",
    settings: { keepAliveMs: 40 },
    async observe({ raw }) {
      const socket = await raw.socket();
      await socket.connect();
      return (await socket.end()) === "open" ? "open" : "cut";
    },
  },
  {
    id: "REM-54",
    source: "ours",
    what: "the close of the server: an event stream, close code of a WebSocket",
    expected: "ends in good order, 1001",
    async observe({ raw, peer, soon }) {
      await raw.connect();
      const events = await raw.events();
      const socket = await raw.socket();
      await socket.connect();
      await peer.shutDown();
      await soon(() => events.isOver);
      const end = events.isWhole ? "ends in good order" : events.isOver ? "is cut" : "stays open";
      return list(end, await socket.end());
    },
  },
];
