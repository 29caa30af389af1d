import {
  type ContentBlock,
  createSessionState,
  type MessageRole,
  type SessionEvent,
  type SessionState,
  type StateLimits,
  type WireEvent,
} from "@turnkit/session";
import { createLazyState, type Encoder, type LazyState, measuredCopy, type StatesAround } from "@turnkit/session/codec";
import { AcpError, type Connection, type Diagnostic, type Room, RpcError } from "@turnkit/transport";
import { Cancellation } from "./cancellation.js";
import { GatheredContents, isGrowth } from "./gathered-contents.js";
import type { Journal } from "./journal.js";
import { OpenMessage } from "./open-message.js";
import { Outbox } from "./outbox.js";
import type { TerminalOutput } from "./terminal-output.js";
import { MAX_UPDATE_BYTES, mustFit } from "./update-size.js";

/** Parts of the output of a session. */
export type SessionOutputParts = {
  readonly id: string;
  readonly connection: Connection;
  readonly limits: Partial<StateLimits>;
  readonly encode: Encoder;
  /** True if the encoder repeats the whole content of a tool call with each addition. */
  readonly repeatsContents: boolean;
  /** Reports a failure that fails no call. */
  onFault(message: string, error: unknown, code?: Diagnostic["code"]): void;
};

/** Way of an event out of a session: checked, stored where there is a log, folded into the state, encoded, sent. */
export class SessionOutput {
  readonly outbox: Outbox;
  /** Log of the session, if it is stored. A restore sets it after the replay, whose events the log has. */
  journal: Journal | undefined;
  /** Restore of the session as another, which gets each event too. */
  handover: { mustTake(event: SessionEvent): void; follow(event: SessionEvent, isStored: boolean): void } | undefined;
  readonly encode: Encoder;
  readonly onFault: SessionOutputParts["onFault"];
  readonly #repeatsContents: boolean;
  readonly #lazy: LazyState;
  // Fields, not parts: with thousands of sessions at once, three more objects that each update touched cost 20 % of the
  // rate (`bench --only sessions`).
  #isClosed = false;
  readonly #closing = new Cancellation();
  readonly #message = new OpenMessage();
  #serial = 0;
  /** Prefix by which ids stay unique when another process restores the session. */
  readonly #idPrefix = crypto.randomUUID().slice(0, 8);
  /** True while a handler repeats events that the log has. */
  #isRepeating = false;
  #outputs: Set<TerminalOutput> | undefined;
  #isFlushing = false;
  #callIds: Set<string> | undefined;
  /** Made for the first tool call: few sessions of a connection may have any. */
  #contents: GatheredContents | undefined;

  constructor(parts: SessionOutputParts) {
    this.encode = parts.encode;
    this.onFault = parts.onFault;
    this.#repeatsContents = parts.repeatsContents;
    this.outbox = new Outbox(parts);
    this.#lazy = createLazyState(createSessionState(parts.limits));
  }

  get state(): SessionState {
    return this.#lazy.after;
  }

  /** Outputs of terminals with bytes that are not sent. */
  get outputs(): Set<TerminalOutput> {
    this.#outputs ??= new Set();
    return this.#outputs;
  }

  /** Ids that the agent chose for tool calls. The state may have dropped these calls. */
  get callIds(): Set<string> {
    this.#callIds ??= new Set();
    return this.#callIds;
  }

  get maxEventBytes(): number {
    return this.journal?.maxEventBytes ?? Number.POSITIVE_INFINITY;
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws RpcError `-32002` for a session that was closed, or failed to open, since it was found */
  mustBeOpen(): void {
    if (this.#isClosed) throw RpcError.resourceNotFound({ sessionId: this.outbox.sessionId });
  }

  /** Emits a copy of an event, so that the caller may change its objects. */
  emit(event: WireEvent): Room {
    const { copy, mostBytes } = measuredCopy(event);
    const isRepeated = event.type === "tool_call_content_chunk";
    return this.#say(copy, mostBytes <= MAX_UPDATE_BYTES && !isRepeated);
  }

  /** Emits an event of the runtime. It must not change afterwards, since it may be folded or sent later. */
  say(event: WireEvent): Room {
    // A state update of the runtime is small, except for background work.
    return this.#say(event, event.type === "state_update" && !("background" in event));
  }

  /** Adds a piece to the message that is being written, or begins one. */
  append(role: MessageRole, content: ContentBlock): Room {
    const isAnother = this.#message.role !== role;
    if (isAnother || content.type !== "text") this.#endText();
    if (isAnother) this.#message.begin(role, this.newId(role));
    const piece = this.#message.piece(content);
    return piece && this.#say(piece);
  }

  /** Ends the message that is being written. Never throws. */
  endMessage(): void {
    try {
      this.#endText();
    } catch (error) {
      this.onFault("The end of a message could not be sent.", error);
    }
    this.#message.end();
  }

  /** Stores and folds an event that is not sent. An event that cannot be stored is not folded. */
  record(event: SessionEvent): Room {
    this.flush();
    const room = this.journal?.note(event);
    this.fold(event);
    return room;
  }

  /** Folds an event into the state, at the latest when the state is read. */
  fold(event: SessionEvent): StatesAround {
    const around = this.#lazy.add(event);
    this.#message.follow(event, around);
    return around;
  }

  /** Runs a handler that repeats events of the log. Only its lists of options and commands are emitted. */
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

  /**
   * Returns an id of the agent's own for a tool call, if it is free. Add it to {@link callIds} once the call is sent.
   *
   * @throws TypeError for an id that is empty or no text
   * @throws AcpError `state` for an id that the session has, except while `newSession` repeats events of the log
   */
  freeCallId(id: string): string {
    if (typeof id !== "string" || id === "") throw new TypeError("A toolCallId is text that is not empty.");
    if (this.#isRepeating) return id;
    if (this.callIds.has(id) || this.state.timeline.has(`tool_call:${id}`)) {
      throw new AcpError("state", `Session ${this.outbox.sessionId} has a tool call ${JSON.stringify(id)} already.`);
    }
    return id;
  }

  /** Sends output of terminals and content of tool calls that wait. Never throws. */
  flush(): void {
    this.#flushOutputs();
    this.#contents?.flush();
  }

  /** Sends all that waits and closes: later events are dropped. */
  close(): void {
    this.flush();
    this.#contents?.close();
    this.#isClosed = true;
    this.#closing.cancel("The session was closed.");
  }

  #say(event: WireEvent, isShort = isShortPiece(event)): Room {
    if (this.#isClosed || (this.#isRepeating && !isList(event))) return undefined;
    if (!isShort) mustFit(event, this.#repeatedWith(event));
    this.#flushOutputs();
    this.outbox.mustTake(event);
    this.handover?.mustTake(event);
    if (this.#message.isCut && this.#message.mayEndBy(event, this.state)) this.#endText();
    this.#contents?.makeWay(event);
    const written = this.journal?.note(event);
    this.handover?.follow(event, this.journal !== undefined);
    const around = this.fold(event);
    if (this.#repeatsContents && isGrowth(event)) {
      this.#contents ??= new GatheredContents(this);
      return bothRooms(this.#contents.say(event, around), written);
    }
    let room: Room;
    for (const update of this.encode(event, around)) room = this.outbox.send(update) ?? room;
    return bothRooms(room, written);
  }

  /** Completes a text that ends in half a character. */
  #endText(): void {
    const rest = this.#message.rest();
    if (rest !== undefined) this.#say(rest);
  }

  /** Returns the content that the client's dialect repeats with an event. */
  #repeatedWith(event: WireEvent): unknown {
    if (!this.#repeatsContents || event.type !== "tool_call_content_chunk") return undefined;
    const entry = this.state.timeline.get(`tool_call:${event.toolCallId}`);
    return entry?.type === "tool_call" ? entry.content : undefined;
  }

  /** Sends the output of terminals that waits, so that events stay in order. Never throws. */
  #flushOutputs(): void {
    // Outputs that are being sent need not make way for each other.
    if (!this.#outputs?.size || this.#isFlushing) return;
    this.#isFlushing = true;
    // A copy: an output that must wait is put back.
    for (const output of [...this.#outputs]) output.flush();
    this.#isFlushing = false;
  }
}

const isList = ({ type }: WireEvent): boolean =>
  type === "available_commands_update" || type === "config_option_update";

/** Returns a promise of room on the wire and in the log. */
function bothRooms(one: Room, other: Room): Room {
  if (one === undefined || other === undefined) return one ?? other;
  return Promise.all([one, other]).then(() => undefined);
}

/** Length below which a piece is short, in characters. */
const SHORT = 65_536;

/** Returns true if an event is surely small. Nearly all events are. */
function isShortPiece(event: WireEvent): boolean {
  if (event.type !== "agent_message_chunk" && event.type !== "agent_thought_chunk") return false;
  const { content } = event;
  return content?.type === "text" && typeof content.text === "string" && content.text.length < SHORT;
}
