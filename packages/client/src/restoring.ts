import type { SessionEvent, SessionState } from "@turnkit/session";
import type { LiveSession } from "./live-session.js";
import { type Kept, MAX_KEPT, MAX_KEPT_BYTES, ReplayStart, repeatsStart, roles } from "./replay-start.js";

/** Updates that replace earlier values: a replay that repeats them does no harm. Notices are never replayed. */
const passing: ReadonlySet<SessionEvent["type"]> = new Set([
  "state_update",
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
  "usage_update",
  "notice",
]);

/**
 * Restore of one session in progress. Every update is applied to `session`; beside an open session those from before
 * the replay are left out. An open session of the same id gets its own updates, since the agent may refuse the restore:
 *
 * - While it works: every update, except pieces of messages from before that work.
 * - While it is idle: at once the updates that replace earlier values. A conversation that begins anew is the replay.
 *   Other updates are kept, and go to the open session if the restore fails.
 */
export class Restoring {
  readonly session: LiveSession;
  #isReplay = false;
  #kept: Kept[] = [];
  #bytes = 0;
  #dropped = 0;
  /** Index in the timeline of the open session; earlier entries are finished. */
  #past: number | undefined;
  /** Absent if nothing is replayed, or no session is open beside this one. */
  readonly #start: ReplayStart | undefined;

  /** @param replayed the open session whose conversation the agent repeats */
  constructor(session: LiveSession, replayed: LiveSession | undefined) {
    this.session = session;
    this.#start = replayed && new ReplayStart(session, replayed);
  }

  /** Takes the updates of one message; `open` is the session that is open beside this one. */
  receive(open: LiveSession | undefined, events: readonly SessionEvent[], bytes: number): void {
    // Before the open session has the updates: it may be idle by them.
    const isAtWork = open?.isAtWork === true;
    if (open !== undefined) this.#tell(open, events, bytes);
    if (this.#start === undefined) this.session.receive(events, bytes);
    else this.#start.receive(events, bytes, isAtWork);
  }

  /** Delivers to the restored session what waited for the start of a replay. */
  finish(): void {
    this.#start?.finish();
  }

  /** Delivers what was kept to the open session, which goes on. */
  release(open: LiveSession | undefined): void {
    const kept = this.#kept;
    const dropped = this.#dropped;
    this.#kept = [];
    this.#bytes = 0;
    this.#dropped = 0;
    if (open === undefined) return;
    for (const { event, bytes } of kept) open.receive([event], bytes);
    if (dropped === 0) return;
    const message = `${dropped} updates were dropped: too many came while the session was being restored.`;
    open.feed.report({ code: "dropped", method: "session/update", message });
  }

  #tell(open: LiveSession, events: readonly SessionEvent[], bytes: number): void {
    const own = events.filter((event) => this.#isOwn(open, event, bytes));
    if (own.length > 0) open.receive(own, bytes);
  }

  #isOwn(open: LiveSession, event: SessionEvent, bytes: number): boolean {
    // Work begins or ends: kept updates came before that.
    if (event.type === "state_update") this.release(open);
    if (open.isAtWork) return !this.#isOfThePast(open.state, event);
    if (passing.has(event.type) && this.#kept.length === 0) return true;
    this.#isReplay ||= this.#kept.length === 0 && isBeginning(open.state, event);
    if (this.#isReplay) return passing.has(event.type);
    this.#keep(event, bytes);
    return false;
  }

  /** Returns true for a piece of a message from before the newest prompt: only a replay goes back to it. */
  #isOfThePast(state: SessionState, event: SessionEvent): boolean {
    if (!event.type.endsWith("_chunk") || !("messageId" in event) || event.messageId === undefined) return false;
    this.#past ??= newestPrompt(state);
    const at = state.timeline.indexOf(`${roles[event.type]}:${event.messageId}`);
    return at >= 0 && at < this.#past;
  }

  /** Keeps an update that may belong to either session, or drops it above the bounds. */
  #keep(event: SessionEvent, bytes: number): void {
    if (this.#kept.length >= MAX_KEPT || this.#bytes + bytes > MAX_KEPT_BYTES) {
      this.#dropped += 1;
      return;
    }
    this.#kept.push({ event, bytes });
    this.#bytes += bytes;
  }
}

/** Returns true if an event repeats the start of the conversation, or if that has no entries. */
function isBeginning(state: SessionState, event: SessionEvent): boolean {
  return state.timeline.length === 0 || event.type === "user_message_chunk" || repeatsStart(state, event);
}

/** Returns the index of the newest prompt: work in progress does not change messages before it. */
function newestPrompt({ timeline }: SessionState): number {
  for (let at = timeline.length - 1; at >= 0; at -= 1) {
    const entry = timeline.at(at);
    if (entry?.type === "message" && entry.role === "user") return at;
  }
  return 0;
}
