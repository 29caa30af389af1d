import {
  type AvailableCommand,
  type BackgroundWork,
  type ConfigOption,
  type ContentBlock,
  type Cost,
  createSessionState,
  type Encoder,
  type McpServer,
  type MessageRole,
  type PermissionQuestion,
  reduce,
  type SessionEvent,
  type SessionInfo,
  type SessionLists,
  type SessionPlace,
  type SessionState,
  type StateLimits,
  type WireEvent,
} from "@turnkit/session";
import type { Connection, Room } from "@turnkit/transport";
import type { SessionSetup, SetupAnswer } from "./agent.js";
import { type AgentTerminal, type AgentTerminalStart, openAgentTerminal } from "./agent-terminal.js";
import { CallOrder } from "./call-order.js";
import { CancelOffers } from "./cancel-offers.js";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import type { ClientInfo, Driver, InsertedPrompt } from "./driver/driver.js";
import { HeldUpdates } from "./held-updates.js";
import { type PermissionAnswer, readAnswer } from "./permission.js";
import type { PromptJob, PromptWork, TurnEnd } from "./prompt-job.js";
import { Questions } from "./questions.js";
import { type AgentSession, MAX_TITLE_LENGTH } from "./session.js";
import type { TerminalOutput } from "./terminal-output.js";
import { openToolCall, type ToolCall, type ToolCallStart } from "./tool-call.js";
import type { TurnQueue } from "./turn-queue.js";

/** What a live session is made of. */
export type SessionParts = {
  readonly id: string;
  readonly place: SessionPlace;
  readonly connection: Connection;
  readonly driver: Driver;
  readonly turns: TurnQueue;
  readonly limits: Partial<StateLimits>;
  readonly encode: Encoder;
  /** Something went wrong that nobody's call fails by. */
  onFault(message: string, error: unknown): void;
};

/** {@link AgentSession} as the runtime makes it. */
export class LiveSession<S> implements AgentSession<S> {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly turns: TurnQueue;
  readonly order: CallOrder;
  readonly cancels = new CancelOffers();
  readonly outputs = new Set<TerminalOutput>();
  readonly questions: Questions;
  background: readonly BackgroundWork[] | undefined;
  data = undefined as S;
  state: SessionState;
  /** Whether the handler that opens it succeeded. */
  readonly opening: Promise<boolean>;
  settleOpening!: (opened: boolean) => void;
  isOpen = false;
  /** Set once its end has begun. */
  ended: Promise<void> | undefined;
  readonly #parts: SessionParts;
  readonly #closing = new AbortController();
  #serial = 0;
  /** Ids stay unique when a session is restored by another process. */
  readonly #idPrefix = crypto.randomUUID().slice(0, 8);
  #message: { readonly role: MessageRole; readonly messageId: string } | undefined;
  /** Set until the answer to `session/new` left. */
  #held: HeldUpdates | undefined;

  constructor(parts: SessionParts) {
    const { id, place, connection, turns, limits } = parts;
    this.#parts = parts;
    this.id = id;
    this.cwd = place.cwd;
    this.roots = [place.cwd, ...(place.additionalDirectories ?? [])];
    this.mcpServers = place.mcpServers ?? [];
    this.turns = turns;
    this.questions = new Questions(this, parts.driver);
    this.order = new CallOrder(connection.openLane());
    this.opening = new Promise((resolve) => {
      this.settleOpening = resolve;
    });
    this.state = createSessionState(limits);
    const { cwd, additionalDirectories = [] } = place;
    this.record({ type: "session_opened", sessionId: id, cwd, additionalDirectories });
  }

  get client(): ClientInfo {
    return this.#parts.driver.client;
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  emit(event: WireEvent): Room {
    if (this.signal.aborted) return undefined;
    // Before the states are compared: what this event changes is this event's alone.
    this.#flushOutputs();
    const before = this.state;
    this.record(event);
    let room: Room;
    for (const update of this.#parts.encode(event, before, this.state)) room = this.#send(update) ?? room;
    return room;
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

  reportUsage(usage: { readonly used: number; readonly size: number; readonly cost?: Cost | null }): Room {
    return this.emit({ type: "usage_update", ...usage });
  }

  setBackground(work: readonly BackgroundWork[]): void {
    const before = this.background;
    this.background = work;
    try {
      if (!this.signal.aborted) this.#parts.driver.backgroundChanged(this);
    } catch (error) {
      // What cannot be sent must not spoil the snapshots that follow.
      this.background = before;
      throw error;
    }
  }

  toolCall(start: ToolCallStart): ToolCall {
    const { signal } = this;
    const ask = async (question: PermissionQuestion): Promise<PermissionAnswer> =>
      signal.aborted ? { granted: false } : readAnswer(question, await this.questions.askPermission(question, signal));
    return openToolCall({ session: this, signal, emit: (event) => this.emit(event), ask }, start);
  }

  terminal(start: AgentTerminalStart = {}): AgentTerminal {
    return openAgentTerminal(this, start);
  }

  completeElicitation(elicitationId: string): void {
    if (!this.signal.aborted) this.questions.completeElicitation(elicitationId);
  }

  /** A prompt is inserted and its turn begins. */
  begin(prompt: InsertedPrompt): void {
    this.#parts.driver.begin(this, prompt);
  }

  /** A turn that began has ended. Never throws: the end must get to whoever waits for it. */
  endTurn(messageId: string, end: TurnEnd): void {
    try {
      this.#parts.driver.end(this, messageId, end);
    } catch (error) {
      this.onFault("The end of a turn could not be told.", error);
    }
  }

  /** Something went wrong that nobody's call fails by. */
  onFault(message: string, error: unknown): void {
    this.#parts.onFault(message, error);
  }

  waiting(forUser: boolean): void {
    this.#parts.driver.waiting(this, forUser);
  }

  /** The handler brought it back. */
  restored(): void {
    this.#parts.driver.restored(this);
  }

  /** One option has another value now: clients that read modes and those that read options are both told. */
  setValue(configId: string, value: string | boolean): void {
    const current = this.configValue(configId);
    if (current === undefined || current === value) return;
    const options = this.state.configOptions ?? [];
    const change = (option: ConfigOption): ConfigOption =>
      option.configId === configId ? ({ ...option, currentValue: value } as ConfigOption) : option;
    this.setConfigOptions(options.map(change));
  }

  /** Adds to the message that is being said, or begins one. */
  append(role: MessageRole, content: ContentBlock): Room {
    if (this.#message?.role !== role) this.#message = { role, messageId: this.newId(role) };
    return this.emit({ type: chunkOf[role], messageId: this.#message.messageId, content });
  }

  /** Takes note of something that is not sent. */
  record(event: SessionEvent): void {
    this.#flushOutputs();
    const before = this.state;
    this.state = reduce(before, event);
    const ownChunk = "messageId" in event && event.messageId === this.#message?.messageId;
    if (this.state.timeline.length !== before.timeline.length && !ownChunk) this.#message = undefined;
  }

  newId(what: string): string {
    this.#serial += 1;
    return `${what}-${this.#idPrefix}-${this.#serial}`;
  }

  clientFiles(signal: AbortSignal): ClientFiles | undefined {
    return this.#parts.driver.files(this.id, signal);
  }

  clientTerminals(signal: AbortSignal): ClientTerminals | undefined {
    return this.#parts.driver.terminals(this.id, signal);
  }

  /** Enters a prompt: a cancel reaches it from now on; it starts after what was received before it. */
  enter(bytes: number, work: PromptWork): PromptJob {
    const job = this.turns.push(work);
    this.order.start(bytes, () => this.turns.letIn(job));
    return job;
  }

  /** The connection is gone: nobody is answered, nobody listens. Turns get so much time to end. */
  abandon(graceMs: number): void {
    this.turns.abandon(graceMs);
    this.order.abandon();
    this.closeNow();
  }

  /** What a list of sessions says of it. */
  describe(): SessionInfo {
    const { id: sessionId, cwd, roots, state } = this;
    const [, ...additionalDirectories] = roots;
    const { title, updatedAt } = state;
    return {
      sessionId,
      cwd,
      ...(additionalDirectories.length > 0 && { additionalDirectories }),
      ...(title !== undefined && { title }),
      ...(updatedAt !== undefined && { updatedAt }),
    };
  }

  /** Takes what its handler returned; the answer tells it to the client. */
  setUp(setup: SetupAnswer<S>): SessionLists {
    const { data, configOptions, availableCommands }: Partial<SessionSetup<S>> = setup ?? {};
    this.data = data as S;
    const lists = { ...(configOptions && { configOptions }), ...(availableCommands && { availableCommands }) };
    this.record({ type: "session_opened", sessionId: this.id, ...lists });
    return lists;
  }

  /** Keeps updates back until {@link announced}: the client does not know the session yet (V1-SESS-04). */
  hold(): void {
    this.#held = new HeldUpdates(this.id);
  }

  /** The answer that names the session has left. */
  announced(): void {
    const updates = this.#held?.take() ?? [];
    this.#held = undefined;
    for (const update of updates) this.#send(update);
  }

  /** From here on it says nothing. */
  closeNow(): void {
    try {
      this.#flushOutputs();
    } catch (error) {
      this.onFault("Output of a terminal could not be told.", error);
    }
    this.#held = undefined;
    if (!this.signal.aborted) this.#closing.abort(new DOMException("The session was closed.", "AbortError"));
  }

  /** What was written before something else is said before it. */
  #flushOutputs(): void {
    for (const output of this.outputs) output.flush();
  }

  #send(update: object): Room {
    if (this.#held === undefined) {
      return this.#parts.connection.notify("session/update", { sessionId: this.id, update });
    }
    this.#held.add(update);
    return undefined;
  }
}

const chunkOf = { user: "user_message_chunk", agent: "agent_message_chunk", thought: "agent_thought_chunk" } as const;

function shortened(title: string): string {
  if (title.length <= MAX_TITLE_LENGTH) return title;
  // Not in the middle of a character that takes two units.
  const cut = title.slice(0, MAX_TITLE_LENGTH - 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, "")}…`;
}
