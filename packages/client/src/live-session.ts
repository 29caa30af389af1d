import type {
  ContentBlock,
  Meta,
  SessionEvent,
  SessionLists,
  SessionState,
  SessionWorkspace,
  SubagentPatch,
} from "@turnkit/session";
import { ImpliedUpdates, jsonCopy, mirroredState, optionChange, repeatsMirror } from "@turnkit/session/codec";
import { AcpError, type Connection, checkArgument, type Diagnostic, type InboundCall } from "@turnkit/transport";
import { checkId, checkListener, checkPromptArguments, mustBeWhole } from "./check-arguments.js";
import type { ClientOptions } from "./client-options.js";
import { closeSession } from "./close-session.js";
import { setOption } from "./config-option.js";
import { checkCancel, checkPrompt } from "./driver/capability-checks.js";
import type { SessionTurns } from "./driver/dialect-rules.js";
import type { Driver } from "./driver/driver.js";
import { keyForPrompt } from "./driver/send-prompt.js";
import type { HostedSession } from "./host/hosted-session.js";
import { type Decision, PendingQuestions, type QuestionKind, type Work } from "./pending-questions.js";
import { reportSilence } from "./report-silence.js";
import { sessionNames } from "./sdk-names.js";
import type { EventListener, PromptOptions } from "./session.js";
import { SessionFeed } from "./session-feed.js";
import { TreePlace } from "./tree-place.js";
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
  readonly sessions: {
    /** Returns the child session of an announcement. Returns `null` if the announcement opens nothing here. */
    announced(parent: LiveSession, event: SubagentPatch & SessionEvent): LiveSession | null | undefined;
    deliverEarly(child: LiveSession): void;
    nextNumber(): number;
  };
};

/** Implementation of `Session`. It consists of a feed of events, a queue of turns, and open questions. */
export class LiveSession implements HostedSession {
  readonly id: string;
  readonly tree: TreePlace<LiveSession>;
  readonly feed: SessionFeed;
  readonly queue: TurnQueue;
  isOver = false;
  _meta: Meta | undefined;
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

  /** @param parent session that has announced this session. It is not stored in the parts: a restore may replace it. */
  constructor(parts: SessionParts, parent?: LiveSession) {
    const { id, workspace, connection, driver, options, report, sessions } = parts;
    this.#parts = parts;
    this.id = id;
    this.tree = new TreePlace<LiveSession>(this, workspace, parent);
    // A child session has no prompts, and its activity is reported in every dialect.
    const implied = driver.dialect.holdsPrompts || parent ? undefined : new ImpliedUpdates();
    this.#implied = implied;
    const feed = new SessionFeed({ sessionId: id, lane: connection.openLane(id), options, report, implied });
    const turns = driver.openTurns(feed);
    const number = sessions.nextNumber();
    const questions = new PendingQuestions({ session: this, feed, number, refuses: (work) => this.#refuses(work) });
    this.feed = feed;
    this.#turns = turns;
    this.#questions = questions;
    this.queue = new TurnQueue({ feed, connection, driver, turns, questions, options });
  }

  get state(): SessionState {
    return this.feed.state;
  }

  get cwd(): string {
    return this.tree.cwd;
  }

  get roots(): readonly string[] {
    return [this.tree.cwd, ...this.tree.directories];
  }

  get parent(): LiveSession | undefined {
    return this.tree.parent;
  }

  get children(): readonly LiveSession[] {
    return this.tree.children;
  }

  get titles(): readonly string[] {
    return this.tree.titles;
  }

  onChild(listener: (child: LiveSession) => void): () => void {
    return this.tree.onChild(listener);
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
      // Only a state update needs the earlier activity. Reading the state would reduce all other events immediately.
      const before = event.type === "state_update" ? this.state.activity : undefined;
      if (event.type === "subagent_update") this.#publishChild(event, size);
      // P-SUB-15
      else if (this.parent && event.type === "state_update" && repeatsMirror(this.state, event)) this.feed.apply(event);
      else this.feed.publish(event, size);
      this.#turns.updated(event, before);
      // P-SUB-20
      const ended = this.parent && event.type === "state_update" && event.state === "idle";
      if (ended) this.#questions.dismiss((work) => this.#turns.endsWithCancel(work));
      size = 0;
    }
  }

  /** Publishes an announcement or change of a child session, and opens the child session if it is new. */
  #publishChild(event: SubagentPatch & SessionEvent, size: number): void {
    const { sessions } = this.#parts;
    const known = this.tree.get(event.sessionId);
    const child = sessions.announced(this, event);
    if (child === null) return;
    if (child === undefined) return this.feed.publish(event, size);
    child.tree.announced(event, (whole) => this.feed.publish(whole, size));
    if (child !== known) {
      this.tree.announce(child, (message, error) => this.feed.report({ code: "listener_failed", message, error }));
      child.opened({});
      sessions.deliverEarly(child);
    }
    const mirrored = mirroredState(child.state, event.state);
    if (mirrored !== undefined) child.receive([mirrored], 0);
  }

  /** Makes a child session. */
  openChild(id: string): LiveSession {
    const child = new LiveSession({ ...this.#parts, id }, this);
    this.tree.add(child);
    return child;
  }

  /** Publishes the lists of the answer that opened the session. */
  opened({ configOptions, availableCommands, _meta }: SessionLists): void {
    this._meta = _meta ?? undefined;
    this.feed.publish({
      type: "session_opened",
      sessionId: this.id,
      cwd: this.cwd,
      additionalDirectories: this.tree.directories,
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
    mustBeWhole(this, "session", "prompt");
    checkPromptArguments(content, options, this.#parts.report);
    this.tree.refuseChild("takes no prompts");
    const { _meta, signal } = options;
    // A copy: the state and a waiting prompt use the content later, and the caller may change its objects.
    const prompt = typeof content === "string" ? [{ type: "text", text: content } as const] : jsonCopy(content);
    checkPrompt(this.#parts.driver, prompt);
    const reason = this.#failure ?? (this.#closing && "it is being closed");
    const text = `Session ${this.id} accepts no more prompts: ${reason}.`;
    const failure = typeof reason === "string" ? new AcpError("state", text) : reason;
    const message = { prompt, ...keyForPrompt(this.#parts, options), ...(_meta && { _meta: jsonCopy(_meta) }) };
    const cancelled = signal?.aborted ? ({ stopReason: "cancelled", agentConfirmed: true } as const) : undefined;
    return this.queue.enter(message, failure ? { failure } : cancelled, signal);
  }

  async cancel(): Promise<void> {
    // P-SUB-09, P-SUB-12, P-SUB1-07
    if (this.parent && !this.isOver) checkCancel(this.#parts.driver.peer, this.tree.announcement, "subagent");
    await this.queue.cancelAll();
  }

  answer(requestId: string, decision: Decision): void {
    checkId("answer", requestId);
    const remedy = 'pass a decision such as { outcome: "selected", optionId } or { action: "decline" }';
    checkArgument(typeof decision === "object" && decision !== null, "answer decision", { got: decision, remedy });
    this.#questions.answer(requestId, decision);
  }

  async cancelToolCall(toolCallId: string): Promise<void> {
    const entry = this.state.timeline.get(`tool_call:${toolCallId}`);
    checkCancel(this.#parts.driver.peer, entry?.type === "tool_call" ? entry : undefined, `tool call ${toolCallId}`);
    await this.#parts.driver.call("cancelToolCall", { sessionId: this.id, toolCallId });
  }

  async cancelTerminal(terminalId: string): Promise<void> {
    checkCancel(this.#parts.driver.peer, this.state.terminals.get(terminalId), `terminal ${terminalId}`);
    await this.#parts.driver.call("cancelTerminal", { sessionId: this.id, terminalId });
  }

  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    this.tree.refuseChild("has options only to be shown");
    const { driver, report } = this.#parts;
    const changed = setOption(driver.call, this.feed, { configId, value });
    return reportSilence(changed, { method: "setConfigOption", report });
  }

  async close(): Promise<void> {
    if (this.isOver) return;
    this.tree.refuseChild("ends with its parent");
    this.#closing ??= closeSession(this, this.#parts.driver, {
      dismiss: () => this.#questions.dismiss(() => true),
      goesOn: () => {
        this.#closing = undefined;
      },
    });
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
    for (const child of this.children) {
      // A restore without a replay announces no child sessions.
      if (successor === undefined || successor.tree.get(child.id)) child.end(reason, failure);
      else successor.tree.add(child);
    }
    this.parent?.tree.remove(this);
    this.feed.end({ type: "session_closed", reason });
    this.#parts.ended(this);
  }

  #refuses(work: Work): boolean {
    if (this.isOver || this.#closing !== undefined) return true;
    return this.state.cancelling && this.#turns.endsWithCancel(work);
  }
}

Object.setPrototypeOf(LiveSession.prototype, sessionNames);
