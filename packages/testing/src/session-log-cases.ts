import { all, infoOf, refuses, same, say } from "./log-checks.js";
import type { LogCase, LoggedEvent, LoggedSession, LogTools, LogUnderTest } from "./log-under-test.js";

async function store(log: LogUnderTest, info: LoggedSession, ...events: readonly LoggedEvent[]): Promise<void> {
  const writer = await log.open(info.sessionId, info);
  try {
    for (const event of events) await writer.append(event);
    await writer.commit();
  } finally {
    await writer[Symbol.asyncDispose]();
  }
}

async function listed(log: LogUnderTest, query: { readonly cwd?: string } = {}): Promise<LoggedSession[]> {
  const sessions: LoggedSession[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await log.list({ ...query, ...(cursor !== undefined && { cursor }) });
    sessions.push(...page.sessions);
    if (page.nextCursor == null) return sessions;
    cursor = page.nextCursor;
  }
}

const idsOf = (sessions: readonly LoggedSession[]): string[] => sessions.map(({ sessionId }) => sessionId).sort();

/** Strings that a client may send as a session's id. */
const strangeIds = [
  ...["", ".", "..", "../up", "/etc", "a/b", "a\\b", "C:", "con", "Ab", "ab", "ab ", "nul\0"],
  ...["é", "e\u0301", "x".repeat(5000), "\ud800", "a.b", "a*b", "a>b", "$SYS"],
];

/**
 * Returns the test cases for implementations of `SessionLog` of `@turnkit/agent`. Each promise of the interface has one
 * case.
 *
 * @example
 * for (const { title, run } of sessionLogCases({ compact: compactEvents })) {
 *   test(title, async () => run({ log: await openLog(), other: await openLog() }));
 * }
 */
export function sessionLogCases({ compact }: LogTools): readonly LogCase[] {
  return [...writingCases(compact), ...sessionCases(), ...listingCases(), longTalk(compact)];
}

function writingCases(compact: LogTools["compact"]): readonly LogCase[] {
  return [
    {
      title: "tells the events in the order in which they were appended, also to others and after the writer",
      async run({ log, other }) {
        const events = Array.from({ length: 100 }, (_, n) => say(`${n} \u2028 "\n😀`));
        const writer = await log.open("s", infoOf("s"));
        for (const event of events) await writer.append(event);
        await writer.commit();
        same("read by another", await compact(other.read("s")), await compact(events));
        await writer[Symbol.asyncDispose]();
        const again = await other.open("s");
        await again.append(say("more"));
        await again.commit();
        same("read after more", await compact(log.read("s")), await compact([...events, say("more")]));
        await again[Symbol.asyncDispose]();
      },
    },
    {
      title: "has what waited written when its writer is disposed of, twice too, and takes nothing afterwards",
      async run({ log }) {
        const writer = await log.open("s", infoOf("s"));
        writer.append(say("last words"));
        await Promise.all([writer[Symbol.asyncDispose](), writer[Symbol.asyncDispose]()]);
        same("what waited", await all(log.read("s")), [say("last words")]);
        await refuses("closed", "an append after the end", () => writer.append(say("too late")));
        await refuses("closed", "a commit after the end", () => writer.commit());
      },
    },
    {
      title: "has one writer at a time",
      async run({ log, other }) {
        const writer = await log.open("s", infoOf("s"));
        for (const one of [log, other]) {
          await refuses("locked", "a second writer", () => one.open("s"));
          await refuses("locked", "a delete while somebody writes", () => one.delete("s"));
        }
        writer.append(say("still mine"));
        await writer.commit();
        await writer[Symbol.asyncDispose]();
        await (await other.open("s"))[Symbol.asyncDispose]();
        same("what the first one wrote", await all(log.read("s")), [say("still mine")]);
      },
    },
    {
      title: "lets exactly one of many simultaneous opens succeed",
      async run({ log, other }) {
        await store(log, infoOf("s"));
        const tries = await Promise.allSettled([log, other, log, other].map((one) => one.open("s")));
        const won = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
        same("how many have won", won.length, 1);
        for (const one of tries) {
          if (one.status === "rejected") await refuses("locked", "who came second", () => Promise.reject(one.reason));
        }
        for (const writer of won) await writer[Symbol.asyncDispose]();
      },
    },
  ];
}

function sessionCases(): readonly LogCase[] {
  return [
    {
      title: "knows no session that was not made, and makes none twice",
      async run({ log, other }) {
        for (const id of ["s", ...strangeIds]) {
          await refuses("not_found", "to open what is not there", () => log.open(id));
          await refuses("not_found", "to read what is not there", () => all(log.read(id)));
          await log.delete(id);
        }
        same("the list of nothing", await listed(log), []);
        await store(log, infoOf("s"), say("first"));
        await refuses("exists", "to make what is there", () => other.open("s", infoOf("s")));
        same("what was there", await all(log.read("s")), [say("first")]);
      },
    },
    {
      title: "keeps sessions of any id apart",
      async run({ log, other }) {
        for (const id of strangeIds) await store(log, infoOf(id), say(id, "m"));
        for (const id of strangeIds)
          same(`the session ${JSON.stringify(id).slice(0, 20)}`, await all(other.read(id)), [say(id, "m")]);
        same("the list", idsOf(await listed(other)), [...strangeIds].sort());
      },
    },
    {
      title: "forgets a session, once and for all",
      async run({ log, other }) {
        await store(log, infoOf("s"), say("secret"));
        await store(log, infoOf("t"));
        await other.delete("s");
        await other.delete("s");
        await refuses("not_found", "to read what was deleted", () => all(log.read("s")));
        same("what is left", idsOf(await listed(log)), ["t"]);
        await store(log, infoOf("s"));
        same("the new one of that id", await all(log.read("s")), []);
      },
    },
  ];
}

function listingCases(): readonly LogCase[] {
  return [
    {
      title: "lists a page at a time, each session once, those that are open included, of one folder if asked",
      async run({ log, other, pageSize = 2 }) {
        const ids = Array.from({ length: pageSize * 2 }, (_, n) => `s-${String(n).padStart(4, "0")}`);
        for (const id of ids) await store(log, infoOf(id, id === ids[1] ? "/else" : "/work"));
        const writer = await log.open("z-open", infoOf("z-open"));
        const first = await other.list({});
        same("the sessions of a page", first.sessions.length, pageSize);
        same("the same page again", await other.list({}), first);
        same("all pages", idsOf(await listed(other)), [...ids, "z-open"]);
        same("one folder", idsOf(await listed(log, { cwd: "/else" })), [ids[1]]);
        same("one folder with a slash at its end", idsOf(await listed(log, { cwd: "/else/" })), [ids[1]]);
        same("another folder", await log.list({ cwd: "/work/below" }), { sessions: [] });
        for (const cursor of ["", "nonsense", "../..", "9".repeat(400)]) {
          await refuses("cursor", `the cursor ${cursor.slice(0, 20)}`, () => log.list({ cursor }));
        }
        await writer[Symbol.asyncDispose]();
        const firstPage = idsOf(first.sessions);
        for (const id of firstPage) await other.delete(id);
        const { sessions } = await log.list({ cursor: first.nextCursor ?? null });
        const next = idsOf(sessions);
        same(
          "the page behind sessions that were deleted since",
          [next.length, firstPage.some((id) => next.includes(id))],
          [pageSize, false],
        );
      },
    },
    {
      title: "lists the newest title, time and folders",
      async run({ log, other }) {
        const updatedAt = "2026-01-02T03:04:05.000Z";
        const events = [
          { type: "session_info_update", title: "First" },
          { type: "session_info_update", title: "Second", updatedAt },
          { type: "session_opened", sessionId: "s", cwd: "/work", additionalDirectories: ["/a", "/b"] },
        ];
        await store(log, { ...infoOf("s"), additionalDirectories: ["/lib"] }, ...events);
        const session = { ...infoOf("s"), title: "Second", updatedAt, additionalDirectories: ["/a", "/b"] };
        same("the list", await listed(other), [session]);
      },
    },
  ];
}

function longTalk(compact: LogTools["compact"]): LogCase {
  return {
    title: "stays what it was, as a restore sees it, however long the talk gets",
    async run({ log, other }) {
      const writer = await log.open("s", infoOf("s"));
      const appended: LoggedEvent[] = [];
      for (let turn = 0; turn < 40; turn++) {
        const call = { type: "tool_call_update", toolCallId: `t${turn}`, title: "Look", status: "completed" };
        const said = [...Array.from({ length: 40 }, (_, piece) => say(`piece ${piece} `, `m${turn}`)), call];
        for (const event of said) await writer.append(event);
        appended.push(...said);
        await writer.commit();
      }
      same("read while it is open", await compact(other.read("s")), await compact(appended));
      await writer[Symbol.asyncDispose]();
      await (await other.open("s"))[Symbol.asyncDispose]();
      same("read later", await compact(log.read("s")), await compact(appended));
    },
  };
}
