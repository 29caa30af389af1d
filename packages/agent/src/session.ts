import {
  type AvailableCommand,
  type ConfigOption,
  type ContentBlock,
  type Cost,
  createSessionState,
  type Encoder,
  type McpServer,
  type MessageRole,
  type PermissionOutcome,
  type PermissionQuestion,
  reduce,
  type SessionEvent,
  type SessionPlace,
  type SessionState,
  type StateLimits,
  type WireEvent,
} from "@turnkit/session";
import { AcpError, type Connection, type Lane, type Room } from "@turnkit/transport";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import type { ClientInfo, Driver } from "./driver/driver.js";
import type { TurnQueue } from "./turn-queue.js";

/** A conversation as its agent sees it. Updates may be sent at any time, also outside turns. */
export interface AgentSession<S = undefined> {
  readonly id: string;
  /** Absolute; base of relative paths. */
  readonly cwd: string;
  /** `cwd` and the additional directories: the bounds of what tools may touch. */
  readonly roots: readonly string[];
  /** Empty in version 1 when the client gave none. Connecting to them is the agent's work. */
  readonly mcpServers: readonly McpServer[];
  /** What `newSession` or `restoreSession` returned as `data`; not there yet while they run. */
  readonly data: S;
  /** All that was said so far, as a client would draw it. */
  readonly state: SessionState;
  /** Who is on the other side, and what it can do. */
  readonly client: ClientInfo;
  /** Fires when the session closes or the connection ends. */
  readonly signal: AbortSignal;
  /** Sends anything the protocol can say. What the client's dialect cannot say is reported as a loss. */
  emit(event: WireEvent): Room;
  setTitle(title: string | null): Room;
  /** Replaces the list of slash commands. */
  setCommands(commands: readonly AvailableCommand[]): Room;
  /** Replaces the list of options, current values included. In version 1 a change of mode is told as such too. */
  setConfigOptions(options: readonly ConfigOption[]): Room;
  /** Current value of an option; `undefined` for one that does not exist. */
  configValue(configId: string): string | boolean | undefined;
  /** Tokens in the context, its size, and what the session cost so far. */
  reportUsage(usage: { readonly used: number; readonly size: number; readonly cost?: Cost | null }): Room;
}

/** Updates that may wait for the answer of `session/new`; one more throws. */
export const MAX_HELD_UPDATES = 1_000;

/** What a live session is made of. */
export type SessionParts = {
  readonly id: string;
  readonly place: SessionPlace;
  readonly connection: Connection;
  readonly driver: Driver;
  readonly turns: TurnQueue;
  readonly limits: Partial<StateLimits>;
  readonly encode: Encoder;
};

/** {@link AgentSession} as the runtime makes it. */
export class LiveSession<S> implements AgentSession<S> {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly lane: Lane;
  readonly turns: TurnQueue;
  data = undefined as S;
  state: SessionState;
  readonly #parts: SessionParts;
  readonly #closing = new AbortController();
  #serial = 0;
  /** Ids stay unique when a session is restored by another process. */
  readonly #idPrefix = crypto.randomUUID().slice(0, 8);
  #open: { readonly role: MessageRole; readonly messageId: string } | undefined;
  /** Set until the answer to `session/new` left. */
  #held: WireEvent[] | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.cwd = parts.place.cwd;
    this.roots = [parts.place.cwd, ...(parts.place.additionalDirectories ?? [])];
    this.mcpServers = parts.place.mcpServers ?? [];
    this.lane = parts.connection.openLane();
    this.turns = parts.turns;
    this.state = createSessionState(parts.limits);
  }

  get client(): ClientInfo {
    return this.#parts.driver.client;
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  emit(event: WireEvent): Room {
    if (this.signal.aborted) return undefined;
    if (this.#held === undefined) return this.#send(event);
    if (this.#held.length >= MAX_HELD_UPDATES) {
      throw new AcpError("state", `More than ${MAX_HELD_UPDATES} updates before the session ${this.id} was announced.`);
    }
    this.#held.push(event);
    return undefined;
  }

  setTitle(title: string | null): Room {
    return this.emit({ type: "session_info_update", title });
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

  reportUsage(usage: { readonly used: number; readonly size: number; readonly cost?: Cost | null }): Room {
    return this.emit({ type: "usage_update", ...usage });
  }

  /** Adds to the message that is being said, or begins one. */
  append(role: MessageRole, content: ContentBlock): Room {
    if (this.#open?.role !== role) this.#open = { role, messageId: this.newId(role) };
    return this.emit({ type: chunkOf[role], messageId: this.#open.messageId, content });
  }

  /** Takes note of something that is not sent. */
  record(event: SessionEvent): void {
    const before = this.state;
    this.state = reduce(before, event);
    const ownChunk = "messageId" in event && event.messageId === this.#open?.messageId;
    if (this.state.timeline.length !== before.timeline.length && !ownChunk) this.#open = undefined;
  }

  newId(what: string): string {
    this.#serial += 1;
    return `${what}-${this.#idPrefix}-${this.#serial}`;
  }

  async askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome> {
    this.#mustBeAnnounced("ask for permission");
    const requestId = this.newId("ask");
    this.record({ type: "permission_asked", requestId, ...question });
    let outcome: PermissionOutcome = { outcome: "cancelled" };
    try {
      outcome = await this.#parts.driver.askPermission(this.id, question, signal);
    } catch {
      // A client that fails to answer did not say yes (V1-PERM-07).
    }
    this.record({ type: "permission_answered", requestId, outcome });
    return outcome;
  }

  clientFiles(signal: AbortSignal): ClientFiles | undefined {
    return this.#parts.driver.files(this.id, signal);
  }

  clientTerminals(signal: AbortSignal, over: AbortSignal): ClientTerminals | undefined {
    return this.#parts.driver.terminals(this.id, signal, over);
  }

  /** Keeps updates back until {@link announced}: the client does not know the session yet (V1-SESS-04). */
  holdUpdates(): void {
    this.#held = [];
  }

  /** The answer that names the session has left. */
  announced(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.#send(event);
  }

  /** Ends what runs, then says nothing any more (V1-SESS-36). */
  async close(): Promise<void> {
    this.turns.cancelAll();
    await this.turns.idle();
    this.closeNow();
  }

  /** The client is gone: nobody listens. */
  closeNow(): void {
    this.turns.cancelAll();
    this.#closing.abort(new DOMException("The session was closed.", "AbortError"));
  }

  #mustBeAnnounced(what: string): void {
    if (this.#held === undefined) return;
    throw new AcpError("state", `Cannot ${what} inside newSession: the client does not know session ${this.id} yet.`);
  }

  #send(event: WireEvent): Room {
    const before = this.state;
    this.record(event);
    let room: Room;
    for (const update of this.#parts.encode(event, before, this.state)) {
      room = this.#parts.connection.notify("session/update", { sessionId: this.id, update }) ?? room;
    }
    return room;
  }
}

const chunkOf = { user: "user_message_chunk", agent: "agent_message_chunk", thought: "agent_thought_chunk" } as const;
