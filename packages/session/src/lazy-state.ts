import { bytesOf } from "./bytes.js";
import type { StatesAround } from "./codec/codec.js";
import type { ContentBlock } from "./content.js";
import { isContentBlock } from "./entity.js";
import type { MessageChunk, SessionEvent } from "./event.js";
import { reduce } from "./reduce.js";
import { ChunkRun } from "./slice/messages.js";
import type { SessionState } from "./state.js";

/** The state of a session, and that before its newest event, folded as late as nobody can tell. */
export interface LazyState extends StatesAround {
  /**
   * Takes the next event, which nobody changes from here on. The states around it are to be read before the next one
   * comes.
   */
  add(event: SessionEvent): StatesAround;
}

/** How much may wait to be folded, in bytes of state: who looks waits less than a tenth of a millisecond. */
const MOST_WAITING = 65_536;
/** Where states are small, less may: this share of their bytes. */
const SHARE = 8;
/** What a piece of a message counts beside its bytes. */
const PIECE = 64;
/** What begins or ends a turn counts a ninth: the prompt that folds those of three turns is hardly slower than others. */
const TURN = 7_282;

/**
 * Folds one event after the other, like {@link reduce}, but hardly before somebody looks: most states between two pieces
 * of a message are never seen, and to fold many pieces together costs a fraction. Pieces, and what begins and ends turns,
 * wait until they would take about 64 KiB; anything else is folded at once, with what came before it.
 */
export function createLazyState(state: SessionState): LazyState {
  return new WaitingEvents(state);
}

class WaitingEvents implements LazyState {
  /** Before the events that wait, and before the newest. */
  #state: SessionState;
  #waiting: (SessionEvent | Pieces)[] = [];
  /** The last of those that wait, where pieces may continue it. */
  #pieces: Pieces | undefined;
  #weight = 0;
  readonly #most: number;
  #newest: SessionEvent | undefined;
  #after: SessionState | undefined;

  constructor(state: SessionState) {
    this.#state = state;
    this.#most = Math.min(MOST_WAITING, state.limits.stateBytes / SHARE);
  }

  get before(): SessionState {
    if (this.#waiting.length > 0) {
      for (const each of this.#waiting) {
        this.#state = each instanceof Pieces ? each.addedTo(this.#state) : reduce(this.#state, each);
      }
      this.#waiting = [];
      this.#pieces = undefined;
    }
    this.#weight = 0;
    return this.#state;
  }

  get after(): SessionState {
    if (this.#newest === undefined) return this.#state;
    this.#after ??= reduce(this.before, this.#newest);
    return this.#after;
  }

  add(event: SessionEvent): StatesAround {
    if (this.#after !== undefined) this.#state = this.#after;
    else if (this.#newest !== undefined) this.#wait(this.#newest);
    this.#after = undefined;
    // `undefined` marks "no event", so an undefined event is stored as null.
    this.#newest = event ?? (null as never);
    if (this.#weight >= this.#most || !mayWait(event)) void this.after;
    return this;
  }

  #wait(event: SessionEvent): void {
    let bytes = 0;
    try {
      bytes = this.#pieces?.take(event) || 0;
      if (bytes === 0) {
        const pieces = isPiece(event) ? new Pieces(event) : undefined;
        bytes = pieces === undefined ? 0 : bytesOf(event);
        this.#pieces = pieces;
        this.#waiting.push(pieces ?? event);
      }
    } catch {
      // It cannot be looked at: the reducer says what it is, and no piece goes on behind it.
      this.#pieces = undefined;
      this.#waiting.push(event);
    }
    this.#weight += this.#pieces ? PIECE + bytes : TURN;
  }
}

const isPiece = (event: SessionEvent): event is MessageChunk =>
  event.type === "agent_message_chunk" || event.type === "agent_thought_chunk" || event.type === "user_message_chunk";

/**
 * Returns true for events that may wait: pieces of messages, and small starts and ends of turns. Nearly all events are
 * these. A value that is no event, or that cannot be read, may not wait: the reducer takes anything.
 */
function mayWait(event: SessionEvent): boolean {
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
 * A piece of a message, and the blocks of those that follow it. The events are not kept: as long as 1 000 sessions kept
 * theirs until they were folded, a third of the garbage collection was to copy them.
 */
class Pieces {
  readonly #first: MessageChunk;
  readonly #blocks: ContentBlock[] = [];
  #bytes = 0;

  constructor(first: MessageChunk) {
    this.#first = first;
  }

  /** Takes what an event adds, and answers how large that is; 0: it says more than one more block of the message. */
  take(event: SessionEvent): number {
    const { type, messageId, content, _meta, at } = event as MessageChunk & { readonly at?: number };
    if (type !== this.#first.type || messageId !== this.#first.messageId || (_meta ?? at) !== undefined) return 0;
    if (!isContentBlock(content)) return 0;
    const bytes = bytesOf(content);
    this.#bytes += bytes;
    this.#blocks.push(content);
    return bytes;
  }

  /** The state with all of them, in one step where that outgrows no bound. */
  addedTo(state: SessionState): SessionState {
    const next = reduce(state, this.#first);
    const run = ChunkRun.after(next, this.#first);
    if (run?.takesAll(this.#blocks, this.#bytes)) return run.end();
    const { type, messageId } = this.#first;
    return this.#blocks.reduce((grown, content) => reduce(grown, { type, messageId, content } as MessageChunk), next);
  }
}
