import { bytesOf } from "./bytes.js";
import type { StatesAround } from "./codec/codec.js";
import type { ContentBlock } from "./content.js";
import { isContentBlock } from "./entity.js";
import type { MessageChunk, SessionEvent } from "./event.js";
import { reduce } from "./reduce.js";
import { ChunkRun } from "./slice/messages.js";
import type { SessionState } from "./state.js";

/** State of a session that applies events lazily, with the state before the newest event. */
export interface LazyState extends StatesAround {
  /**
   * Applies an event, and returns the states around it, which are valid until the next call. The lazy state owns the
   * event and may reduce it later: pass a `jsonCopy` of an event that others may change.
   */
  add(event: SessionEvent): StatesAround;
}

/** Bytes that may be queued. Their reduction takes less than a tenth of a millisecond. */
const MOST_QUEUED = 65_536;
/** Share of a state's bound in bytes that may be queued, if that is less: an eighth. */
const SHARE = 8;
/** Bytes that a piece of a message counts beside its own. */
const PIECE = 64;
/** Bytes that the start or end of a turn counts, and its maximum: nine of them fill the queue. */
const TURN = 7_282;

/**
 * Creates a lazy state. It queues events and reduces them when the state is read. Most states between two pieces of a
 * message are never read, and many pieces together cost much less.
 *
 * Pieces, and starts and ends of turns, are queued up to about 64 KiB. Any other event is reduced at once, after the
 * queue. The states equal those of {@link reduce}.
 */
export function createLazyState(state: SessionState): LazyState {
  return new QueuedEvents(state);
}

class QueuedEvents implements LazyState {
  /** State before the events of the queue, then before the newest event. */
  #state: SessionState;
  #queue: (SessionEvent | Pieces)[] = [];
  /** Last item of the queue, if pieces may continue it. */
  #pieces: Pieces | undefined;
  #weight = 0;
  readonly #most: number;
  #newest: SessionEvent | undefined;
  #after: SessionState | undefined;

  constructor(state: SessionState) {
    this.#state = state;
    this.#most = Math.min(MOST_QUEUED, state.limits.stateBytes / SHARE);
  }

  /** Reduces the queue. */
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

  /** Reduces the queue, then the newest event. */
  get after(): SessionState {
    if (this.#newest === undefined) return this.#state;
    this.#after ??= reduce(this.before, this.#newest);
    return this.#after;
  }

  add(event: SessionEvent): StatesAround {
    if (this.#after !== undefined) this.#state = this.#after;
    else if (this.#newest !== undefined) this.#enqueue(this.#newest);
    this.#after = undefined;
    // `undefined` marks "no event", so an undefined event is stored as null.
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
      // Reading the event throws: the reducer handles it.
      this.#pieces = undefined;
      this.#queue.push(event);
    }
    this.#weight += this.#pieces ? PIECE + bytes : TURN;
  }
}

const isPiece = (event: SessionEvent): event is MessageChunk =>
  event.type === "agent_message_chunk" || event.type === "agent_thought_chunk" || event.type === "user_message_chunk";

/**
 * Returns true for events that may be queued: pieces of messages, and small starts and ends of turns. Any other value
 * goes to the reducer at once.
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
 * First piece of a message, and the blocks of the pieces that continue it. Their events are not kept: with 1 000 sessions
 * that kept them, copying them was a third of the garbage collection.
 */
class Pieces {
  readonly #first: MessageChunk;
  readonly #blocks: ContentBlock[] = [];
  #bytes = 0;

  constructor(first: MessageChunk) {
    this.#first = first;
  }

  /** Adds the block of an event and returns its bytes, or 0 for an event that is not just one more block. */
  take(event: SessionEvent): number {
    const { type, messageId, content, _meta, at } = event as MessageChunk & { readonly at?: number };
    if (type !== this.#first.type || messageId !== this.#first.messageId || (_meta ?? at) !== undefined) return 0;
    if (!isContentBlock(content)) return 0;
    const bytes = bytesOf(content);
    this.#bytes += bytes;
    this.#blocks.push(content);
    return bytes;
  }

  /** Returns the state with all pieces, in one step unless that would outgrow a bound. */
  addedTo(state: SessionState): SessionState {
    const next = reduce(state, this.#first);
    const run = ChunkRun.after(next, this.#first);
    if (run?.takesAll(this.#blocks, this.#bytes)) return run.end();
    const { type, messageId } = this.#first;
    return this.#blocks.reduce((grown, content) => reduce(grown, { type, messageId, content } as MessageChunk), next);
  }
}
