import {
  type AvailableCommand,
  type ConfigOption,
  type ContentBlock,
  type Cost,
  createSessionState,
  type MessageRole,
  type SessionEvent,
  type SessionState,
  type StateLimits,
  type TextContent,
  type WireEvent,
} from "@turnkit/session";
import { createLazyState, type Encoder, jsonCopy, type LazyState, type StatesAround } from "@turnkit/session/codec";
import type { Connection, Room } from "@turnkit/transport";
import { Cancellation } from "./cancellation.js";
import { optionsWith } from "./config-value.js";
import { CutText } from "./cut-text.js";
import { GatheredContents, isGrowth } from "./gathered-contents.js";
import type { Journal } from "./journal.js";
import { Outbox } from "./outbox.js";
import { MAX_TITLE_LENGTH } from "./session.js";
import type { TerminalOutput } from "./terminal-output.js";
import { mustFit } from "./update-size.js";

/** What a session needs to say something. */
export type SessionOutputParts = {
  readonly id: string;
  readonly connection: Connection;
  readonly limits: Partial<StateLimits>;
  readonly encode: Encoder;
  /** True if the encoder repeats the whole content of a tool call with each addition. */
  readonly repeatsContents: boolean;
  /** Something went wrong that nobody's call fails by. */
  onFault(message: string, error: unknown, code?: "outgoing_invalid" | "log_failed"): void;
};

/** What one session says: written down where there is a log, folded into its state, sent to its client. */
export class SessionOutput {
  readonly id: string;
  readonly outbox: Outbox;
  /** Set once the session is to be stored; what was said before is stored already. */
  journal: Journal | undefined;
  readonly #parts: SessionOutputParts;
  readonly #late: LazyState;
  readonly #closing = new Cancellation();
  #serial = 0;
  /** Ids stay unique when a session is restored by another process. */
  readonly #idPrefix = crypto.randomUUID().slice(0, 8);
  #message: { readonly role: MessageRole; readonly messageId: string } | undefined;
  readonly #text = new CutText();
  /** What is said now was said, and stored, before. */
  #repeating = false;
  #outputs: Set<TerminalOutput> | undefined;
  #flushing = false;
  /** Made for the first tool call: few of the sessions of a connection may have any. */
  #contents: GatheredContents | undefined;

  constructor(parts: SessionOutputParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.outbox = new Outbox(parts.connection, parts.id);
    this.#late = createLazyState(createSessionState(parts.limits));
  }

  get state(): SessionState {
    return this.#late.after;
  }

  get outputs(): Set<TerminalOutput> {
    this.#outputs ??= new Set();
    return this.#outputs;
  }

  get encode(): Encoder {
    return this.#parts.encode;
  }

  send(update: object): Room {
    return this.outbox.send(update);
  }

  get isHeld(): boolean {
    return this.outbox.isHeld;
  }

  get maxEventBytes(): number {
    return this.journal?.maxEventBytes ?? Number.POSITIVE_INFINITY;
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether {@link signal} fired. */
  get isClosed(): boolean {
    return this.#closing.isCancelled;
  }

  emit(event: WireEvent): Room {
    // It may be folded or sent later, and its caller may use the objects in it again.
    return this.#say(jsonCopy(event));
  }

  /** {@link emit} for an event of the runtime, which nobody changes any more. */
  tell(event: WireEvent): Room {
    // What the runtime writes into a state update is bounded, but for background work.
    return this.#say(event, event.type === "state_update" && !("background" in event));
  }

  #say(event: WireEvent, isShort = isShortPiece(event)): Room {
    if (this.#closing.isCancelled || (this.#repeating && !isList(event))) return undefined;
    if (!isShort) mustFit(event, this.#repeatedWith(event));
    this.#flushOutputs();
    this.outbox.mustTake(event);
    if (this.#text.isCut && this.#mayEndMessage(event)) this.#endText();
    this.#contents?.makeWay(event);
    const written = this.journal?.note(event);
    const around = this.#take(event);
    if (this.#parts.repeatsContents && isGrowth(event)) {
      this.#contents ??= new GatheredContents(this);
      return bothRooms(this.#contents.say(event, around), written);
    }
    let room: Room;
    for (const update of this.encode(event, around)) room = this.send(update) ?? room;
    return bothRooms(room, written);
  }

  /** Returns the content that the client's dialect sends again with an event. */
  #repeatedWith(event: WireEvent): unknown {
    if (!this.#parts.repeatsContents || event.type !== "tool_call_content_chunk") return undefined;
    const entry = this.state.timeline.get(`tool_call:${event.toolCallId}`);
    return entry?.type === "tool_call" ? entry.content : undefined;
  }

  setTitle(title: string | null): Room {
    return this.emit({ type: "session_info_update", title: title && shortened(title) });
  }

  setCommands(availableCommands: readonly AvailableCommand[]): Room {
    return this.emit({ type: "available_commands_update", availableCommands });
  }

  setConfigOptions(configOptions: readonly ConfigOption[]): Room {
    return this.emit({ type: "config_option_update", configOptions });
  }

  configValue(configId: string): string | boolean | undefined {
    const option = this.state.configOptions?.find((candidate) => candidate.configId === configId);
    return option !== undefined && "currentValue" in option ? option.currentValue : undefined;
  }

  /** One option has another value now: clients that read modes and those that read options are both told. */
  setValue(configId: string, value: string | boolean): void {
    const current = this.configValue(configId);
    if (current === undefined || current === value) return;
    this.setConfigOptions(optionsWith(this.state.configOptions ?? [], configId, value));
  }

  reportUsage(usage: { readonly used: number; readonly size: number; readonly cost?: Cost | null }): Room {
    return this.emit({ type: "usage_update", ...usage });
  }

  /** Adds to the message that is being said, or begins one. */
  append(role: MessageRole, content: ContentBlock): Room {
    if (this.#message?.role !== role) {
      this.#endText();
      this.#message = { role, messageId: this.newId(role) };
    }
    if (content.type !== "text") {
      this.#endText();
      return this.#sayPiece(content);
    }
    const { text: said } = content as TextContent;
    const text = typeof said === "string" ? this.#text.take(said) : said;
    if (text === said) return this.#sayPiece(content);
    // Half of a character is no piece.
    return text === "" ? undefined : this.#sayPiece({ ...content, text } as ContentBlock);
  }

  /** Ends the current message: the next text begins another. Never throws. */
  endMessage(): void {
    try {
      this.#endText();
    } catch (error) {
      this.onFault("The end of a message could not be sent.", error);
    }
    this.#message = undefined;
  }

  /** A piece of the message that is being said. */
  #sayPiece(content: ContentBlock): Room {
    const message = this.#message;
    return message && this.#say({ type: chunkOf[message.role], messageId: message.messageId, content });
  }

  /** The other half of a character comes no more. */
  #endText(): void {
    if (this.#text.isCut) this.#sayPiece({ type: "text", text: this.#text.end() });
  }

  /** Returns true if an event would be shown behind the current message. */
  #mayEndMessage(event: WireEvent): boolean {
    if ("messageId" in event && event.messageId === this.#message?.messageId) return false;
    if ("toolCallId" in event) return !this.state.timeline.has(`tool_call:${event.toolCallId}`);
    return !BESIDE.test(event.type);
  }

  /** Takes note of something that is not sent. Written down first: what cannot be written was not said. */
  record(event: SessionEvent): Room {
    this.#flushOutputs();
    this.#contents?.flush();
    const room = this.journal?.note(event);
    this.#take(event);
    return room;
  }

  /** Runs a handler that says again what the log has: of that only lists of options and commands count. */
  async repeat<T>(work: () => T | Promise<T>): Promise<T> {
    this.#repeating = true;
    try {
      return await work();
    } finally {
      this.#repeating = false;
    }
  }

  newId(what: string): string {
    this.#serial += 1;
    return `${what}-${this.#idPrefix}-${this.#serial}`;
  }

  /** Something went wrong that nobody's call fails by. */
  onFault(message: string, error: unknown, code?: "outgoing_invalid" | "log_failed"): void {
    this.#parts.onFault(message, error, code);
  }

  /** Says what terminals wrote and tools gave and nobody was told yet. Never throws. */
  flush(): void {
    this.#flushOutputs();
    this.#contents?.flush();
  }

  /** From here on it says nothing. */
  closeNow(): void {
    this.flush();
    this.#contents?.close();
    this.#closing.cancel("The session was closed.");
  }

  /** Folds an event, at the latest when somebody looks; a message ends where something else is shown. */
  #take(event: SessionEvent): StatesAround {
    const around = this.#late.add(event);
    const message = this.#message;
    const isOther = message !== undefined && !("messageId" in event && event.messageId === message.messageId);
    if (isOther && newestEntry(around.after) !== newestEntry(around.before)) this.#message = undefined;
    return around;
  }

  /** What was written before something else is said before it. Never throws. */
  #flushOutputs(): void {
    // Outputs that are said need not make way for each other.
    if (!this.#outputs?.size || this.#flushing) return;
    this.#flushing = true;
    // A copy: an output that must wait is put back.
    for (const output of [...this.#outputs]) output.flush();
    this.#flushing = false;
  }
}

const chunkOf = { user: "user_message_chunk", agent: "agent_message_chunk", thought: "agent_thought_chunk" } as const;

/** Events that are about something beside the conversation. */
const BESIDE = /^(?:usage|session_info|available_commands|config_option|current_mode|state|terminal|plan|subagent)_/;

/** How many there are says less: for each that comes others may go. */
const newestEntry = ({ timeline }: SessionState): string | undefined => timeline.at(-1)?.key;

const isList = ({ type }: WireEvent): boolean =>
  type === "available_commands_update" || type === "config_option_update";

/** Room in both: on the wire and in the log. */
function bothRooms(one: Room, other: Room): Room {
  if (one === undefined || other === undefined) return one ?? other;
  return Promise.all([one, other]).then(() => undefined);
}

function shortened(title: string): string {
  if (title.length <= MAX_TITLE_LENGTH) return title;
  // Not in the middle of a character that takes two units.
  const cut = title.slice(0, MAX_TITLE_LENGTH - 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Returns true if an event is surely small, as nearly all are. */
function isShortPiece(event: WireEvent): boolean {
  if (event.type !== "agent_message_chunk" && event.type !== "agent_thought_chunk") return false;
  const { content } = event;
  return content?.type === "text" && typeof content.text === "string" && content.text.length < SHORT;
}

/** Characters of a short piece. */
const SHORT = 65_536;
