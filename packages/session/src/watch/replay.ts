import { bytesOf } from "../bytes.js";
import { isPassing, isPieceBefore, isPlaceless, mayBegin, newestPrompt, repeatsStart } from "../codec/replay-start.js";
import { createSessionState } from "../create-session-state.js";
import type { SessionEvent } from "../event.js";
import { reduce } from "../reduce.js";
import { stateEvents } from "../state-events.js";
import type { WatchedSession } from "./watched-session.js";

/** Maximum number of updates that are stored for one restore. */
const MAX_KEPT_UPDATES = 1_000;
/** Estimated size of these updates, in bytes, from which on no further ones are stored (4 MiB). */
const MAX_KEPT_BYTES = 4_194_304;

/**
 * Updates of one session that arrive during a restore. The rules are those of a client:
 *
 * - While an open session works, updates go to this session. They may be repeated in the replay.
 * - The replay begins with the first update that repeats the start of the conversation while no work is in progress.
 *   Earlier entries of the timeline do not belong to it, except notices.
 * - Without such an update, all updates are the replay.
 * - An idle open session gets values, such as usage and titles, immediately. If the restore fails, the session also
 *   gets the other updates that arrived before the first user message of the replay.
 * - After the marker of the agent, the open session gets every update.
 * - All updates of an idle child session before its marker are the replay, if the session has entries.
 */
export class Replay {
  #state = createSessionState();
  #updates: SessionEvent[] = [];
  #updateBytes = 0;
  #waitingBytes = 0;
  #isWhole = true;
  /** `true` once an update has repeated the start of the conversation. */
  #isFound = false;
  /**
   * Phase of the restore, for the open session: before the replay (`early`), during the replay, or after it (`live`).
   */
  #part: "early" | "replay" | "live" = "early";
  /** Index in the timeline of the open session. Entries before this index are finished. */
  #past: number | undefined;
  readonly #isChild: boolean;
  /** Updates that the open session gets if the restore fails. */
  readonly waiting: SessionEvent[] = [];

  constructor(isChild: boolean) {
    this.#isChild = isChild;
  }

  /** Updates of the restored session. */
  get conversation(): readonly SessionEvent[] {
    return this.#isWhole ? this.#updates : (stateEvents(this.#state) ?? this.#updates);
  }

  /** Adds an update. `open` is the open session of the same id. */
  add(event: SessionEvent, open: WatchedSession | undefined): void {
    const isStart = open !== undefined && !open.isAtWork && repeatsStart(open.store.getState(), event);
    if (isStart && !this.#isFound) this.#begin();
    if (open === undefined) this.#wait(event);
    else if (event.type === "replay_complete") this.#part = "live";
    else this.#addOwn(event, open);
    this.#state = reduce(this.#state, event);
    if (this.#updates.length < MAX_KEPT_UPDATES && this.#updateBytes < MAX_KEPT_BYTES) {
      this.#updates.push(event);
      this.#updateBytes += bytesOf(event);
    } else this.#isWhole = false;
  }

  /** Begins again, because the restore was refused, and the updates of the next one follow. */
  refused(): void {
    this.#part = "early";
  }

  /** Passes an update to the open session, which continues until the answer. */
  #addOwn(event: SessionEvent, open: WatchedSession): void {
    const { isAtWork, store } = open;
    if (this.#isChild && this.#part === "early") this.#part = store.getState().timeline.length > 0 ? "replay" : "live";
    if (isAtWork || event.type === "state_update") {
      this.#waitingBytes = 0;
      for (const one of this.waiting.splice(0)) open.updated(one);
    }
    if (isAtWork) {
      if (this.#part === "live" || !this.#isOfThePast(open, event)) open.updated(event);
      return;
    }
    if (this.#isChild && this.#part === "replay") return;
    const isFirst = this.waiting.length === 0;
    if (isFirst && (this.#part === "live" || isPassing(event))) return open.updated(event);
    // A piece of an agent's message may continue this message, so only a user message is recognised.
    const isUser = event.type === "user_message" || event.type === "user_message_chunk";
    const begins = isFirst ? mayBegin : repeatsStart;
    if (isUser && this.#part === "early" && begins(store.getState(), event)) this.#part = "replay";
    if (this.#part !== "replay" || isPassing(event)) this.#wait(event);
  }

  #wait(event: SessionEvent): void {
    if (this.waiting.length >= MAX_KEPT_UPDATES || this.#waitingBytes >= MAX_KEPT_BYTES) return;
    this.waiting.push(event);
    this.#waitingBytes += bytesOf(event);
  }

  #begin(): void {
    this.#isFound = true;
    this.#updates = this.#updates.filter((event) => event.type === "notice" || isPlaceless(event));
    this.#updateBytes = bytesOf(this.#updates);
    this.#state = this.#updates.reduce(reduce, createSessionState());
    this.#isWhole = true;
  }

  #isOfThePast({ store }: WatchedSession, event: SessionEvent): boolean {
    this.#past ??= newestPrompt(store.getState());
    return isPieceBefore(store.getState(), event, this.#past);
  }
}
