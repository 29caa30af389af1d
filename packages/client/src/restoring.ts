import type { SessionEvent, SessionState } from "@turnkit/session";
import { isPassing, isPieceBefore, isPlaceless, mayBegin, newestPrompt, repeatsStart } from "@turnkit/session/codec";
import type { LiveSession } from "./live-session.js";
import { WaitingUpdates } from "./waiting-updates.js";

/** Member of `_meta` in the answer of a gateway that has replayed only the newest entries. */
const EARLIER = "turnkit.earlier";

/**
 * Restore of one session in progress. Its updates go to the restored session, and to an open session of the same id.
 *
 * The restored session gets every update. If a session is open, the agent may send some updates before the replay, and
 * again in the replay. Therefore entries of the timeline wait at first:
 *
 * - The replay begins with the first update that repeats the start of the conversation while no work is in progress.
 *   Waiting entries are then dropped, except notices.
 * - Without such an update, the entries are delivered at the end of the restore, or when there is no room for more.
 *
 * The open session gets its own updates, because the agent may refuse the restore:
 *
 * - While the session works, it gets every update, except pieces of messages from before its newest prompt.
 * - While the session is idle, it gets updates that replace a value. Other updates wait, and are delivered if the restore
 *   fails.
 * - If an entry repeats the start of the conversation, this entry belongs to the replay. The entry and all later entries
 *   are dropped. For an idle child session, every update belongs to the replay.
 * - After the agent's marker, and in a restore without a replay, it gets every update. An update waits if earlier ones wait.
 * - If it has only the newest entries of the conversation, updates wait until the marker, which drops them.
 */
export class Restoring {
  readonly session: LiveSession;
  /** True if the agent sends the earlier conversation. */
  readonly replays: boolean;
  /**
   * Open session whose conversation is replayed. The open session may end during the restore. Absent if no session was
   * open, or the agent does not replay.
   */
  readonly #replayed: LiveSession | undefined;
  readonly #forRestored = new WaitingUpdates();
  /** True once waiting entries were delivered because there was no room for more. */
  #isFull = false;
  /** True once an update repeated the start of the conversation. */
  #isFound = false;
  readonly #forOpen = new WaitingUpdates();
  /**
   * Announcements of the replay. If the restore fails, the open session gets the announcements of child sessions that
   * it does not have.
   */
  readonly #announced = new WaitingUpdates();
  #dropped = 0;
  /**
   * Phase of the restore, for the open session: before the replay (`early`), during the replay, or after it (`live`).
   */
  #part: "early" | "replay" | "live" = "early";
  /** True if the open session has only the newest entries. Updates before the marker may then belong to the replay. */
  readonly #isPartial: boolean;
  /** Index in the timeline of the open session. Entries before this index are finished. */
  #past: number | undefined;

  /**
   * @param open session of the same id
   * @param replays true if the agent sends the earlier conversation
   */
  constructor(session: LiveSession, open: LiveSession | undefined, replays: boolean) {
    this.session = session;
    this.replays = replays;
    this.#isPartial = open?._meta?.[EARLIER] !== undefined;
    // A part of a conversation does not have the start of the replay.
    this.#replayed = replays && !this.#isPartial ? open : undefined;
    if (replays) session.feed.publish({ type: "replay_started" });
    else this.#part = "live";
  }

  /** Takes the updates of one message. `open` is the open session of the same id. */
  receive(open: LiveSession | undefined, events: readonly SessionEvent[], bytes: number): void {
    // Read before the open session gets the updates, because they may end its work.
    const isAtWork = open?.isAtWork === true;
    const own = events.filter((event) => this.#isOwn(open, event, bytes));
    if (own.length > 0) open?.receive(own, bytes);
    if (this.#replayed === undefined || this.#isFound) return this.session.receive(events, bytes);
    let size = bytes;
    for (const event of events) {
      if (event.type === "replay_complete") this.#complete();
      if (!this.#isFound && !isAtWork && repeatsStart(this.#replayed.state, event)) this.#begin();
      if (!this.#waits(event, size)) this.session.receive([event], size);
      size = 0;
    }
  }

  /** Delivers waiting updates to the restored session. Called when the restore has succeeded. */
  finish(): void {
    this.#forRestored.deliver(this.session);
    if (this.replays) this.session.feed.publish({ type: "replay_ended" });
  }

  /**
   * Delivers waiting updates to the open session. Called when the restore failed, and when work of the open session begins
   * or ends.
   */
  release(open: LiveSession): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#forOpen.deliver(open);
    if (dropped === 0) return;
    const message = `${dropped} updates were dropped, because too many arrived while the session was being restored.`;
    open.feed.report({ code: "dropped", method: "session/update", message });
  }

  /** Delivers everything that waits to the open session, because the restore failed. */
  failed(open: LiveSession): void {
    this.release(open);
    for (const { events, bytes } of this.#announced.take(open.id)) {
      const unknown = events.filter((event) => !("sessionId" in event && open.tree.get(String(event.sessionId))));
      if (unknown.length > 0) open.receive(unknown, bytes);
    }
  }

  /** Delivers waiting entries as history, because the replay has ended. */
  #complete(): void {
    this.#forRestored.deliver(this.session);
    this.#isFound = true;
  }

  #begin(): void {
    this.#isFound = true;
    if (this.#isFull) this.session.feed.publish({ type: "replay_started" });
    const { id } = this.session;
    // No replay repeats notices.
    for (const { events, bytes } of this.#forRestored.take(id)) {
      if (events[0]?.type === "notice") this.#forRestored.add(id, events, bytes);
    }
  }

  /** Returns true for an entry that waits for the start of the replay. */
  #waits(event: SessionEvent, bytes: number): boolean {
    if (this.#isFound || this.#isFull || isPlaceless(event)) return false;
    if (this.#forRestored.add(this.session.id, [event], bytes)) return true;
    this.#isFull = true;
    this.#forRestored.deliver(this.session);
    return false;
  }

  /** Returns true for an update that the open session gets now. */
  #isOwn(open: LiveSession | undefined, event: SessionEvent, bytes: number): boolean {
    const isMarker = event.type === "replay_complete";
    if (isMarker) this.#part = "live";
    if (isMarker && open && this.#isPartial) this.#forget(open);
    if (isMarker || open === undefined) return false;
    if (this.#isPartial && this.#part === "early") return this.#wait(open, event, bytes);
    if (event.type === "state_update") this.release(open);
    if (open.isAtWork) return this.#part === "live" || !this.#isOfThePast(open.state, event);
    if (open.parent !== undefined) {
      if (this.#part === "early") this.#part = open.state.timeline.length > 0 ? "replay" : "live";
      if (this.#part === "replay") return false;
    }
    const { isEmpty } = this.#forOpen;
    if (isEmpty && (this.#part === "live" || isPassing(event))) return true;
    const begins = isEmpty ? mayBegin : repeatsStart;
    if (this.#part === "early" && begins(open.state, event)) this.#part = "replay";
    const waits = this.#part !== "replay" || isPassing(event);
    if (!waits && event.type === "subagent_update") this.#announced.add(open.id, [event], bytes);
    return waits && this.#wait(open, event, bytes);
  }

  /** Returns false, because the open session does not get the update now. */
  #wait(open: LiveSession, event: SessionEvent, bytes: number): false {
    if (!this.#forOpen.add(open.id, [event], bytes)) this.#dropped += 1;
    return false;
  }

  #forget(open: LiveSession): void {
    this.#forOpen.take(open.id);
    this.#dropped = 0;
  }

  /** Returns true for a piece of a message from before the newest prompt. Only a replay contains such pieces. */
  #isOfThePast(state: SessionState, event: SessionEvent): boolean {
    this.#past ??= newestPrompt(state);
    return isPieceBefore(state, event, this.#past);
  }
}
