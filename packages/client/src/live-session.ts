import type { ContentBlock, SessionEvent, SessionLists, SessionState, SessionWorkspace } from "@turnkit/session";
import { ImpliedUpdates, jsonCopy, optionChange } from "@turnkit/session/codec";
import {
  AcpError,
  type Connection,
  checkArgument,
  type Diagnostic,
  type InboundCall,
  isAcpError,
  withinGrace,
} from "@turnkit/transport";
import { checkId, checkListener, checkPromptArguments } from "./check-arguments.js";
import type { ClientOptions } from "./client-options.js";
import { setOption } from "./config-option.js";
import { checkOffered, checkPrompt } from "./driver/capability-checks.js";
import type { SessionTurns } from "./driver/dialect-rules.js";
import type { Driver } from "./driver/driver.js";
import type { HostedSession } from "./host/hosted-session.js";
import { type Decision, PendingQuestions, type QuestionKind, type Work } from "./pending-questions.js";
import type { EventListener, PromptOptions } from "./session.js";
import { SessionFeed } from "./session-feed.js";
import type { Turn } from "./turn.js";
import { TurnQueue } from "./turn-queue.js";

/** Parts of a live session. */
export type SessionParts = {
  readonly id: string;
  readonly workspace: SessionWorkspace;
  readonly connection: Connection;
  readonly driver: Driver;
  readonly options: ClientOptions;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly ended: (session: LiveSession) => void;
};

/** Implementation of `Session`. It consists of a feed of events, a queue of turns, and open questions. */
export class LiveSession implements HostedSession {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly feed: SessionFeed;
  readonly queue: TurnQueue;
  isOver = false;
  readonly #parts: SessionParts;
  readonly #implied: ImpliedUpdates | undefined;
  readonly #turns: SessionTurns;
  readonly #questions: PendingQuestions;
  readonly #onEnd = new Set<(successor?: LiveSession) => void>();
  #closing: Promise<void> | undefined;
  /**
   * Loss of the connection, or the reason of the end as text. An error object made here would keep the objects of its stack
   * in memory, such as the session that replaced this one.
   */
  #failure: AcpError | string | undefined;

  constructor(parts: SessionParts) {
    const { id, workspace, connection, driver, options, report } = parts;
    this.#parts = parts;
    this.id = id;
    this.cwd = workspace.cwd;
    this.roots = [workspace.cwd, ...(workspace.additionalDirectories ?? [])];
    const implied = driver.dialect.holdsPrompts ? undefined : new ImpliedUpdates();
    this.#implied = implied;
    const feed = new SessionFeed({ sessionId: id, lane: connection.openLane(id), options, report, implied });
    const turns = driver.openTurns(feed);
    const questions = new PendingQuestions({ session: this, feed, refuses: (work) => this.#refuses(work) });
    this.feed = feed;
    this.#turns = turns;
    this.#questions = questions;
    this.queue = new TurnQueue({ feed, connection, driver, turns, questions, options });
  }

  get state(): SessionState {
    return this.feed.state;
  }

  /** True while the agent answers a prompt of this client, or while its state updates report work. */
  get isAtWork(): boolean {
    return !this.isOver && this.queue.isAtWork;
  }

  subscribe(listener: () => void): () => void {
    checkListener("subscribe", listener);
    return this.feed.subscribe(listener);
  }

  onEvent(listener: EventListener): () => void {
    checkListener("onEvent", listener);
    return this.feed.listen({ name: listener.name, receive: (event) => listener(event, this) });
  }

  /** Publishes the updates of one message of the agent. */
  receive(events: readonly SessionEvent[], bytes: number): void {
    this.#turns.active(events[0]);
    let size = bytes;
    for (const received of events) {
      const event = received.type === "current_mode_update" ? optionChange(this.state, received) : received;
      if (event === undefined) continue;
      // Only a state update needs the earlier activity. Reading the state would reduce all other events at once.
      const before = event.type === "state_update" ? this.state.activity : undefined;
      this.feed.publish(event, size);
      this.#turns.updated(event, before);
      size = 0;
    }
  }

  /** Publishes the lists of the answer that opened the session. */
  opened({ configOptions, availableCommands }: SessionLists): void {
    const { cwd, additionalDirectories = [] } = this.#parts.workspace;
    this.feed.publish({
      type: "session_opened",
      sessionId: this.id,
      cwd,
      additionalDirectories,
      ...(configOptions && { configOptions }),
      ...(availableCommands && { availableCommands }),
    });
    if (!availableCommands?.length) return;
    this.feed.publish({ type: "available_commands_update", availableCommands, isImplied: true });
  }

  active(): void {
    this.#turns.active();
  }

  ask<Q, A>(kind: QuestionKind<Q, A>, question: Q, call: InboundCall): Promise<A> {
    this.#turns.active();
    return this.#questions.ask(kind, question, call);
  }

  prompt(content: string | readonly ContentBlock[], options: PromptOptions = {}): Turn {
    checkPromptArguments(content, options);
    const { _meta, signal } = options;
    // A copy: the state and a waiting prompt use the content later, and the caller may change its objects.
    const prompt = typeof content === "string" ? [{ type: "text", text: content } as const] : jsonCopy(content);
    checkPrompt(this.#parts.driver, prompt);
    const reason = this.#failure ?? (this.#closing && "it is being closed");
    const failure = typeof reason === "string" ? noPrompts(this.id, reason) : reason;
    const turn = this.queue.enter(
      { prompt, ...(_meta && { _meta: jsonCopy(_meta) }) },
      failure ? { failure } : signal?.aborted ? { stopReason: "cancelled", agentConfirmed: true } : undefined,
    );
    if (signal !== undefined) turn.cancelWith(signal);
    return turn;
  }

  cancel(): Promise<void> {
    return this.queue.cancelAll();
  }

  answer(requestId: string, decision: Decision): void {
    checkId("answer", requestId);
    const remedy = 'pass a decision such as { outcome: "selected", optionId } or { action: "decline" }';
    checkArgument(typeof decision === "object" && decision !== null, "answer decision", { got: decision, remedy });
    this.#questions.answer(requestId, decision);
  }

  async cancelToolCall(toolCallId: string): Promise<void> {
    const entry = this.state.timeline.get(`tool_call:${toolCallId}`);
    const isOffered = entry?.type === "tool_call" && entry.capabilities?.cancel != null;
    this.#checkCancels(isOffered, `tool call ${toolCallId}`);
    await this.#parts.driver.call("cancelToolCall", { sessionId: this.id, toolCallId });
  }

  async cancelTerminal(terminalId: string): Promise<void> {
    const isOffered = this.state.terminals.get(terminalId)?.capabilities?.cancel != null;
    this.#checkCancels(isOffered, `terminal ${terminalId}`);
    await this.#parts.driver.call("cancelTerminal", { sessionId: this.id, terminalId });
  }

  setConfigOption(configId: string, value: string | boolean): Promise<void> {
    return setOption(this.#parts.driver.call, this.feed, { configId, value });
  }

  async close(): Promise<void> {
    if (this.isOver) return;
    this.#closing ??= this.#close();
    await this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  onEnd(work: (successor?: LiveSession) => void): () => void {
    this.#onEnd.add(work);
    return () => this.#onEnd.delete(work);
  }

  /** Ends this session and gives its open questions and terminals to the restored session. */
  giveWay(restored: LiveSession): void {
    if (this.isOver) return;
    this.queue.giveWay();
    this.#questions.moveTo(restored.#questions);
    this.end("the session was restored", undefined, restored);
  }

  /** Ends the session in the client. `failure` is set if the connection was lost. */
  end(reason: string, failure?: AcpError, successor?: LiveSession): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#failure = failure ?? reason;
    this.#implied?.stop();
    this.#questions.dismiss(() => true);
    this.queue.end(failure);
    for (const work of this.#onEnd) work(successor);
    this.#onEnd.clear();
    this.feed.end({ type: "session_closed", reason });
    this.#parts.ended(this);
  }

  #refuses(work: Work): boolean {
    if (this.isOver || this.#closing !== undefined) return true;
    return this.state.cancelling && this.#turns.endsWithCancel(work);
  }

  // V2-TOOL-11, V2-TERM-11
  #checkCancels(isOffered: boolean, what: string): void {
    checkOffered(this.#parts.driver.peer, isOffered, `does not offer to cancel the ${what}`);
  }

  async #close(): Promise<void> {
    const { driver } = this.#parts;
    let isStopped = false;
    const closed = () => this.end("closed by this side");
    const failed = () => {
      this.#closing = undefined;
      // The turns have ended in the client, so the agent has to end them too.
      if (isStopped) driver.cancel(this.id);
    };
    try {
      const closing = driver.peer.capabilities.close
        ? driver.call("closeSession", { sessionId: this.id }, { received: closed, failed, orGone: true })
        : undefined;
      // An agent that cannot close sessions ends its work after a cancel.
      if (closing === undefined && this.state.activity.state !== "idle") driver.cancel(this.id);
      isStopped = this.queue.close();
      this.#questions.dismiss(() => true);
      if (closing !== undefined) await withinGrace(closing, this.queue.graceMs);
      closed();
    } catch (error) {
      this.#closing = undefined;
      // The loss of the connection has already ended the session.
      if (!isAcpError(error, "connection_closed")) throw error;
    }
  }
}

function noPrompts(sessionId: string, reason: string): AcpError {
  return new AcpError("state", `Session ${sessionId} accepts no more prompts: ${reason}.`);
}
