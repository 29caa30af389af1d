import type { ContentBlock, MessageRole, SessionEvent, SessionState } from "@turnkit/session";
import type { LiveSession } from "./live-session.js";

/** Update that waits during a restore. */
export type Kept = { readonly event: SessionEvent; readonly bytes: number };

/** Bounds of the updates that wait for one restore. Those that wait for the replay's start are delivered beyond them. */
export const MAX_KEPT = 1_000;
export const MAX_KEPT_BYTES = 4 * 1024 * 1024;

/** Updates without a place in the timeline: a replay that repeats them replaces their values. */
const placeless: ReadonlySet<SessionEvent["type"]> = new Set([
  "state_update",
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
  "usage_update",
  "plan_update",
  "plan_removed",
  "terminal_update",
  "terminal_output_chunk",
]);

/**
 * Start of a replay among the updates of a session that is open. Updates that were on their way when the restore was
 * asked for arrive before the replay, which repeats them: the restored session gets them from the replay alone.
 *
 * Entries of the timeline are kept until an update repeats the start of the conversation while no work goes on. They are
 * delivered if the restore ends without such an update, and above the bounds.
 */
export class ReplayStart {
  readonly #session: LiveSession;
  readonly #open: LiveSession;
  #kept: Kept[] = [];
  #bytes = 0;
  /** True once kept entries were delivered because there were too many. */
  #isFull = false;
  #isFound = false;

  /** @param open session whose conversation is replayed; it may end meanwhile */
  constructor(session: LiveSession, open: LiveSession) {
    this.#session = session;
    this.#open = open;
  }

  /** Takes the updates of one message. `isAtWork` is true if the open session worked before them. */
  receive(events: readonly SessionEvent[], bytes: number, isAtWork: boolean): void {
    if (this.#isFound) return this.#session.receive(events, bytes);
    let size = bytes;
    for (const event of events) {
      this.#take(event, size, isAtWork);
      size = 0;
    }
  }

  /** Delivers what is kept: the restore has succeeded. */
  finish(): void {
    for (const { event, bytes } of this.#kept) this.#session.receive([event], bytes);
    this.#kept = [];
    this.#bytes = 0;
  }

  #take(event: SessionEvent, bytes: number, isAtWork: boolean): void {
    if (!this.#isFound && !isAtWork && repeatsStart(this.#open.state, event)) this.#begin();
    if (this.#isFound || this.#isFull || placeless.has(event.type)) return this.#session.receive([event], bytes);
    this.#kept.push({ event, bytes });
    this.#bytes += bytes;
    if (this.#kept.length < MAX_KEPT && this.#bytes < MAX_KEPT_BYTES) return;
    this.#isFull = true;
    this.finish();
  }

  #begin(): void {
    this.#isFound = true;
    if (this.#isFull) this.#session.feed.publish({ type: "replay_started" });
    // No replay repeats notices.
    this.#kept = this.#kept.filter(({ event }) => event.type === "notice");
  }
}

/** Returns true if an event repeats the first entry of a conversation. Notices are not repeated. */
export function repeatsStart({ timeline }: SessionState, event: SessionEvent): boolean {
  let at = 0;
  while (timeline.at(at)?.type === "notice") at += 1;
  const first = timeline.at(at);
  // A tool call in progress gets its own updates.
  if (first?.type === "tool_call")
    return isEnded(first.status) && "toolCallId" in event && first.toolCallId === event.toolCallId;
  if (first?.type !== "message" || roles[event.type] !== first.role) return false;
  const messageId = "messageId" in event ? event.messageId : undefined;
  if (messageId !== undefined && first.messageId !== undefined) return messageId === first.messageId;
  return "content" in event && isSameStart(event.content, first.content.at(0));
}

/** Returns true if one text is the beginning of the other, or if one of the contents is no text. */
function isSameStart(content: unknown, block: ContentBlock | undefined): boolean {
  const one = textOf(Array.isArray(content) ? content[0] : content);
  const other = textOf(block);
  if (one === undefined || other === undefined) return true;
  return one !== "" && (one.startsWith(other) || other.startsWith(one));
}

function textOf(block: unknown): string | undefined {
  const { type, text } = (block ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  return type === "text" && typeof text === "string" ? text : undefined;
}

const isEnded = (status: unknown): boolean => status === "completed" || status === "failed" || status === "cancelled";

/** Roles of the messages that events are about. */
export const roles: { readonly [type: string]: MessageRole | undefined } = {
  user_message: "user",
  user_message_chunk: "user",
  agent_message: "agent",
  agent_message_chunk: "agent",
  agent_thought: "thought",
  agent_thought_chunk: "thought",
};
