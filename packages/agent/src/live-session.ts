import type {
  BackgroundWork,
  McpServer,
  PermissionQuestion,
  SessionInfo,
  SessionLists,
  SessionPlace,
} from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import { RpcError } from "@turnkit/transport";
import type { SessionSetup, SetupAnswer } from "./agent-handlers.js";
import { type AgentTerminal, type AgentTerminalStart, openAgentTerminal } from "./agent-terminal.js";
import { boundedEnd } from "./bounded-end.js";
import { CallOrder, type CallStore } from "./call-order.js";
import { CancelOffers } from "./cancel-offers.js";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import type { ClientInfo, Driver, InsertedPrompt, Lifetime } from "./driver/driver.js";
import { Outcome } from "./outcome.js";
import type { PermissionAnswer } from "./permission.js";
import type { PromptJob, PromptWork, TurnEnd } from "./prompt-job.js";
import { Questions } from "./questions.js";
import { bareEnd } from "./sendable-end.js";
import type { AgentSession } from "./session.js";
import { SessionOutput, type SessionOutputParts } from "./session-output.js";
import { openToolCall, type ToolCall, type ToolCallStart } from "./tool-call.js";
import type { TurnQueue } from "./turn-queue.js";

/** What a live session is made of. */
export type SessionParts = SessionOutputParts & {
  readonly place: SessionPlace;
  readonly driver: Driver;
  readonly turns: TurnQueue;
  /** Room for calls that wait, shared by the sessions of the connection. */
  readonly calls: CallStore;
  /** Order of the session that this one is to replace: sessions of one id share it. */
  readonly order?: CallOrder | undefined;
};

/** {@link AgentSession} as the runtime makes it. */
export class LiveSession<S> extends SessionOutput implements AgentSession<S> {
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly turns: TurnQueue;
  readonly order: CallOrder;
  background: readonly BackgroundWork[] | undefined;
  data = undefined as S;
  /** Whether the handler that opens it succeeded. */
  readonly opening = new Outcome<boolean>();
  isOpen = false;
  /** The session of the same id that this one is to replace, while that is undecided. */
  before: LiveSession<S> | undefined;
  /** The session of the same id that goes on, since the restore that made this one was refused. */
  standIn: LiveSession<S> | undefined;
  /** Set once its end has begun. */
  ended: Promise<void> | undefined;
  readonly #parts: SessionParts;
  // Made when they are needed: there may be thousands of sessions, and most of them ask nothing.
  #cancels: CancelOffers | undefined;
  #questions: Questions | undefined;

  constructor(parts: SessionParts) {
    super(parts);
    const { id, place, calls, turns } = parts;
    this.#parts = parts;
    this.cwd = place.cwd;
    this.roots = [place.cwd, ...(place.additionalDirectories ?? [])];
    this.mcpServers = place.mcpServers ?? [];
    this.turns = turns;
    this.order = parts.order ?? new CallOrder(calls);
    const { cwd, additionalDirectories = [] } = place;
    this.record({ type: "session_opened", sessionId: id, cwd, additionalDirectories });
  }

  /** The session that calls to this one are about by now. */
  get current(): LiveSession<S> {
    let session: LiveSession<S> = this;
    while (session.standIn !== undefined) session = session.standIn;
    return session;
  }

  /** Every session of its id that may be open: itself, then those that restores before it are to replace. */
  *lineage(): Iterable<LiveSession<S>> {
    let session: LiveSession<S> | undefined = this;
    while (session !== undefined) {
      yield session;
      session = session.standIn ?? session.before;
    }
  }

  get cancels(): CancelOffers {
    this.#cancels ??= new CancelOffers();
    return this.#cancels;
  }

  get questions(): Questions {
    this.#questions ??= new Questions(this, this.#parts.driver);
    return this.#questions;
  }

  get client(): ClientInfo {
    return this.#parts.driver.client;
  }

  setBackground(work: readonly BackgroundWork[]): void {
    const before = this.background;
    this.background = jsonCopy(work);
    try {
      if (!this.isClosed) this.#parts.driver.backgroundChanged(this);
    } catch (error) {
      // What cannot be sent must not spoil the snapshots that follow.
      this.background = before;
      throw error;
    }
  }

  toolCall(start: ToolCallStart): ToolCall {
    const { signal } = this;
    const ask = async (question: PermissionQuestion): Promise<PermissionAnswer> =>
      signal.aborted ? { allowed: false } : this.questions.askPermission(question, signal);
    return openToolCall({ session: this, signal, emit: (event) => this.emit(event), ask }, start);
  }

  terminal(start: AgentTerminalStart = {}): AgentTerminal {
    return openAgentTerminal(this, start);
  }

  completeElicitation(elicitationId: string): void {
    if (!this.isClosed) this.questions.completeElicitation(elicitationId);
  }

  /** A prompt is inserted and its turn begins. */
  begin(prompt: InsertedPrompt): void {
    this.#parts.driver.begin(this, prompt);
    // Not before: a prompt that cannot be stored begins no turn.
    this.journal?.append({ type: "turn_started", promptId: prompt.messageId });
  }

  /** A turn that began has ended: stores it where there is a log, then tells it. Never fails: somebody waits for the end. */
  endTurn(messageId: string, given: TurnEnd): TurnEnd | Promise<TurnEnd> {
    const end = boundedEnd(given, this.maxEventBytes);
    this.flush();
    this.endMessage();
    if (this.journal === undefined) return this.#tellEnd(messageId, end);
    return this.journal.endTurn(messageId, end).then((stored) => this.#tellEnd(messageId, stored));
  }

  #tellEnd(messageId: string, end: TurnEnd): TurnEnd {
    try {
      this.#parts.driver.end(this, messageId, end);
      return end;
    } catch (error) {
      this.onFault("The end of a turn could not be told as it was.", error);
      return this.#tellBareEnd(messageId, end);
    }
  }

  /** Without what the agent added to it: the client must not believe that the turn goes on. */
  #tellBareEnd(messageId: string, end: TurnEnd): TurnEnd {
    const bare = bareEnd(end);
    try {
      this.#parts.driver.end(this, messageId, bare);
    } catch (error) {
      this.onFault("The end of a turn could not be sent.", error);
    }
    return bare;
  }

  waiting(forUser: boolean): void {
    this.#parts.driver.waiting(this, forUser);
  }

  /** The handler brought it back. */
  restored(): void {
    this.#parts.driver.restored(this);
  }

  clientFiles(lifetime: Lifetime): ClientFiles | undefined {
    return this.#parts.driver.files(this.id, lifetime);
  }

  clientTerminals(lifetime: Lifetime): ClientTerminals | undefined {
    return this.#parts.driver.terminals(this.id, lifetime);
  }

  /** @throws RpcError `-32002` for one that was closed, or failed to open, since it was found */
  mustBeOpen(): void {
    if (this.isClosed) throw RpcError.resourceNotFound({ sessionId: this.id });
  }

  /**
   * Enters a prompt: a cancel reaches it from now on; it starts after what was received before it.
   *
   * @throws RpcError where too much waits, or the session's policy refuses a prompt at this moment
   */
  enter(bytes: number, work: PromptWork): PromptJob {
    const leave = this.order.enter(bytes, !this.turns.isIdle);
    try {
      const job = this.turns.push(work, leave);
      this.order.start(() => job.enter());
      return job;
    } catch (error) {
      leave();
      throw error;
    }
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
    const lists = jsonCopy({
      ...(configOptions && { configOptions }),
      ...(availableCommands && { availableCommands }),
    });
    const { id: sessionId, cwd } = this;
    const [, ...additionalDirectories] = this.roots;
    this.record({ type: "session_opened", sessionId, ...lists });
    this.journal?.append({ type: "session_opened", sessionId, cwd, additionalDirectories, ...lists });
    return lists;
  }
}
