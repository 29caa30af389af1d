import type { SessionState, WireEvent } from "@turnkit/session";
import { bytesOf, type Encoder, type StatesAround } from "@turnkit/session/codec";
import type { Room } from "@turnkit/transport";
import { isFinalStatus } from "./tool-call.js";

/** Time for which additions to a large content are collected after one was sent, in ms. */
const GATHER_MS = 50;

/** Size up to which a content is sent with every addition, in bytes: two for each character of text. */
const SMALL_BYTES = 32 * 1024;

/**
 * Smallest addition that is sent at once. It must also be as large as the content sent so far, so that the traffic
 * stays proportional.
 */
const LEAST_BYTES = 128 * 1024;

/**
 * Bytes of repeated content that may wait in the channel. Above it content waits here, and other updates overtake it.
 */
const MOST_UNREAD_BYTES = 16 * 1024 * 1024;

/** Members of a session's output that gathering uses. */
export type ContentOwner = {
  readonly state: SessionState;
  readonly encode: Encoder;
  readonly outbox: { send(update: object): Room };
  /** Reports content that could not be sent and fails no call. */
  onFault(message: string, error: unknown): void;
};

/** Newest event about a tool call or terminal, and the state that the client has of it. */
type Waiting = { readonly event: WireEvent; readonly before: SessionState };

type Growth = WireEvent & {
  readonly type: "tool_call_content_chunk" | "tool_call_update" | "terminal_output_chunk";
};

/**
 * Updates of a session whose dialect repeats the whole content of a tool call with each addition. Additions to a large
 * content are sent together.
 *
 * - They wait for 50 ms, or until the client has room.
 * - They are sent before the next update of another type, a question, the end of a turn and the close of the session.
 * - Once 16 MiB of repeated content are unread, updates of other tool calls overtake them.
 */
export class GatheredContents {
  readonly #owner: ContentOwner;
  /** Waiting events by tool call or terminal. Emptied at least every 50 ms, or when the client has read. */
  readonly #waiting = new Map<string, Waiting>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #room: Room;
  #unread = 0;

  constructor(owner: ContentOwner) {
    this.#owner = owner;
  }

  /** Sends waiting events that must precede an event. Call it before the event is folded. */
  makeWay(event: WireEvent): void {
    if (this.#waiting.size === 0 || event.type === "tool_call_content_chunk") return;
    this.#flush(false);
  }

  /** Sends an event that was folded just now, or keeps it for later additions. A returned promise asks to wait. */
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

  /** Sends all waiting events for the last time. */
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

  /** @param isLast true to send also to a client that does not read */
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

  /** Sends waiting events after the time, or when the client has read. */
  #due(): void {
    this.#timer = undefined;
    if (this.#waiting.size === 0 || this.#room !== undefined) return;
    this.#flush(false);
    this.#timer = setTimeout(() => this.#due(), GATHER_MS);
  }
}

/** Returns true for an event that may wait for others about the same thing. */
export const isGrowth = (event: WireEvent): event is Growth =>
  event.type === "tool_call_content_chunk" ||
  event.type === "tool_call_update" ||
  event.type === "terminal_output_chunk";

const keyOf = (event: Growth): string =>
  event.type === "terminal_output_chunk" ? `terminal:${event.terminalId}` : event.toolCallId;

/** Returns true if the client knows the subject of an event, and the event is no end of it. */
function isKnown(event: Growth, before: SessionState): boolean {
  if (event.type === "terminal_output_chunk") return true;
  if (event.type === "tool_call_update" && isFinalStatus(event.status)) return false;
  return before.timeline.has(`tool_call:${event.toolCallId}`);
}

function contentBytes({ timeline }: SessionState, toolCallId: string): number {
  const entry = timeline.get(`tool_call:${toolCallId}`);
  return entry?.type === "tool_call" ? bytesOf(entry.content) : 0;
}
