import type { Frame } from "@turnkit/testing";
import type { EventFeed } from "./event-feed.js";
import { wordOf } from "./event-feed.js";
import type { RawSocket } from "./raw-socket.js";
import { list, type Row, type Stand, within } from "./row.js";

const lastId = (cursor: string | undefined) => ({ "Last-Event-ID": cursor ?? "none" });

/** A resumable connection with a session `s` that has said 1, 2 and 3, and its messages. */
async function spoken({ raw }: Stand) {
  await raw.connect(true);
  const events = await raw.events("s");
  await raw.prompt("s", "say 3");
  const messages = [];
  for (let at = 0; at < 4; at += 1) {
    const message = await events.message();
    if (message !== undefined) messages.push(message);
  }
  return { events, messages };
}

/** Status and reason of a GET that continues after a cursor. */
async function refusalOf({ raw }: Stand, sessionId: string, cursor: string | undefined): Promise<string> {
  const reply = await raw.getAgain(sessionId, lastId(cursor));
  if (reply.status === 200) {
    reply.cut();
    return "200";
  }
  const body = await reply.text();
  return body.startsWith("{") ? `${reply.status} ${JSON.parse(body).reason}` : String(reply.status);
}

/** Cursor of a frame of a WebSocket. */
const cursorOf = (frame: Frame | undefined): string => frame?._meta?.["acp/cursor"] ?? "none";

/** A resumable WebSocket that has said 1, 2 and 3. */
async function spokenSocket({ raw }: Stand): Promise<RawSocket> {
  const socket = await raw.socket();
  await socket.connect(true);
  socket.prompt("s", "say 3");
  await socket.until(() => socket.frames.length === 5);
  raw.connectionId = String(socket.socket.headers["acp-connection-id"]);
  return socket;
}

/** Opens another WebSocket whose first frame continues after a cursor. */
async function resumeSocket({ raw }: Stand, cursor: string): Promise<RawSocket> {
  const socket = await raw.socket(raw.ids());
  const params = { connectionId: raw.connectionId, streams: [{ cursor }] };
  socket.send({ id: "resume", method: "stream/resume", params });
  return socket;
}

/** Reads a number of bytes of a stream, then cuts it. Returns the last cursor and the words that were whole. */
async function cutAt(events: EventFeed & { cut(): void }, bytes: number) {
  while (events.text.length < bytes && (await events.event()) !== undefined);
  events.cut();
  const whole = events.text.slice(0, bytes).split("\n\n").slice(0, -1).join("\n\n");
  const cursor = [...whole.matchAll(/^id: ?(.*)$/gm)].at(-1)?.[1];
  const frames = [...whole.matchAll(/^data: ?(\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
  return { cursor, words: frames.filter(({ jsonrpc }) => jsonrpc !== undefined).map(wordOf) };
}

/** Resumption after a cut. Nothing of it is in an accepted text. */
export const resumptionRows: readonly Row[] = [
  {
    id: "REM-38",
    source: "draft",
    what: "three updates and an answer: distinct cursors, equal in `id:` and `_meta`",
    expected: "4 distinct, equal",
    async observe(stand) {
      const { messages } = await spoken(stand);
      const ids = messages.map(({ id }) => id).filter((id) => id !== undefined);
      const isEqual = messages.every(({ id, frame }) => id !== undefined && cursorOf(frame) === id);
      return list(`${new Set(ids).size} distinct`, isEqual ? "equal" : "not equal");
    },
  },
  {
    id: "REM-39",
    source: "draft",
    what: "the offer in the result of `initialize`: to a client that asks, and to another one",
    expected: "retentionMessages retentionSeconds, none",
    async observe({ raw, other }) {
      const offerOf = ({ result }: Frame) =>
        Object.keys(result?.capabilities?.transport?.resumable ?? {}).join(" ") || "none";
      return list(offerOf(await raw.connect(true)), offerOf(await other.connect()));
    },
  },
  {
    id: "REM-40",
    source: "draft",
    what: "`Last-Event-ID` after the first of three updates: status, and what the client gets",
    expected: "200, 2, 3, answer",
    async observe(stand) {
      const { events, messages } = await spoken(stand);
      events.cut();
      const reply = await stand.raw.getAgain("s", lastId(messages[0]?.id));
      return list(reply.status, ...(await reply.feed.words(3)));
    },
  },
  {
    id: "REM-40",
    source: "draft",
    what: "`stream/resume` on a WebSocket after the first of three updates: what the client gets",
    expected: "resume, 2, 3, answer",
    async observe(stand) {
      const socket = await spokenSocket(stand);
      socket.socket.destroy();
      const again = await resumeSocket(stand, cursorOf(socket.frames[1]));
      await again.until(() => again.frames.length === 4);
      const [answer, ...frames] = again.frames;
      return answer?.result ? list(answer.id, ...frames.map(wordOf)) : `closes ${await again.end()}`;
    },
  },
  {
    id: "REM-41",
    source: "draft",
    what: "a replay: its cursors, and a new message after it",
    expected: "identical, live",
    async observe(stand) {
      const { events, messages } = await spoken(stand);
      events.cut();
      const { feed: again } = await stand.raw.getAgain("s", lastId(messages[0]?.id));
      const replayed = [await again.message(), await again.message(), await again.message()];
      const isSame = replayed.every((message, at) => message?.id !== undefined && message.id === messages[at + 1]?.id);
      await stand.peer.sides[0]?.say("s", "live");
      return list(isSame ? "identical" : "not replayed", ...(await again.words(1)));
    },
  },
  {
    id: "REM-41",
    source: "draft",
    what: "an unknown, an expired and a foreign cursor: status and reason",
    expected: "409 cursor_unknown, 409 cursor_expired, 409 cursor_foreign",
    settings: { retained: 1 },
    async observe(stand) {
      const { events, messages } = await spoken(stand);
      events.cut();
      const other = await (await stand.raw.events("t")).event();
      return list(
        await refusalOf(stand, "s", "unknown"),
        await refusalOf(stand, "s", messages[0]?.id),
        await refusalOf(stand, "s", other?.id),
      );
    },
  },
  {
    id: "REM-46",
    source: "draft",
    what: "a resume during a prompt of version 1: `acp/turnState`",
    expected: "running, prompt wait",
    async observe({ raw }) {
      await raw.connect(true);
      const events = await raw.events("s");
      const opening = await events.event();
      await raw.prompt("s", "wait");
      events.cut();
      const { feed: again } = await raw.getAgain("s", lastId(opening?.id));
      const advice = await again.event();
      const state = advice?.data ? JSON.parse(advice.data)._meta?.["acp/turnState"] : undefined;
      return state ? list(state.state, state.promptRequestId) : "nothing";
    },
  },
  {
    id: "REM-47",
    source: "draft",
    what: "the same resume twice, while the first reader is still open: what the second reader gets",
    expected: "2, 3, answer",
    async observe(stand) {
      const { events, messages } = await spoken(stand);
      events.cut();
      await stand.raw.getAgain("s", lastId(messages[0]?.id));
      const again = await stand.raw.get("s", lastId(messages[0]?.id));
      return again.status === 200 ? list(...(await again.feed.words(3))) : String(again.status);
    },
  },
  {
    id: "REM-49",
    source: "ours",
    what: "an event stream that is cut at ten offsets, each time continued: what a client has at the end",
    expected: "1, 2, 3, 4, 5, 6, answer",
    async observe({ raw }) {
      await raw.connect(true);
      const words: string[] = [];
      let cursor: string | undefined;
      await raw.prompt("s", "say 6");
      for (let offset = 40; offset < 440; offset += 40) {
        const reply = await raw.getAgain("s", cursor === undefined ? {} : lastId(cursor));
        const part = await cutAt(Object.assign(reply.feed, { cut: () => reply.cut() }), offset);
        words.push(...part.words);
        cursor = part.cursor ?? cursor;
        if (reply.feed.text.length < offset) break;
      }
      const last = await raw.getAgain("s", cursor === undefined ? {} : lastId(cursor));
      words.push(...(await last.feed.words(7 - words.length)));
      return list(...words);
    },
  },
  {
    id: "REM-49",
    source: "ours",
    what: "a POST of a prompt, sent twice with one `Acp-Message-Number`: status, prompts of the agent",
    expected: "202, 1",
    async observe({ raw, peer }) {
      await raw.connect(true);
      const events = await raw.events("s");
      await raw.prompt("s", "say 0", { "Acp-Message-Number": "1" });
      const again = await raw.prompt("s", "say 0", { "Acp-Message-Number": "1" });
      await events.words(1);
      await within(100, () => peer.sides[0]?.count("session/prompt") === 2);
      return list(again, peer.sides[0]?.count("session/prompt"));
    },
  },
  {
    id: "REM-50",
    source: "ours",
    what: "a cut before the first message, continued after the cursor of the opening: what the client gets",
    expected: "1, 2, 3, answer",
    async observe({ raw }) {
      await raw.connect(true);
      const events = await raw.events("s");
      const opening = await events.event();
      events.cut();
      await raw.prompt("s", "say 3");
      if (opening?.id === undefined) return "no cursor";
      return list(...(await (await raw.getAgain("s", lastId(opening.id))).feed.words(4)));
    },
  },
  {
    id: "REM-51",
    source: "ours",
    what: "a valid cursor while an open connection holds the stream, and a second reader without resumption: statuses and reason",
    expected: "200, 409 reader_busy",
    async observe(stand) {
      const { messages } = await spoken(stand);
      const takeover = await stand.raw.get("s", lastId(messages[0]?.id));
      await stand.other.connect();
      await stand.other.get();
      const busy = await stand.other.get();
      const body = await busy.text();
      const reason = body.startsWith("{") ? ` ${JSON.parse(body).reason}` : "";
      return list(takeover.status, `${busy.status}${reason}`);
    },
  },
  {
    id: "REM-52",
    source: "ours",
    what: "`stream/resume` with an unknown cursor: the answer, and the close code",
    expected: "stream/resume_failed cursor_unknown, 4404",
    async observe(stand) {
      const socket = await spokenSocket(stand);
      socket.socket.destroy();
      const again = await resumeSocket(stand, "unknown");
      const failed = await again.frame();
      return list(`${failed?.method ?? "no answer"} ${failed?.params?.reason ?? ""}`.trim(), await again.end());
    },
  },
];
