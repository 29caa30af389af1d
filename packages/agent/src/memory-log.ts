import type { SessionEvent, SessionInfo } from "@turnkit/session";
import { checkOptions, type OptionTypes } from "@turnkit/transport";
import { folderOf } from "./absolute-path.js";
import { compactEvents } from "./compact-events.js";
import { keepSessions } from "./persistence.js";
import { type SessionLog, SessionLogError, type SessionLogWriter, sessionInfoAfter } from "./session-log.js";

/** Bounds of {@link createMemoryLog}. */
export type MemoryLogOptions = {
  /** Number of sessions on each page of a list. @defaultValue 100 */
  readonly pageSize?: number;
  /**
   * Number of events of a session at which a commit compacts them. The next compaction follows when the number has doubled.
   * @defaultValue 10_000
   */
  readonly compactAbove?: number;
  /**
   * Maximum number of sessions. At the maximum, a new session deletes the oldest session that is not open. @defaultValue
   * 1_000
   */
  readonly maxSessions?: number;
};

const NAMES: OptionTypes<MemoryLogOptions> = {
  ...{ pageSize: "count", compactAbove: "number", maxSessions: "number" },
};

type Stored = {
  info: SessionInfo;
  events: string[];
  open: boolean;
  /** Number of events after the last compaction. After a failed compaction, the number before it. */
  base: number;
  /** True during a compaction. A second compaction at the same time would replace the result of the first. */
  compacting: boolean;
  readonly number: number;
};

/**
 * Creates a session log in memory, with events as JSON. Sessions survive their connections, but not the process. Use it for
 * tests, and for servers whose clients reconnect.
 */
export function createMemoryLog(options: MemoryLogOptions = {}): SessionLog {
  checkOptions("createMemoryLog", options, NAMES);
  const { pageSize = 100, compactAbove = 10_000, maxSessions = 1_000 } = options;
  const sessions = new Map<string, Stored>();
  /** Number of the newest session. A cursor is such a number, so a cursor stays valid after its session is deleted. */
  let made = 0;

  const find = (sessionId: string): Stored => {
    const stored = sessions.get(sessionId);
    if (stored === undefined) throw new SessionLogError("not_found", `There is no session ${sessionId} in memory.`);
    return stored;
  };

  return {
    keep: keepSessions,
    async open(sessionId, info) {
      if (info !== undefined) {
        if (sessions.has(sessionId)) throw new SessionLogError("exists", `Session ${sessionId} already exists.`);
        made += 1;
        sessions.set(sessionId, { info, events: [], open: false, base: 0, compacting: false, number: made });
        forgetOldest(sessions, maxSessions, sessionId);
      }
      const stored = find(sessionId);
      if (stored.open) throw locked(sessionId);
      stored.open = true;
      return openWriter(sessionId, stored, compactAbove);
    },
    async *read(sessionId) {
      // The list is copied, because later events are not part of the read.
      const { events } = find(sessionId);
      for (const event of events.slice()) yield JSON.parse(event) as SessionEvent;
    },
    async list({ cwd, cursor }) {
      const before = cursor == null ? Number.POSITIVE_INFINITY : readCursor(cursor, made);
      const newestFirst = [...sessions.values()].reverse();
      const fitting = newestFirst.filter(
        ({ number, info }) => number < before && (cwd == null || folderOf(info.cwd) === folderOf(cwd)),
      );
      const page = fitting.slice(0, pageSize);
      const last = page.at(-1);
      return {
        sessions: page.map(({ info }) => info),
        ...(last !== undefined && fitting.length > page.length && { nextCursor: String(last.number) }),
      };
    },
    async delete(sessionId) {
      if (sessions.get(sessionId)?.open) throw locked(sessionId);
      sessions.delete(sessionId);
    },
  };
}

function readCursor(cursor: string, most: number): number {
  const number = /^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
  if (number > most)
    throw new SessionLogError("cursor", "The cursor is unknown. Begin the list again without a cursor.");
  return number;
}

const locked = (sessionId: string): SessionLogError =>
  new SessionLogError("locked", `Session ${sessionId} is open on another connection. Close the session there first.`);

function openWriter(sessionId: string, stored: Stored, compactAbove: number): SessionLogWriter {
  let disposed = false;
  let waiting: string[] = [];
  let report: ((message: string, error: unknown) => void) | undefined;
  const write = (): void => {
    for (const event of waiting) stored.events.push(event);
    waiting = [];
  };
  const mustBeOpen = (): void => {
    if (disposed) throw new SessionLogError("closed", `The log of session ${sessionId} was closed.`);
  };
  return {
    append(event) {
      mustBeOpen();
      waiting.push(JSON.stringify(event));
      stored.info = sessionInfoAfter(stored.info, event);
      return undefined;
    },
    async commit() {
      mustBeOpen();
      write();
      if (stored.compacting || stored.events.length <= Math.max(compactAbove, 2 * stored.base)) return;
      await compact(stored).catch((error: unknown) => report?.("The log of a session could not be compacted.", error));
    },
    onProblem(listener) {
      report = listener;
    },
    async [Symbol.asyncDispose]() {
      if (disposed) return;
      disposed = true;
      write();
      stored.open = false;
    },
  };
}

/** Replaces the events by fewer events. Events that are appended during the compaction follow. */
async function compact(stored: Stored): Promise<void> {
  const before = stored.events.slice();
  // After a failure, the next attempt waits until the number of events has doubled.
  stored.base = before.length;
  stored.compacting = true;
  try {
    const fewer = await compactEvents(parsed(before));
    const since = stored.events.slice(before.length);
    stored.events = [...fewer.map((event) => JSON.stringify(event)), ...since];
    stored.base = fewer.length;
  } finally {
    stored.compacting = false;
  }
}

/** Yields the events one by one. A long list is not parsed as a whole. */
function* parsed(events: readonly string[]): Generator<SessionEvent> {
  for (const event of events) yield JSON.parse(event) as SessionEvent;
}

function forgetOldest(sessions: Map<string, Stored>, most: number, but: string): void {
  for (const [id, { open }] of sessions) {
    if (sessions.size <= most) return;
    if (!open && id !== but) sessions.delete(id);
  }
}
