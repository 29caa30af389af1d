import type { SessionState, WireEvent } from "@turnkit/session";
import { bytesOf, type Encoder, type StatesAround } from "@turnkit/session/codec";
import type { Room } from "@turnkit/transport";
import { isFinalStatus } from "./tool-call.js";

/** Time between two updates of a large content, in ms. Additions within this time are sent together. */
const GATHER_MS = 50;

/**
 * Maximum size of a small content, in bytes. A character of text counts as two bytes. A small content is sent with every
 * addition.
 */
const SMALL_BYTES = 32 * 1024;

/**
 * Minimum size of an addition that is sent immediately, in bytes. The addition must also be as large as the content
 * that was already sent, so that the traffic stays proportional to the content.
 */
const LEAST_BYTES = 128 * 1024;

/**
 * Maximum number of bytes of repeated content that wait in the channel. Further content waits here, and updates of other
 * types are sent before it.
 */
const MOST_UNREAD_BYTES = 16 * 1024 * 1024;

/** Members of a session's output that {@link GatheredContents} uses. */
export type ContentOwner = {
  readonly state: SessionState;
  readonly encode: Encoder;
  readonly outbox: { send(update: object): Room };
  /** Reports content that could not be sent. No caller gets this failure as an error. */
  onFault(message: string, error: unknown): void;
};

/** Newest event about a tool call or terminal, and the state that the client already has. */
type Waiting = { readonly event: WireEvent; readonly before: SessionState };

type Growth = WireEvent & {
  readonly type: "tool_call_content_chunk" | "tool_call_update" | "terminal_output_chunk";
};

/**
 * Additions to the contents of tool calls, for a dialect that repeats the whole content with each addition. Several
 * additions to a large content are sent as one update.
 *
 * - Additions wait for 50 ms, or until the client has room.
 * - Waiting additions are sent before the next update of another type, a question, the end of a turn, and the close of the
 *   session.
 * - While 16 MiB of repeated content are unread, updates of other types are sent before the waiting additions.
 */
export class GatheredContents {
  readonly #owner: ContentOwner;
  /** Waiting events by tool call or terminal. They are sent after 50 ms at the latest, or when the client has read. */
  readonly #waiting = new Map<string, Waiting>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #room: Room;
  #unread = 0;

  constructor(owner: ContentOwner) {
    this.#owner = owner;
  }

  /** Sends the waiting events that must precede `event`. Call it before the event is applied to the state. */
  makeWay(event: WireEvent): void {
    if (this.#waiting.size === 0 || event.type === "tool_call_content_chunk") return;
    this.#flush(false);
  }

  /**
   * Sends an event that was just applied to the state, or holds the event for later additions. If a promise is returned,
   * await it before the next event.
   */
  say(event: Growth, { before, after }: StatesAround): Room {
    const key = keyOf(event);
    const states = { before: this.#waiting.get(key)?.before ?? before, after };
    if (this.#mustWait(event, states) && isKnown(event, states.before)) {
      this.#waiting.set(key, { event, before: states.before });
      return this.#room;
    }
    this.#waiting.delete(key);
    const room = this.#send(event, states);
    if (event.type === "tool_call_content_chunk") this.#timer ??= setTimeout(() => this.#due(), GATHER_MS);
    return room;
  }

  /** Sends all waiting events. Never throws. */
  flush(): void {
    if (this.#waiting.size > 0) this.#flush(true);
  }

  /** Sends all waiting events. Call it once, at the end. */
  close(): void {
    this.flush();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #mustWait(event: Growth, states: StatesAround): boolean {
    if (this.#isOverfull) return true;
    if (event.type !== "tool_call_content_chunk") return false;
    if (this.#room !== undefined) return true;
    if (this.#timer === undefined) return false;
    const sent = contentBytes(states.before, event.toolCallId);
    const whole = contentBytes(states.after, event.toolCallId);
    return whole > SMALL_BYTES && whole - sent < Math.max(LEAST_BYTES, sent);
  }

  get #isOverfull(): boolean {
    return this.#room !== undefined && this.#unread > MOST_UNREAD_BYTES;
  }

  /** @param isLast true to send even if the client does not read */
  #flush(isLast: boolean): void {
    for (const [key, { event, before }] of this.#waiting) {
      if (!isLast && this.#isOverfull) return;
      this.#waiting.delete(key);
      try {
        this.#send(event, { before, after: this.#owner.state });
      } catch (error) {
        this.#owner.onFault("Content of a tool call could not be sent.", error);
      }
    }
  }

  #send(event: WireEvent, states: StatesAround): Room {
    let room: Room;
    for (const update of this.#owner.encode(event, states)) {
      const asked = this.#owner.outbox.send(update);
      if (asked === undefined) continue;
      room = asked;
      if ("content" in update && "toolCallId" in update) this.#unread += bytesOf(update.content);
    }
    if (room !== undefined && room !== this.#room) this.#await(room);
    return room;
  }

  #await(room: Promise<void>): void {
    this.#room = room;
    void room.then(() => {
      if (this.#room !== room) return;
      this.#room = undefined;
      this.#unread = 0;
      if (this.#timer === undefined) this.#due();
    });
  }

  /** Sends the waiting events after the waiting time, or when the client has read. */
  #due(): void {
    this.#timer = undefined;
    if (this.#waiting.size === 0 || this.#room !== undefined) return;
    this.#flush(false);
    this.#timer = setTimeout(() => this.#due(), GATHER_MS);
  }
}

/** Returns true for an event that may be sent together with later events about the same subject. */
export const isGrowth = (event: WireEvent): event is Growth =>
  event.type === "tool_call_content_chunk" ||
  event.type === "tool_call_update" ||
  event.type === "terminal_output_chunk";

const keyOf = (event: Growth): string =>
  event.type === "terminal_output_chunk" ? `terminal:${event.terminalId}` : event.toolCallId;

/** Returns true if the client already has the subject of an event, and the event does not end the subject. */
function isKnown(event: Growth, before: SessionState): boolean {
  if (event.type === "terminal_output_chunk") return true;
  if (event.type === "tool_call_update" && isFinalStatus(event.status)) return false;
  return before.timeline.has(`tool_call:${event.toolCallId}`);
}

function contentBytes({ timeline }: SessionState, toolCallId: string): number {
  const entry = timeline.get(`tool_call:${toolCallId}`);
  return entry?.type === "tool_call" ? bytesOf(entry.content) : 0;
}
