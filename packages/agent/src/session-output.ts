import {
  type BackgroundWork,
  type ContentBlock,
  createSessionState,
  type MessageRole,
  type SessionEvent,
  type SessionState,
  type StateLimits,
  type WireEvent,
} from "@turnkit/session";
import { createLazyState, type Encoder, type LazyState, measuredCopy, type StatesAround } from "@turnkit/session/codec";
import { type Connection, type Diagnostic, type Room, RpcError } from "@turnkit/transport";
import { CallIds } from "./call-ids.js";
import { Cancellation } from "./cancellation.js";
import { GatheredContents, isGrowth } from "./gathered-contents.js";
import { AROUND_CHILD_BYTES, type HandedOver, type Journal } from "./journal.js";
import { OpenMessage } from "./open-message.js";
import { Outbox } from "./outbox.js";
import { isPlanEvent, PacedPlans } from "./paced-plans.js";
import { SessionWork } from "./session-work.js";
import { WaitingOutputs } from "./terminal-output.js";
import { isShortPiece, MAX_UPDATE_BYTES, mustFit } from "./update-size.js";

/** Parts of the output of a session. */
export type SessionOutputParts = {
  readonly id: string;
  readonly connection: Connection;
  readonly limits: Partial<StateLimits>;
  readonly encode: Encoder;
  /** True if the encoder repeats the whole content of a tool call with each addition. */
  readonly repeatsContents: boolean;
  /** Output of the parent of a child session. It stores the events, and sends or holds the updates. */
  readonly parent?: SessionOutput;
  /** Reports a failure that no caller gets as an error. */
  onFault(message: string, error: unknown, code?: Diagnostic["code"]): void;
};

/**
 * Output of a session. Each event is checked, stored, applied to the state, encoded and sent, in this order. Only events
 * that a restore needs are stored, in a session that has a log.
 */
export class SessionOutput {
  readonly outbox: Outbox;
  /**
   * Journal of the session, if the session has a log. A restore sets the journal after the replay, because the log already
   * has the replayed events.
   */
  journal: Journal | undefined;
  /** Handover to the restored session of the same id. The restored session gets each event too. */
  handover: HandedOver | undefined;
  readonly encode: Encoder;
  readonly onFault: SessionOutputParts["onFault"];
  readonly #repeatsContents: boolean;
  readonly #parent: SessionOutput | undefined;
  readonly #lazy: LazyState;
  // These values are fields and not objects. With thousands of sessions, three more objects for each update reduced the
  // rate by 20 % (`bench --only sessions`).
  #isClosed = false;
  readonly #closing = new Cancellation();
  readonly #message = new OpenMessage();
  #serial = 0;
  /** Prefix of new ids. Ids stay unique even if another process restores the session. */
  readonly #idPrefix = crypto.randomUUID().slice(0, 8);
  /** True while a handler repeats events that the log already has. */
  #isRepeating = false;
  #outputs: WaitingOutputs | undefined;
  #work: SessionWork | undefined;
  #callIds: CallIds | undefined;
  /** Created with the first tool call, because many sessions may have no tool call. */
  #contents: GatheredContents | undefined;
  #plans: PacedPlans | undefined;

  constructor(parts: SessionOutputParts) {
    this.encode = parts.encode;
    this.onFault = parts.onFault;
    this.#repeatsContents = parts.repeatsContents;
    this.#parent = parts.parent;
    this.outbox = new Outbox({ ...parts, parent: parts.parent?.outbox });
    this.#lazy = createLazyState(createSessionState(parts.limits));
  }

  get state(): SessionState {
    return this.#lazy.after;
  }

  get outputs(): WaitingOutputs {
    this.#outputs ??= new WaitingOutputs();
    return this.#outputs;
  }

  get callIds(): CallIds {
    this.#callIds ??= new CallIds();
    return this.#callIds;
  }

  get work(): SessionWork {
    this.#work ??= new SessionWork();
    return this.#work;
  }

  /**
   * Reports work that is neither ended nor in the list of background work. Does nothing while updates are held, because
   * they may contain the end.
   */
  reportUnlisted(background: readonly BackgroundWork[] = []): void {
    if (!this.outbox.isHeld) this.#work?.reportUnlisted(this.state, background, this.onFault);
  }

  get isRepeating(): boolean {
    return this.#isRepeating;
  }

  get maxEventBytes(): number {
    if (this.#parent !== undefined) return this.#parent.maxEventBytes - AROUND_CHILD_BYTES;
    return this.journal?.maxEventBytes ?? Number.POSITIVE_INFINITY;
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Checks that the session is still open. A session may close between the start of a call and its use here.
   *
   * @throws RpcError `-32002` for a session that is closed or failed to open
   */
  mustBeOpen(): void {
    if (this.#isClosed) throw RpcError.resourceNotFound({ sessionId: this.outbox.sessionId });
  }

  /** Emits a copy of an event. The caller may change its own objects afterwards. */
  emit(event: WireEvent): Room {
    const { copy, mostBytes } = measuredCopy(event);
    const isRepeated = event.type === "tool_call_content_chunk";
    return this.#say(copy, mostBytes <= MAX_UPDATE_BYTES && !isRepeated);
  }

  /** Emits an event of the runtime. The caller must not change the event afterwards, because the session uses it later. */
  say(event: WireEvent): Room {
    // State updates of the runtime are small, unless they contain background work.
    return this.#say(event, event.type === "state_update" && !("background" in event));
  }

  /** Adds a piece to the open message, or begins a new message. */
  append(role: MessageRole, content: ContentBlock): Room {
    const isAnother = this.#message.role !== role;
    if (isAnother || content.type !== "text") this.#endText();
    if (isAnother) this.#message.begin(role, this.newId(role));
    const piece = this.#message.piece(content);
    return piece && this.#say(piece);
  }

  /** Ends the open message. Never throws. */
  endMessage(): void {
    try {
      this.#endText();
    } catch (error) {
      this.onFault("The end of a message could not be sent.", error);
    }
    this.#message.end();
  }

  /** Applies an event without sending it. The log stores the event first, if a restore needs it. */
  record(event: SessionEvent): Room {
    this.flush();
    const room = this.#store(event);
    this.fold(event);
    return room;
  }

  /** Sends an event that is neither stored nor applied, after everything that waits. */
  sendOnly(event: WireEvent): Room {
    if (this.#isClosed) return undefined;
    this.flush();
    let room: Room;
    const { state } = this;
    for (const update of this.encode(event, { before: state, after: state })) room = this.outbox.send(update) ?? room;
    return room;
  }

  /** Applies an event to the state. The session may delay this work until the state is read. */
  fold(event: SessionEvent): StatesAround {
    const around = this.#lazy.add(event);
    this.#message.follow(event, around);
    return around;
  }

  /** Runs a handler that repeats events of the log. Only the handler's lists of options and commands are emitted. */
  async repeat<T>(work: () => T | Promise<T>): Promise<T> {
    this.#isRepeating = true;
    try {
      return await work();
    } finally {
      this.#isRepeating = false;
    }
  }

  newId(what: string): string {
    this.#serial += 1;
    return `${what}-${this.#idPrefix}-${this.#serial}`;
  }

  /** Sends all waiting output of terminals, content of tool calls and plans. Never throws. */
  flush(): void {
    this.#outputs?.flush();
    this.#contents?.flush();
    this.#plans?.flush();
  }

  /** Sends everything that waits, then closes. Later events are dropped. */
  close(): void {
    this.flush();
    this.#contents?.close();
    this.#plans?.close();
    this.#isClosed = true;
    this.#closing.cancel("The session was closed.");
    // The handover is removed, because it would keep the next restored session in memory.
    this.handover = undefined;
  }

  #say(event: WireEvent, isShort = isShortPiece(event)): Room {
    if (this.#isClosed || (this.#isRepeating && !isList(event))) return undefined;
    if (!isShort) mustFit(event, this.#repeatedWith(event));
    this.#outputs?.flush();
    this.outbox.mustTake(event);
    this.handover?.mustTake(event);
    if (this.#message.isCut && this.#message.mayEndBy(event, this.state)) this.#endText();
    this.#contents?.makeWay(event);
    if (event.type === "state_update") this.#plans?.flush();
    const written = this.#store(event);
    this.handover?.follow(event, this.journal !== undefined);
    const around = this.fold(event);
    if (this.#repeatsContents && isGrowth(event)) {
      this.#contents ??= new GatheredContents(this);
      return bothRooms(this.#contents.say(event, around), written);
    }
    if (isPlanEvent(event)) {
      this.#plans ??= new PacedPlans(this);
      return bothRooms(this.#plans.say(event, around), written);
    }
    let room: Room;
    for (const update of this.encode(event, around)) room = this.outbox.send(update) ?? room;
    return bothRooms(room, written);
  }

  /** Stores an event if a restore needs it. The log of the root session has the events of its child sessions. */
  #store(event: SessionEvent): Room {
    return this.#parent === undefined
      ? this.journal?.note(event)
      : this.#parent.#storeChild(this.outbox.sessionId, event);
  }

  #storeChild(sessionId: string, event: SessionEvent): Room {
    if (this.#parent !== undefined) return this.#parent.#storeChild(sessionId, event);
    // During a restore, the restored session of this id may have the log.
    return (this.journal ?? this.handover?.journal)?.noteChild(sessionId, event);
  }

  /** Completes a text that ends in the first half of a character. */
  #endText(): void {
    const rest = this.#message.rest();
    if (rest !== undefined) this.#say(rest);
  }

  /** Returns the content that the client's dialect sends again with an event. */
  #repeatedWith(event: WireEvent): unknown {
    if (!this.#repeatsContents || event.type !== "tool_call_content_chunk") return undefined;
    const entry = this.state.timeline.get(`tool_call:${event.toolCallId}`);
    return entry?.type === "tool_call" ? entry.content : undefined;
  }
}

const isList = ({ type }: WireEvent): boolean =>
  type === "available_commands_update" || type === "config_option_update";

/** Returns a promise of room both on the wire and in the log. */
function bothRooms(one: Room, other: Room): Room {
  if (one === undefined || other === undefined) return one ?? other;
  return Promise.all([one, other]).then(() => undefined);
}
