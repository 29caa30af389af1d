import type {
  BackgroundWork,
  ContentBlock,
  ElicitationAnswer,
  ElicitationQuestion,
  PlanEntry,
  SessionState,
  WireEvent,
} from "@turnkit/session";
import { AcpError, type Room } from "@turnkit/transport";
import { type AgentTerminal, type AgentTerminalStart, openAgentTerminal } from "./agent-terminal.js";
import { CancellableWork } from "./cancellable-work.js";
import { checkEmitted } from "./check-emitted.js";
import { checkChild } from "./check-values.js";
import { ChildActivity } from "./child-activity.js";
import { openChildOutput } from "./child-output.js";
import type { ChildEnd, ChildOptions, ChildSession } from "./child-session.js";
import { ChildWork } from "./child-work.js";
import { type ChildOwner, type ChildParts, Children, checkLinks } from "./children.js";
import { DegradedChild } from "./degraded-child.js";
import type { Driver } from "./driver/driver.js";
import { Elicitations } from "./elicitations.js";
import type { LiveTurn } from "./live-turn.js";
import type { AskedQuestion, PermissionAnswer } from "./questions.js";
import type { SessionOutput } from "./session-output.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";
import { unknownMembers } from "./unused-options.js";

/** Opens a child session. It is announced before anything else is sent for it. */
// P-SUB-03
export function openChild(
  owner: ChildOwner,
  parts: ChildParts,
  given: { readonly title: string } & ChildOptions,
): LiveChild {
  const { output, children } = owner;
  const { title: _, ...options } = given;
  checkChild(given);
  for (const message of unknownMembers("session.child", options)) output.onFault(message, undefined, "unused_option");
  if (output.isClosed || output.outbox.isUnknown)
    throw new AcpError(
      "state",
      `Session ${owner.id} is not open. Open child sessions after newSession and before its end.`,
    );
  children.mustTake();
  const child = new LiveChild(owner, parts, given);
  children.add(child);
  return child;
}

/** Implementation of {@link ChildSession}. */
export class LiveChild implements ChildSession {
  readonly id = crypto.randomUUID();
  readonly title: string;
  readonly driver: Driver;
  readonly output: SessionOutput;
  readonly children: Children;
  readonly cancellable = new CancellableWork();
  readonly elicitations: Elicitations;
  /** True if the client may cancel the work. */
  readonly isCancellable: boolean;
  /** True from the beginning of {@link close}. */
  isEnding = false;
  readonly #owner: ChildOwner;
  readonly #parts: ChildParts;
  readonly #activity: ChildActivity;
  readonly #work: ChildWork;

  constructor(owner: ChildOwner, parts: ChildParts, given: { title: string } & ChildOptions) {
    const { id } = this;
    const { title, cwd, cancel = false } = given;
    const { driver } = owner;
    this.#owner = owner;
    this.#parts = parts;
    this.title = title;
    this.isCancellable = cancel;
    announce(owner, parts, { ...given, id });
    const degraded = driver.childStates === undefined ? new DegradedChild(owner, id, title) : undefined;
    // The child session itself reports its questions.
    const waiting = (_: unknown, forUser: boolean) =>
      this.#activity.report({ state: forUser ? "requires_action" : "running" });
    this.driver = { ...driver, ...degraded?.requests(driver, owner.id), waiting };
    this.output = openChildOutput(owner, parts, { id, encode: degraded?.encode });
    this.elicitations = new Elicitations(this.driver, this.output.onFault);
    this.children = new Children(this, parts.table, owner.children);
    const { cwd: folder, additionalDirectories } = owner.output.state;
    this.output.record({
      type: "session_opened",
      sessionId: id,
      ...((cwd ?? folder) && { cwd: cwd ?? folder }),
      additionalDirectories,
    });
    const { output } = this;
    const { table, cancelGraceMs } = parts;
    this.#activity = new ChildActivity({ owner, output, table, degraded });
    this.#work = new ChildWork(this, { owner, activity: this.#activity, cancelGraceMs });
    this.#work.begin();
  }

  get state(): SessionState {
    return this.output.state;
  }

  get signal(): AbortSignal {
    return this.#work.signal;
  }

  get isBusy(): boolean {
    return this.#work.isRunning || (this.background?.length ?? 0) > 0;
  }

  get isCancelled(): boolean {
    return this.#work.isCancelled;
  }

  get files(): LiveTurn<undefined>["files"] {
    return this.#work.begin().files;
  }

  get terminals(): LiveTurn<undefined>["terminals"] {
    return this.#work.begin().terminals;
  }

  say(text: string | ContentBlock | AsyncIterable<string>, more?: never): Room {
    return this.#work.begin().say(text, more);
  }

  think(text: string | ContentBlock | AsyncIterable<string>, more?: never): Room {
    return this.#work.begin().think(text, more);
  }

  endMessage(): void {
    if (this.#work.isRunning) this.output.endMessage();
  }

  plan(entries: readonly PlanEntry[], planId?: string): Room {
    return this.#work.begin().plan(entries, planId);
  }

  toolCall(start: ToolCallStart): ToolCall {
    return this.#work.begin().toolCall(start);
  }

  terminal(start: AgentTerminalStart = {}): AgentTerminal {
    this.#work.begin();
    const { output, cancellable, isOver } = this;
    return openAgentTerminal({ output, cancellable, isOver }, start);
  }

  requestPermission(question: AskedQuestion): Promise<PermissionAnswer> {
    return this.#begun((work) => work.requestPermission(question));
  }

  ask(question: AskedQuestion): Promise<boolean> {
    return this.#begun((work) => work.ask(question));
  }

  elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer> {
    return this.#begun((work) => work.elicit(question, about));
  }

  /** Asks in the work of this session. Rejects if the work cannot begin. */
  #begun<T>(ask: (work: LiveTurn<undefined>) => Promise<T>): Promise<T> {
    try {
      return ask(this.#work.begin());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  emit(event: WireEvent): Room {
    checkEmitted(event, this);
    return this.emitChecked(event);
  }

  emitChecked(event: WireEvent): Room {
    checkLinks(event, this);
    return this.isOver ? undefined : this.output.emit(event);
  }

  child(title: string, options: ChildOptions = {}): ChildSession {
    if (this.isEnding) {
      const advice = "Open a child session of another one.";
      throw new AcpError("state", `Child session ${this.id} has ended, by forget() or with its session. ${advice}`);
    }
    this.#work.begin();
    if (this.isOver)
      throw new AcpError("state", `The work of child session ${this.id} was cancelled. Call idle() before child().`);
    return openChild(this, this.#parts, { ...options, title });
  }

  get background(): readonly BackgroundWork[] | undefined {
    return this.#activity.background.items;
  }

  setBackground(work: readonly BackgroundWork[]): void {
    if (this.isEnding) return;
    this.#activity.background.set(work);
    this.#owner.relist();
  }

  lists(childId: string): boolean {
    return this.#activity.background.has(childId) || this.#owner.lists(childId);
  }

  relist(forgotten?: string): void {
    this.#activity.background.relist(forgotten);
    // An ancestor may list a child session of any depth.
    this.#owner.relist(forgotten);
  }

  completeElicitation(elicitationId: string): void {
    if (this.isEnding || !this.elicitations.complete(elicitationId)) return;
    this.output.record({ type: "elicitation_completed", elicitationId });
  }

  idle(reason: ChildEnd = "end_turn"): void {
    this.#work.end(reason);
    this.#work.release();
  }

  forget(): void {
    this.close();
  }

  /**
   * Cancels the current work, and the child sessions that are not background work. The work may take `cancelGraceMs` to end
   * by itself.
   */
  // P-SUB-13
  cancel(): void {
    this.children.cancel();
    this.#work.cancel();
  }

  /** Ends work that was cancelled and did not end by itself. The deepest child sessions end first. */
  settle(): void {
    this.children.settle();
    this.#work.settle();
  }

  reportUnfinished(): void {
    this.#work.reportUnfinished(this.title);
    this.children.reportUnfinished();
  }

  /** Ends the work as cancelled. Nothing is sent afterwards. Never throws. */
  close(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.children.close();
    const { isRunning } = this.#work;
    const hadBackground = this.#activity.background.clear();
    this.#work.close();
    if (hadBackground && !isRunning) this.#activity.repeat();
    this.output.close();
    this.#owner.children.remove(this);
    this.#owner.relist(this.id);
  }

  /** True while output is dropped. */
  get isOver(): boolean {
    return this.#work.isOver;
  }
}

/** Announces a child session to the client. A client without support for child sessions gets nothing. */
function announce(
  { id: ownerId, driver, output }: ChildOwner,
  { lost }: ChildParts,
  { id, title, description, cwd, cancel }: { readonly id: string; readonly title: string } & ChildOptions,
): void {
  const announcement = {
    type: "subagent_update",
    sessionId: id,
    title,
    ...(description !== undefined && { description }),
    ...(cwd !== undefined && { cwd }),
    ...(cancel && { capabilities: { cancel: {} } }),
  } as const;
  if (driver.childStates !== undefined) {
    output.say(announcement);
    return;
  }
  output.record(announcement);
  lost({ id: "subagent", to: driver.dialect.dialect, event: "subagent_update", entity: id }, ownerId);
}
