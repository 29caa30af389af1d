import {
  createSessionState,
  reduce,
  type SessionEvent,
  type SessionState,
  type StateLimits,
  type WireEvent,
} from "@turnkit/session";
import { joinTextBlocks, stateEvents } from "@turnkit/session/codec";
import { replayEvents } from "./replay.js";
import { SessionLogError } from "./session-log.js";

/** Bounds of {@link compactEvents}: those of the state that is made of the events, and of single events. */
export type CompactOptions = Partial<StateLimits> & {
  /** The most that one event may take as JSON in UTF-8, in bytes. @defaultValue no bound */
  readonly maxEventBytes?: number;
};

/**
 * Returns fewer events that lead to the same state: each thing once, finished or not. For a {@link SessionLog} that wants
 * to grow with the conversation instead of with every piece of it. Only neighbouring pieces of bare text are put
 * together. Above the limits of the state the oldest finished entries are left out, as every reader with those does.
 *
 * @throws SessionLogError `too_large` where a single value does not fit into an event: keep the events as they are
 *
 * @example
 * const fewer = await compactEvents(log.read(sessionId));
 */
export async function compactEvents(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  options: CompactOptions = {},
): Promise<readonly SessionEvent[]> {
  const { maxEventBytes, ...limits } = options;
  const state = await foldEvents(events, limits);
  const fewer = stateEvents(state, maxEventBytes === undefined ? {} : { maxEventBytes });
  if (fewer !== undefined) return fewer;
  const id = state.sessionId === undefined ? "" : ` of session ${state.sessionId}`;
  const bound = maxEventBytes === undefined ? "an event" : `an event of ${maxEventBytes} bytes`;
  const message = `The log${id} was not compacted: one value does not fit into ${bound}.`;
  throw new SessionLogError("too_large", message);
}

/** {@link replayEvents} with the pieces of a streamed text put together: a restore says them in one. */
export function wholeEvents(state: SessionState): readonly WireEvent[] {
  return replayEvents(state).map((event) => {
    const isMessage = event.type === "user_message" || event.type === "agent_message" || event.type === "agent_thought";
    return isMessage && event.content ? { ...event, content: joinTextBlocks(event.content) } : event;
  });
}

/**
 * The state that the events of a log lead to. What is stored is not cut: a long message stays whole, if the state can hold
 * it.
 */
export async function foldEvents(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  limits?: Partial<StateLimits>,
): Promise<SessionState> {
  let state = createSessionState({ entryBytes: Number.MAX_SAFE_INTEGER, ...limits });
  for await (const event of events) state = reduce(state, event);
  return state;
}
