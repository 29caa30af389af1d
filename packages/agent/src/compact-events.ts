import { createSessionState, reduce, type SessionEvent, type SessionState, type StateLimits } from "@turnkit/session";
import { stateEvents } from "@turnkit/session/codec";
import { SessionLogError } from "./session-log.js";

/** What a log may hold to be compacted, and what of it is brought back, in bytes as a state counts them. */
const MAX_FOLDED_BYTES = 512 * 1024 * 1024;

/** Bounds of {@link compactEvents}: those of the state that is made of the events, none unless given, and of single events. */
export type CompactOptions = Partial<StateLimits> & {
  /** The most that one event may take as JSON in UTF-8, in bytes. @defaultValue no bound */
  readonly maxEventBytes?: number;
};

/**
 * Returns fewer events that lead to the same state: each thing once, finished or not. For a {@link SessionLog} that wants
 * to grow with the conversation instead of with every piece of it. Only neighbouring pieces of bare text are put
 * together. Nothing is left out, whatever the limits of who reads them, unless limits are given here.
 *
 * @throws SessionLogError `too_large` where a single value does not fit into an event, or where the events hold more than
 * 512 MiB: keep the events as they are
 *
 * @example
 * const fewer = await compactEvents(log.read(sessionId));
 */
export async function compactEvents(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  options: CompactOptions = {},
): Promise<readonly SessionEvent[]> {
  const { maxEventBytes, ...limits } = options;
  const most = limits.stateBytes ?? MAX_FOLDED_BYTES;
  let state = createSessionState({ ...UNBOUNDED, ...limits });
  for await (const event of events) {
    state = reduce(state, event);
    if (state.bytes > most) throw tooMuch(state, `they hold more than ${most} bytes`);
  }
  const fewer = stateEvents(state, maxEventBytes === undefined ? {} : { maxEventBytes });
  if (fewer !== undefined) return fewer;
  throw tooMuch(state, "a single value is larger than an event may be");
}

const tooMuch = (state: SessionState, why: string): SessionLogError =>
  new SessionLogError(
    "too_large",
    `The log${state.sessionId === undefined ? "" : ` of session ${state.sessionId}`} was not compacted: ${why}.`,
  );

/** A state that forgets nothing that may come back. */
const UNBOUNDED: StateLimits = {
  stateBytes: Number.MAX_SAFE_INTEGER,
  entryBytes: Number.MAX_SAFE_INTEGER,
  terminalBytes: Number.MAX_SAFE_INTEGER,
};

/**
 * Returns the state that the events of a log lead to, up to {@link MAX_FOLDED_BYTES} of it. The session that they are told
 * to again has bounds of its own; it would lose something else of a log that was compacted if they held here.
 */
export async function foldEvents(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  { stateBytes = 0, terminalBytes }: Partial<StateLimits> = {},
): Promise<SessionState> {
  const most = { ...UNBOUNDED, stateBytes: Math.max(stateBytes, MAX_FOLDED_BYTES) };
  let state = createSessionState({ ...most, terminalBytes });
  for await (const event of events) state = reduce(state, event);
  return state;
}
