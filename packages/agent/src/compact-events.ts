import {
  createSessionState,
  reduceAll,
  type SessionEvent,
  type SessionState,
  type StateLimits,
} from "@turnkit/session";
import { bytesOf, jsonBytes, stateEvents } from "@turnkit/session/codec";
import { AROUND_CHILD_BYTES } from "./journal.js";
import { type KeyedMessage, remember } from "./prompt-keys.js";
import { type DataEvent, dataAfter } from "./session-data.js";
import { SessionLogError } from "./session-log.js";

/** Maximum size of a state that is compacted or restored, in bytes. `state.bytes` is the size of a state. */
const MAX_FOLDED_BYTES = 512 * 1024 * 1024;

/** Bounds of {@link compactEvents}, for the state of the events and for each event. By default, the state has no bound. */
export type CompactOptions = Partial<StateLimits> & {
  /** Largest event as JSON in UTF-8, in bytes. @defaultValue no bound */
  readonly maxEventBytes?: number;
};

/**
 * Returns fewer events that lead to the same state. Each entry becomes one event, such as a message or a tool call,
 * even if the entry is unfinished. Neighbouring pieces of plain text are joined. The size of a {@link SessionLog} then
 * depends on the conversation and not on the number of pieces. Nothing is left out, except by bounds in `limits`.
 *
 * @throws SessionLogError `too_large` if a single value does not fit into an event, or the events hold more than 512 MiB.
 *   Keep the events unchanged in this case
 *
 * @example
 * const fewer = await compactEvents(log.read(sessionId));
 */
export async function compactEvents(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  options: CompactOptions = {},
): Promise<readonly SessionEvent[]> {
  const { maxEventBytes, ...limits } = options;
  // With `limits.stateBytes`, the state drops content and stays within that bound.
  const most = limits.stateBytes ?? MAX_FOLDED_BYTES;
  const log = await foldInSlices(events, createSessionState({ ...UNBOUNDED, ...limits }), (folded, bytes) => {
    if (bytes > most) throw tooMuch(folded, `its events hold more than ${most} bytes`);
  });
  const { state, data, keys, children } = log;
  const whole = stateEvents(state, maxEventBytes === undefined ? {} : { maxEventBytes });
  const fewer = whole && withKeys(whole, keys, maxEventBytes);
  const isDataFitting = data === undefined || maxEventBytes === undefined || jsonBytes(data) <= maxEventBytes;
  if (fewer !== undefined && isDataFitting) {
    const ofChildren = [...children].map(([id, child]) => childEvents(id, child, maxEventBytes));
    if (ofChildren.every((its) => its !== undefined)) {
      return [...fewer, ...ofChildren.flat(), ...(data === undefined ? [] : [data])];
    }
  }
  throw tooMuch(state, "a single value is larger than an event may be");
}

function childEvents(
  sessionId: string,
  state: SessionState,
  maxEventBytes = Number.POSITIVE_INFINITY,
): readonly SessionEvent[] | undefined {
  const events = stateEvents(state, { maxEventBytes: maxEventBytes - AROUND_CHILD_BYTES });
  return events?.map((event) => ({ type: "child_session_event", sessionId, event }));
}

/**
 * Adds the keys of prompts to the events of their messages. A key that makes an event too large follows in an event of its
 * own.
 */
// P-IDEM-11
function withKeys(
  events: readonly SessionEvent[],
  keys: FoldedLog["keys"],
  maxEventBytes = Number.POSITIVE_INFINITY,
): readonly SessionEvent[] {
  if (keys.size === 0) return events;
  const byMessage = new Map([...keys].map(([key, { messageId, hash }]) => [messageId, { key, hash }]));
  return events.flatMap((event) => {
    const promptKey = event.type === "user_message" ? byMessage.get(event.messageId) : undefined;
    if (promptKey === undefined || event.type !== "user_message") return [event];
    byMessage.delete(event.messageId);
    const keyed = { ...event, promptKey };
    if (maxEventBytes === Number.POSITIVE_INFINITY || jsonBytes(keyed) <= maxEventBytes) return [keyed];
    return [event, { type: event.type, messageId: event.messageId, promptKey }];
  });
}

const tooMuch = (state: SessionState, why: string): SessionLogError =>
  new SessionLogError(
    "too_large",
    `The log${state.sessionId === undefined ? "" : ` of session ${state.sessionId}`} was not compacted: ${why}.`,
  );

/** Maximum number of events, and of their bytes, in one step of about a millisecond. The event loop runs between steps. */
const SLICE = 1_000;
const SLICE_BYTES = 1024 * 1024;

// The function is stored at import, so that a fake clock of a test cannot stop this timer.
const later = globalThis.setTimeout;

/** State after all events of a log, the newest data of the session, and its keys of prompts. */
export type FoldedLog = {
  readonly state: SessionState;
  readonly data: DataEvent | undefined;
  readonly keys: ReadonlyMap<string, KeyedMessage>;
  /** States of the child sessions, by id. */
  readonly children: ReadonlyMap<string, SessionState>;
};

/** Returns the state after all events, and the data. Between two steps, the process handles its timers and messages. */
async function foldInSlices(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  begin: SessionState,
  check: (state: SessionState, bytes: number) => void = () => undefined,
): Promise<FoldedLog> {
  let state = begin;
  let data: DataEvent | undefined;
  const keys = new Map<string, KeyedMessage>();
  const children = new Map<string, SessionState>();
  let childBytes = 0;
  let slice: SessionEvent[] = [];
  let bytes = 0;
  const fold = (): void => {
    state = reduceAll(state, slice);
    for (const [id, its] of eventsOfChildren(slice)) {
      const before = children.get(id);
      const after = reduceAll(before ?? begin, its);
      children.set(id, after);
      childBytes += after.bytes - (before?.bytes ?? 0);
    }
    slice = [];
    bytes = 0;
    check(state, state.bytes + childBytes);
  };
  for await (const event of events) {
    if (event.type === "session_data") {
      data = dataAfter(data, event);
      continue;
    }
    if (event.promptKey !== undefined) noteKey(keys, event);
    slice.push(event);
    bytes += bytesOf(event);
    if (slice.length < SLICE && bytes < SLICE_BYTES) continue;
    fold();
    await new Promise((resolve) => later(resolve, 0));
  }
  fold();
  return { state, data, keys, children };
}

/** Returns the events of each child session, in their order. */
function eventsOfChildren(events: readonly SessionEvent[]): ReadonlyMap<string, readonly SessionEvent[]> {
  const byChild = new Map<string, SessionEvent[]>();
  for (const event of events) {
    if (event.type !== "child_session_event") continue;
    const its = byChild.get(event.sessionId);
    if (its === undefined) byChild.set(event.sessionId, [event.event]);
    else its.push(event.event);
  }
  return byChild;
}

function noteKey(keys: Map<string, KeyedMessage>, event: SessionEvent): void {
  const { key, hash } = (event.promptKey ?? {}) as { readonly key?: unknown; readonly hash?: unknown };
  if (event.type !== "user_message" || typeof key !== "string" || typeof hash !== "string") return;
  remember(keys, key, { messageId: event.messageId, hash, isSent: false });
}

/** Limits of a state that drops no content. */
const UNBOUNDED: StateLimits = {
  stateBytes: Number.MAX_SAFE_INTEGER,
  entryBytes: Number.MAX_SAFE_INTEGER,
  terminalBytes: Number.MAX_SAFE_INTEGER,
};

/**
 * Returns the state after all events of a log, and the data. Only two bounds of the session apply here, so that a compacted
 * log restores to the same state:
 *
 * - the bound of each terminal;
 * - the bound of the whole state, or {@link MAX_FOLDED_BYTES} if that is larger.
 */
export async function foldEvents(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  { stateBytes = 0, terminalBytes }: Partial<StateLimits> = {},
): Promise<FoldedLog> {
  const most = { ...UNBOUNDED, stateBytes: Math.max(stateBytes, MAX_FOLDED_BYTES) };
  return foldInSlices(events, createSessionState({ ...most, terminalBytes }));
}
