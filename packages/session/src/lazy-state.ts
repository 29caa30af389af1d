import { bytesOf } from "./bytes.js";
import type { StatesAround } from "./codec/codec.js";
import type { ContentBlock } from "./content.js";
import { isContentBlock } from "./entity.js";
import type { MessageChunk, SessionEvent } from "./event.js";
import { reduce } from "./reduce.js";
import { ChunkRun } from "./slice/messages.js";
import type { SessionState } from "./state.js";

/**
 * State of a session that applies events only when the state is read. It also has the state before the newest event.
 */
export interface LazyState extends StatesAround {
  /**
   * Adds an event, and returns the states before and after it. They are valid until the next call. The lazy state may
   * apply the event later, so nobody may change the event. If others may change it, pass a `jsonCopy`.
   */
  add(event: SessionEvent): StatesAround;
}

/** Maximum size of the queued events, in bytes. Reducing them takes less than 0.1 ms. */
const MOST_QUEUED = 65_536;
/** Maximum size of the queue as a fraction of the state's bound, if this is less than {@link MOST_QUEUED}. */
const SHARE = 8;
/** Bytes that are added to the size of each piece of a message. */
const PIECE = 64;
/**
 * Assumed size of the start or end of a turn, in bytes, and maximum size of such an event. Nine of these events fill
 * the queue.
 */
const TURN = 7_282;

/**
 * Creates a lazy state. Events are queued, and reduced when the state is read. Most states between two pieces of a
 * message are never read, and reducing many pieces together costs much less.
 *
 * Pieces of messages, and starts and ends of turns, are queued up to about 64 KiB. Any other event is reduced
 * immediately, after the events in the queue. The states equal those of {@link reduce}.
 */
export function createLazyState(state: SessionState): LazyState {
  return new QueuedEvents(state);
}

class QueuedEvents implements LazyState {
  /** State before the queued events. After the queue was reduced, the state before the newest event. */
  #state: SessionState;
  #queue: (SessionEvent | Pieces)[] = [];
  /** Last item of the queue, if further pieces can be added to it. */
  #pieces: Pieces | undefined;
  #weight = 0;
  readonly #most: number;
  #newest: SessionEvent | undefined;
  #after: SessionState | undefined;

  constructor(state: SessionState) {
    this.#state = state;
    this.#most = Math.min(MOST_QUEUED, state.limits.stateBytes / SHARE);
  }

  /** Reduces the queue and returns the state before the newest event. */
  get before(): SessionState {
    if (this.#queue.length > 0) {
      for (const each of this.#queue) {
        this.#state = each instanceof Pieces ? each.addedTo(this.#state) : reduce(this.#state, each);
      }
      this.#queue = [];
      this.#pieces = undefined;
    }
    this.#weight = 0;
    return this.#state;
  }

  /** Reduces the queue and the newest event, and returns the state. */
  get after(): SessionState {
    if (this.#newest === undefined) return this.#state;
    this.#after ??= reduce(this.before, this.#newest);
    return this.#after;
  }

  add(event: SessionEvent): StatesAround {
    if (this.#after !== undefined) this.#state = this.#after;
    else if (this.#newest !== undefined) this.#enqueue(this.#newest);
    this.#after = undefined;
    // `undefined` means that there is no event, so an event that is `undefined` is stored as `null`.
    this.#newest = event ?? (null as never);
    if (this.#weight >= this.#most || !mayQueue(event)) void this.after;
    return this;
  }

  #enqueue(event: SessionEvent): void {
    let bytes = 0;
    try {
      bytes = this.#pieces?.take(event) || 0;
      if (bytes === 0) {
        const pieces = isPiece(event) ? new Pieces(event) : undefined;
        bytes = pieces === undefined ? 0 : bytesOf(event);
        this.#pieces = pieces;
        this.#queue.push(pieces ?? event);
      }
    } catch {
      // The event throws when it is read. The reducer handles such an event.
      this.#pieces = undefined;
      this.#queue.push(event);
    }
    this.#weight += this.#pieces ? PIECE + bytes : TURN;
  }
}

const isPiece = (event: SessionEvent): event is MessageChunk =>
  event.type === "agent_message_chunk" || event.type === "agent_thought_chunk" || event.type === "user_message_chunk";

/**
 * Returns `true` for events that may be queued: pieces of messages, and small events for starts and ends of turns. Any
 * other value is reduced immediately.
 */
function mayQueue(event: SessionEvent): boolean {
  try {
    return isLight(event);
  } catch {
    return false;
  }
}

function isLight(event: SessionEvent): boolean {
  if (isPiece(event)) return true;
  switch (event.type) {
    case "turn_started":
      return true;
    case "turn_ended":
      return event.error === undefined && isSmall(event.stopReason);
    case "prompt_accepted":
      return isSmall(event.messageId);
    case "prompt_sent":
      return isSmall(event.content);
    case "user_message":
    case "state_update":
      return isSmall(event);
    default:
      return false;
  }
}

const isSmall = (value: unknown): boolean => bytesOf(value) <= TURN;

/**
 * First piece of a message, with the blocks of the pieces that follow it. The events of these pieces are not stored. In
 * a test with 1 000 sessions, stored events caused a third of the garbage collection.
 */
class Pieces {
  readonly #first: MessageChunk;
  readonly #blocks: ContentBlock[] = [];
  #bytes = 0;

  constructor(first: MessageChunk) {
    this.#first = first;
  }

  /**
   * Adds the block of an event, and returns its size in bytes. Returns 0 if the event is not the next block of the
   * message.
   */
  take(event: SessionEvent): number {
    const { type, messageId, content, _meta, at } = event as MessageChunk & { readonly at?: number };
    if (type !== this.#first.type || messageId !== this.#first.messageId || (_meta ?? at) !== undefined) return 0;
    if (!isContentBlock(content)) return 0;
    const bytes = bytesOf(content);
    this.#bytes += bytes;
    this.#blocks.push(content);
    return bytes;
  }

  /** Returns the state with all pieces. They are added in one step unless a bound would be exceeded. */
  addedTo(state: SessionState): SessionState {
    const next = reduce(state, this.#first);
    const run = ChunkRun.after(next, this.#first);
    if (run?.takesAll(this.#blocks, this.#bytes)) return run.end();
    const { type, messageId } = this.#first;
    return this.#blocks.reduce((grown, content) => reduce(grown, { type, messageId, content } as MessageChunk), next);
  }
}
