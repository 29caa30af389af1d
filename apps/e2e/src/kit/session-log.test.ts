import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compactEvents, createMemoryLog, type SessionLog } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { isExpectationError, type LogSubject, sessionLogCases } from "@turnkit/testing";
import { describe, expect, onTestFinished, test } from "vitest";

const cases = sessionLogCases({ compact: compactEvents });

async function onDisk(options: object): Promise<LogSubject> {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const open = () => createFileLog(join(folder, "sessions"), { pageSize: 2, ...options });
  return { log: open(), other: open() };
}

async function inMemory(options: object): Promise<LogSubject> {
  const log = createMemoryLog({ pageSize: 2, ...options });
  return { log, other: log };
}

describe.each([
  ["in memory", inMemory, {}],
  ["in memory, compacted early", inMemory, { compactAbove: 10 }],
  ["on disk", onDisk, {}],
  ["on disk, compacted early", onDisk, { compactBytes: 40_000 }],
] as const)("a session log %s", (_, make, options) => {
  test.each(cases)("$title", async ({ run }) => run(await make(options)));
});

/** Logs with one fault each, and the case that finds it. */
const faults: readonly [string, (log: SessionLog) => Partial<SessionLog>][] = [
  ["tells the events in the order", (log) => ({ read: (id) => backwards(log.read(id)) })],
  [
    "knows no session that was not made",
    (log) => ({ open: (id, info) => log.open(id, info ?? { sessionId: id, cwd: "/" }) }),
  ],
  ["keeps sessions of any id apart", (log) => ({ read: (id) => log.read(id === "ab" ? "Ab" : id) })],
  ["forgets a session", () => ({ delete: async () => undefined })],
  ["lists a page at a time", (log) => ({ list: ({ cwd: _, ...query }) => log.list(query) })],
  ["lists the newest title", (log) => ({ list: async (query) => withoutTitles(await log.list(query)) })],
];

async function* backwards<T>(events: AsyncIterable<T>): AsyncIterable<T> {
  const all: T[] = [];
  for await (const event of events) all.unshift(event);
  yield* all;
}

function withoutTitles(page: Awaited<ReturnType<SessionLog["list"]>>) {
  return { ...page, sessions: page.sessions.map(({ title: _, ...session }) => session) };
}

test.each(faults)("a log that breaks a promise fails its case: %s", async (title, fault) => {
  const sound = createMemoryLog({ pageSize: 2 });
  const log: SessionLog = {
    keep: sound.keep,
    open: (id, info) => sound.open(id, info),
    read: (id) => sound.read(id),
    list: (query) => sound.list(query),
    delete: (id) => sound.delete(id),
    ...fault(sound),
  };
  const found = cases.find((one) => one.title.startsWith(title));
  const error = await found?.run({ log, other: log }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(isExpectationError(error, "mismatch")).toBe(true);
});
