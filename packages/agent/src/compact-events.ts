import {
  type ContentBlock,
  createSessionState,
  reduce,
  type SessionEvent,
  type SessionState,
  type StateLimits,
  type TextContent,
  type WireEvent,
} from "@turnkit/session";
import { replayEvents } from "./replay.js";

/** Pieces of text are put together up to this length, so that each fits into a message of the protocol. */
const MAX_JOINED_LENGTH = 64 * 1024;

/**
 * What of a session's events a restore needs: its lists, and each thing that was said once, in its final form. For a
 * {@link SessionLog} that wants to grow with the conversation instead of with every piece of it. Above `limits` the oldest
 * finished entries are left out.
 *
 * @example
 * const fewer = await compactEvents(log.read(sessionId));
 */
export async function compactEvents(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  limits?: Partial<StateLimits>,
): Promise<readonly SessionEvent[]> {
  const state = await foldEvents(events, limits);
  const { sessionId = "", cwd, additionalDirectories, configOptions, availableCommands, lastTurn } = state;
  return [
    {
      type: "session_opened",
      sessionId,
      ...(cwd !== undefined && { cwd }),
      additionalDirectories,
      ...(configOptions && { configOptions }),
      ...(availableCommands && { availableCommands }),
    },
    ...wholeEvents(state),
    ...(lastTurn === undefined ? [] : [{ type: "turn_ended", ...lastTurn } as const]),
  ];
}

/** {@link replayEvents} with the pieces of a streamed text put together: a restore says them in one. */
export function wholeEvents(state: SessionState): readonly WireEvent[] {
  return replayEvents(state).map((event) => {
    const isMessage = event.type === "user_message" || event.type === "agent_message" || event.type === "agent_thought";
    return isMessage && event.content ? { ...event, content: joined(event.content) } : event;
  });
}

/** Neighbours that are text and nothing else are one text. */
function joined(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const whole: ContentBlock[] = [];
  for (const block of blocks) {
    const last = whole.at(-1);
    if (isPlainText(last) && isPlainText(block) && last.text.length + block.text.length <= MAX_JOINED_LENGTH) {
      whole[whole.length - 1] = { type: "text", text: last.text + block.text };
    } else whole.push(block);
  }
  return whole;
}

const isPlainText = (block: ContentBlock | undefined): block is TextContent & { readonly type: "text" } =>
  block?.type === "text" && "text" in block && Object.keys(block).length === 2;

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
