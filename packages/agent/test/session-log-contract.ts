import assert from "node:assert/strict";
import type { SessionEvent, SessionInfo } from "@turnkit/session";
import {
  compactEvents,
  isSessionLogError,
  type SessionLog,
  SessionLogError,
  type SessionLogProblem,
} from "../src/index.js";

/** One implementation, on an empty storage of its own, with two sessions to a page. */
export type LogUnderTest = {
  readonly log: SessionLog;
  /** A second one on the same storage, as another process has it. */
  readonly other: SessionLog;
};

/** One thing that every session log does. */
export type LogCase = { readonly title: string; run(subject: LogUnderTest): Promise<void> };

const infoOf = (sessionId: string, cwd = "/work"): SessionInfo => ({ sessionId, cwd });
const say = (text: string, messageId = text): SessionEvent => ({
  type: "agent_message_chunk",
  messageId,
  content: { type: "text", text },
});

async function all(log: SessionLog, sessionId: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of log.read(sessionId)) events.push(event);
  return events;
}

async function store(log: SessionLog, info: SessionInfo, ...events: readonly SessionEvent[]): Promise<void> {
  await using writer = await log.open(info.sessionId, info);
  for (const event of events) await writer.append(event);
  await writer.commit();
}

const problem = (name: SessionLogProblem) => (error: unknown) =>
  error instanceof SessionLogError && isSessionLogError(error, name) && error.message.length > 10;

async function listed(log: SessionLog, query: { cwd?: string } = {}): Promise<SessionInfo[]> {
  const sessions: SessionInfo[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await log.list({ ...query, ...(cursor !== undefined && { cursor }) });
    sessions.push(...page.sessions);
    if (page.nextCursor == null) return sessions;
    cursor = page.nextCursor;
  }
}

/** Strings that a client may send as a session's id. */
const strangeIds = [
  "",
  ".",
  "..",
  "../up",
  "/etc",
  "a/b",
  "a\\b",
  "C:",
  "con",
  "Ab",
  "ab",
  "ab ",
  "nul\0",
  "é",
  "e\u0301",
  "x".repeat(5000),
  "\ud800",
];

/** What every {@link SessionLog} does; run each against a storage of its own. */
export const sessionLogContract: readonly LogCase[] = [
  {
    title: "tells the events in the order in which they were appended, also to others and after the writer",
    async run({ log, other }) {
      const events = Array.from({ length: 100 }, (_, n) => say(`${n} \u2028 "\n😀`));
      const writer = await log.open("s", infoOf("s"));
      for (const event of events) await writer.append(event);
      await writer.commit();
      assert.deepEqual(await compactEvents(other.read("s")), await compactEvents(events));
      await writer[Symbol.asyncDispose]();
      await using again = await other.open("s");
      again.append(say("more"));
      await again.commit();
      assert.deepEqual(await compactEvents(log.read("s")), await compactEvents([...events, say("more")]));
    },
  },
  {
    title: "has what waited written when its writer is disposed of, twice too, and takes nothing afterwards",
    async run({ log }) {
      const writer = await log.open("s", infoOf("s"));
      writer.append(say("last words"));
      await Promise.all([writer[Symbol.asyncDispose](), writer[Symbol.asyncDispose]()]);
      assert.deepEqual(await all(log, "s"), [say("last words")]);
      assert.throws(() => writer.append(say("too late")), problem("closed"));
      await assert.rejects(writer.commit(), problem("closed"));
    },
  },
  {
    title: "has one writer at a time",
    async run({ log, other }) {
      const writer = await log.open("s", infoOf("s"));
      for (const one of [log, other]) {
        await assert.rejects(one.open("s"), problem("locked"));
        await assert.rejects(one.delete("s"), problem("locked"));
      }
      writer.append(say("still mine"));
      await writer.commit();
      await writer[Symbol.asyncDispose]();
      await (await other.open("s"))[Symbol.asyncDispose]();
      assert.deepEqual(await all(log, "s"), [say("still mine")]);
    },
  },
  {
    title: "lets one of many win that open at once",
    async run({ log, other }) {
      await store(log, infoOf("s"));
      const tries = await Promise.allSettled([log, other, log, other].map((one) => one.open("s")));
      const won = tries.filter((one) => one.status === "fulfilled");
      assert.equal(won.length, 1);
      for (const one of tries) if (one.status === "rejected") assert.ok(problem("locked")(one.reason));
      for (const { value } of won) await value[Symbol.asyncDispose]();
    },
  },
  {
    title: "knows no session that was not made, and makes none twice",
    async run({ log, other }) {
      for (const id of ["s", ...strangeIds]) {
        await assert.rejects(log.open(id), problem("not_found"));
        await assert.rejects(all(log, id), problem("not_found"));
        await log.delete(id);
      }
      assert.deepEqual(await listed(log), []);
      await store(log, infoOf("s"), say("first"));
      await assert.rejects(other.open("s", infoOf("s")), problem("exists"));
      assert.deepEqual(await all(log, "s"), [say("first")]);
    },
  },
  {
    title: "keeps sessions of any id apart",
    async run({ log, other }) {
      for (const id of strangeIds) await store(log, infoOf(id), say(id, "m"));
      for (const id of strangeIds) assert.deepEqual(await all(other, id), [say(id, "m")]);
      const ids = (await listed(other)).map(({ sessionId }) => sessionId);
      assert.deepEqual(ids.sort(), [...strangeIds].sort());
    },
  },
  {
    title: "forgets a session, once and for all",
    async run({ log, other }) {
      await store(log, infoOf("s"), say("secret"));
      await store(log, infoOf("t"));
      await other.delete("s");
      await other.delete("s");
      await assert.rejects(all(log, "s"), problem("not_found"));
      assert.deepEqual(
        (await listed(log)).map(({ sessionId }) => sessionId),
        ["t"],
      );
      await store(log, infoOf("s"));
      assert.deepEqual(await all(log, "s"), []);
    },
  },
  {
    title: "lists a page at a time, each session once, those that are open included, of one folder if asked",
    async run({ log, other }) {
      for (const id of ["a", "b", "c", "d"]) await store(log, infoOf(id, id === "b" ? "/else" : "/work"));
      await using _writer = await log.open("e", infoOf("e"));
      const first = await other.list({});
      assert.equal(first.sessions.length, 2);
      assert.deepEqual(await other.list({}), first);
      const ids = (await listed(other)).map(({ sessionId }) => sessionId);
      assert.deepEqual(ids.sort(), ["a", "b", "c", "d", "e"]);
      assert.deepEqual(
        (await listed(log, { cwd: "/else" })).map(({ sessionId }) => sessionId),
        ["b"],
      );
      assert.deepEqual(await log.list({ cwd: "/work/below" }), { sessions: [] });
      for (const cursor of ["", "nonsense", "../..", "9".repeat(400)]) {
        await assert.rejects(log.list({ cursor }), problem("cursor"));
      }
    },
  },
  {
    title: "lists the newest title, time and folders",
    async run({ log, other }) {
      const updatedAt = "2026-01-02T03:04:05.000Z";
      await store(
        log,
        { ...infoOf("s"), additionalDirectories: ["/lib"] },
        { type: "session_info_update", title: "First" },
        { type: "session_info_update", title: "Second", updatedAt },
        { type: "session_opened", sessionId: "s", cwd: "/work", additionalDirectories: ["/a", "/b"] },
      );
      const session = { ...infoOf("s"), title: "Second", updatedAt, additionalDirectories: ["/a", "/b"] };
      assert.deepEqual(await listed(other), [session]);
    },
  },
  {
    title: "stays what it was, as a restore sees it, however long the talk gets",
    async run({ log, other }) {
      const writer = await log.open("s", infoOf("s"));
      const told: SessionEvent[] = [];
      for (let turn = 0; turn < 40; turn++) {
        for (let piece = 0; piece < 40; piece++) told.push(say(`piece ${piece} `, `m${turn}`));
        told.push({ type: "tool_call_update", toolCallId: `t${turn}`, title: "Look", status: "completed" });
        for (const event of told.slice(turn * 41)) await writer.append(event);
        await writer.commit();
      }
      assert.deepEqual(await compactEvents(other.read("s")), await compactEvents(told));
      await writer[Symbol.asyncDispose]();
      await (await other.open("s"))[Symbol.asyncDispose]();
      assert.deepEqual(await compactEvents(log.read("s")), await compactEvents(told));
    },
  },
];
