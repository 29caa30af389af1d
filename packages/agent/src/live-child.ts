import type {
  BackgroundWork,
  ContentBlock,
  ElicitationAnswer,
  ElicitationQuestion,
  PlanEntry,
  SessionState,
  SubagentActivity,
  WireEvent,
} from "@turnkit/session";
import { jsonCopy } from "@turnkit/session/codec";
import { AcpError, checkArgument, type Room } from "@turnkit/transport";
import { type AgentTerminal, type AgentTerminalStart, openAgentTerminal } from "./agent-terminal.js";
import { CancellableWork } from "./cancellable-work.js";
import { Cancellation } from "./cancellation.js";
import { checkList } from "./check-arguments.js";
import { openChildOutput } from "./child-output.js";
import type { ChildEnd, ChildOptions, ChildSession } from "./child-session.js";
import { type ChildOwner, type ChildParts, Children, checkLinks } from "./children.js";
import { DegradedChild } from "./degraded-child.js";
import type { Driver } from "./driver/driver.js";
import { Elicitations } from "./elicitations.js";
import { LiveTurn, type TurnSession } from "./live-turn.js";
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
  const { title, ...options } = given;
  checkArgument(typeof title === "string", "session.child title", { got: title, remedy: "pass a title as text" });
  for (const message of unknownMembers("session.child", options)) output.onFault(message, undefined, "unused_option");
  if (owner.isEnding || output.isClosed || output.outbox.isUnknown)
    throw new AcpError("state", `Session ${owner.id} cannot have a child session now. Open it in a turn.`);
  children.mustTake();
  const child = new LiveChild(owner, parts, given);
  children.add(child);
  return child;
}

/** Implementation of {@link ChildSession}. Each period of work is a turn without a prompt. */
export class LiveChild implements ChildSession {
  readonly id = crypto.randomUUID();
  readonly title: string;
  readonly driver: Driver;
  readonly output: SessionOutput;
  readonly children: Children;
  readonly cancellable = new CancellableWork();
  readonly elicitations: Elicitations;
  background: readonly BackgroundWork[] | undefined;
  /** True if the client may cancel the work. */
  readonly isCancellable: boolean;
  /** True from the beginning of {@link close}. */
  isEnding = false;
  readonly #owner: ChildOwner;
  readonly #parts: ChildParts;
  readonly #degraded: DegradedChild | undefined;
  #cancellation = new Cancellation();
  #work: LiveTurn<undefined> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    owner: ChildOwner,
    parts: ChildParts,
    { title, description, cwd, cancel = false }: { title: string } & ChildOptions,
  ) {
    const { id } = this;
    const { driver, output } = owner;
    this.#owner = owner;
    this.#parts = parts;
    this.title = title;
    this.isCancellable = cancel;
    const { cwd: folder, additionalDirectories } = output.state;
    const announcement = {
      type: "subagent_update",
      sessionId: id,
      title,
      ...(description !== undefined && { description }),
      ...(cwd !== undefined && { cwd }),
      ...(cancel && { capabilities: { cancel: {} } }),
    } as const;
    const isKnown = driver.childStates !== undefined;
    if (isKnown) output.say(announcement);
    else {
      output.record(announcement);
      const { dialect: to } = driver.dialect;
      parts.lost({ id: "subagent", to, event: "subagent_update", entity: id }, owner.id);
    }
    this.#degraded = isKnown ? undefined : new DegradedChild(owner, id, title);
    this.driver = this.#driverOf(driver);
    this.output = openChildOutput(owner, parts, { id, encode: this.#degraded?.encode });
    this.elicitations = new Elicitations(this.driver, this.output.onFault);
    this.children = new Children(parts.table, (child) => this.state.subagents.has(child), owner.children);
    this.output.record({
      type: "session_opened",
      sessionId: id,
      ...((cwd ?? folder) && { cwd: cwd ?? folder }),
      additionalDirectories,
    });
    // P-BG-05
    if (owner.background !== undefined) this.background = [];
    this.#begin();
  }

  get state(): SessionState {
    return this.output.state;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  get isBusy(): boolean {
    return this.#work?.isOver === false || (this.background?.length ?? 0) > 0;
  }

  get files(): LiveTurn<undefined>["files"] {
    return this.#begin().files;
  }

  get terminals(): LiveTurn<undefined>["terminals"] {
    return this.#begin().terminals;
  }

  say(text: string | ContentBlock | AsyncIterable<string>): Room {
    return this.#begin().say(text);
  }

  think(text: string | ContentBlock | AsyncIterable<string>): Room {
    return this.#begin().think(text);
  }

  endMessage(): void {
    this.#work?.endMessage();
  }

  plan(entries: readonly PlanEntry[], planId?: string): Room {
    return this.#begin().plan(entries, planId);
  }

  toolCall(start: ToolCallStart): ToolCall {
    return this.#begin().toolCall(start);
  }

  terminal(start: AgentTerminalStart = {}): AgentTerminal {
    const { isOver } = this.#begin();
    return openAgentTerminal({ output: this.output, cancellable: this.cancellable, isOver }, start);
  }

  async requestPermission(question: AskedQuestion): Promise<PermissionAnswer> {
    return this.#begin().requestPermission(question);
  }

  async ask(question: AskedQuestion): Promise<boolean> {
    return (await this.requestPermission(question)).allowed;
  }

  async elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer> {
    return this.#begin().elicit(question, about);
  }

  emit(event: WireEvent): Room {
    checkLinks(event, this);
    return this.#work?.isOver ? undefined : this.output.emit(event);
  }

  child(title: string, options: ChildOptions = {}): ChildSession {
    if (this.#begin().isOver && !this.isEnding)
      throw new AcpError("state", `The work of child session ${this.id} was cancelled. Call idle() before child().`);
    return openChild(this, this.#parts, { ...options, title });
  }

  setBackground(work: readonly BackgroundWork[]): void {
    checkList("setBackground", work);
    this.background = this.children.listed(jsonCopy(work), this.background);
    this.#report(this.#activity);
    this.#owner.relist();
  }

  /** Sends the list of background work again after work of a child session has ended. */
  relist(): void {
    const after = this.background && this.children.relisted(this.background);
    if (after !== undefined) {
      this.background = after;
      this.#report(this.#activity);
    }
    // An ancestor may list a child session of any depth.
    this.#owner.relist();
  }

  idle(reason: ChildEnd = "end_turn"): void {
    this.#end(reason);
    if (!this.isEnding) this.#work = undefined;
  }

  forget(): void {
    this.close();
  }

  /**
   * Cancels the current work, and the child sessions that are not background work. The work may take `cancelGraceMs` to end
   * by itself.
   */
  // P-SUB-12, P-SUB-13
  cancel(): void {
    this.children.cancel(this.background);
    if (this.#work?.isOver !== false || this.#cancellation.isCancelled) return;
    this.#cancellation.cancel("The work was cancelled.");
    this.#timer = setTimeout(() => this.#end("cancelled"), this.#parts.cancelGraceMs);
  }

  /** Ends work that was cancelled and did not end by itself. */
  settle(): void {
    if (this.#cancellation.isCancelled) this.#end("cancelled");
    else this.children.settle();
  }

  /** Ends the work as cancelled. Nothing is sent afterwards. */
  close(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.children.close();
    this.#cancellation.cancel("The session was closed.");
    this.background = this.background && [];
    this.#end("cancelled");
    this.output.close();
    this.#owner.children.remove(this);
    this.#owner.relist();
  }

  #activity: SubagentActivity = { state: "idle" };

  /**
   * Returns the current work. Begins new work if the agent has ended the last one. Work that the runtime has ended stays: it
   * sends nothing.
   */
  // P-SUB-08
  #begin(): LiveTurn<undefined> {
    if (this.#work !== undefined) return this.#work;
    if (!this.isEnding) this.#cancellation = new Cancellation();
    // A child session has no prompts, so the turn never reads the members that only a whole session has.
    const session = this as unknown as TurnSession<undefined>;
    this.#work = new LiveTurn(session, { sessionId: this.id, prompt: [] }, this.#cancellation);
    if (this.isEnding) this.#work.end();
    else this.#report({ state: "running" });
    return this.#work;
  }

  #end(reason: ChildEnd): void {
    const work = this.#work;
    if (work === undefined || work.isOver) return;
    clearTimeout(this.#timer);
    const isCancelled = this.#cancellation.isCancelled;
    // The child sessions of a cancelled child session end first.
    if (isCancelled) this.children.settle();
    // In version 1, clients end only the tool calls of the session that they cancel.
    for (const call of work.openCalls) call.endWithTurn();
    work.end();
    this.output.flush();
    this.output.endMessage();
    const end = typeof reason === "string" ? { stopReason: reason } : reason;
    this.#report({ state: "idle", ...(isCancelled ? { stopReason: "cancelled" } : end) });
    this.#owner.relist();
  }

  /** Reports the activity: to the parent first, then on the child session itself. */
  // P-SUB-14, P-SUB1-03
  #report(activity: SubagentActivity): void {
    this.#activity = activity;
    const { output, driver } = this.#owner;
    const mirror = { type: "subagent_update", sessionId: this.id, state: activity } as const;
    const own = { type: "state_update", ...activity, ...(this.background && { background: this.background }) } as const;
    if (driver.childStates === undefined) {
      output.record(mirror);
      this.#degraded?.report(activity);
      this.output.record(own);
      return;
    }
    output.say(mirror);
    if (driver.childStates === "own") this.output.say(own);
    else this.output.record(own);
  }

  /** Returns the driver of the child session, which reports its own questions. */
  #driverOf(driver: Driver): Driver {
    const waiting = (_: unknown, forUser: boolean) => this.#report({ state: forUser ? "requires_action" : "running" });
    return { ...driver, ...this.#degraded?.requests(driver, this.#owner.id), waiting };
  }
}
