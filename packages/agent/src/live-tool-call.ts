import type { BackgroundWork, PermissionQuestion, SessionState, ToolCallContent, WireEvent } from "@turnkit/session";
import { checkArgument, checkTypes, type Diagnostic, type Room, textOf } from "@turnkit/transport";
import { type CallIdOwner, freeCallId } from "./call-ids.js";
import { CallQuestions } from "./call-questions.js";
import { CallReports } from "./call-reports.js";
import type { CancellableWork } from "./cancellable-work.js";
import { callMistakes, checkObject, checkToolCallStart, contentMistakes } from "./check-arguments.js";
import { checkOwner } from "./check-blocks.js";
import { checkContent, checkFields } from "./check-values.js";
import { type Children, checkLinks } from "./children.js";
import { shortened } from "./cut-text.js";
import { permissionAnswer } from "./own-names.js";
import type { PermissionAnswer } from "./questions.js";
import { isTooLarge } from "./session-log.js";
import {
  isFinalStatus,
  type ToolCall,
  type ToolCallFields,
  type ToolCallStart,
  type ToolRunOptions,
} from "./tool-call.js";
import { isField } from "./unused-options.js";

type Awaitable<T> = T | Promise<T>;

/** Tool call that ends with its turn. */
export type EndableCall = {
  /**
   * Ends the call as `cancelled`, unless the call has ended. A call that is background work continues. Reports the call
   * as unfinished, unless the turn was cancelled. Never throws.
   */
  endWithTurn(): void;
};

/** Members of a turn or a session that its tool calls use. */
export type ToolCallOwner = {
  readonly signal: AbortSignal;
  readonly session: {
    readonly output: CallIdOwner & {
      readonly state: SessionState;
      newId(what: string): string;
      /** Reports a failure that no caller gets as an exception. */
      onFault(message: string, error: unknown, code?: Diagnostic["code"]): void;
      emit(event: WireEvent): Room;
    };
    readonly children: Children;
    readonly cancellable: CancellableWork;
    readonly background: readonly BackgroundWork[] | undefined;
  };
  /** True after the end of the owner. From then on, calls send nothing and do not throw. */
  readonly isOver: boolean;
  /** Tool calls without a final status. Absent if tool calls do not end with the owner. */
  readonly openCalls?: Set<EndableCall>;
  emit(event: WireEvent): Room;
  requestPermission(question: PermissionQuestion): Promise<PermissionAnswer>;
  /** Reports a question that nobody awaits, unless it was reported otherwise. */
  watch?<T>(title: string, answer: Promise<T>, isReported: () => boolean): Promise<T>;
};

/** Opens a tool call and reports it to the client. */
export function openToolCall(owner: ToolCallOwner, given: ToolCallStart): ToolCall {
  const unknown = checkToolCallStart(given);
  checkFields("toolCall", given);
  const { onCancel, toolCallId, ...start } = given;
  const { output } = owner.session;
  for (const mistake of [...unknown, ...callMistakes(given)]) output.onFault(mistake, undefined, "unused_option");
  const id = toolCallId === undefined || owner.isOver ? output.newId("call") : freeCallId(output, toolCallId);
  const call = new LiveToolCall(owner, id, start.title);
  if (onCancel === undefined) call.change({ status: "pending", ...start });
  else {
    owner.session.cancellable.add("tool_call", call.id, onCancel);
    call.change({ status: "pending", capabilities: { cancel: {} }, ...start });
  }
  if (id === toolCallId) output.callIds.add(id);
  if (!call.isFinal) owner.openCalls?.add(call);
  return call;
}

class LiveToolCall implements ToolCall, EndableCall {
  readonly id: string;
  isFinal = false;
  /** True once the call is background work after the end of its turn. */
  #isInBackground = false;
  readonly #owner: ToolCallOwner;
  readonly #reports: CallReports;
  #title: string;
  /** Made for the first question, because most calls ask nothing. */
  #questions: CallQuestions | undefined;

  constructor(owner: ToolCallOwner, id: string, title: string) {
    this.#owner = owner;
    this.id = id;
    this.#title = title;
    const { signal, session } = owner;
    this.#reports = new CallReports({ title: () => this.#title, signal, onFault: session.output.onFault });
  }

  update(patch: ToolCallFields): Room {
    if (this.isFinal) return this.#reports.late();
    checkObject("update of a tool call", patch, "pass the members that change");
    checkFields("update of a tool call", patch);
    for (const name in patch) if (!isField(name)) this.#reports.misspelled(name);
    for (const mistake of callMistakes(patch)) this.#reports.wrongValue(mistake);
    if (patch.status === "in_progress" || patch.status === "completed") this.#questions?.goesOn();
    return this.change(patch);
  }

  /** Changes the given members, which are checked. */
  change(patch: ToolCallFields): Room {
    if (typeof patch.title === "string") this.#title = patch.title;
    const isFinal = isFinalStatus(patch.status);
    const { cancellable } = this.#owner.session;
    const withdrawn = isFinal && cancellable.has("tool_call", this.id);
    // The own members come last, so that a patch cannot replace them. They also come first, because V8 gives a copied
    // object a new hidden class for each added member. A new hidden class costs 1.0 µs in place of 0.1 µs, and a cache
    // miss in all readers.
    const own = () => ({ type: "tool_call_update", toolCallId: this.id }) as const;
    const room = this.#emit(Object.assign(own(), patch, withdrawn && { capabilities: null }, own()));
    // Set after `emit`: if an end could not be stored, it was not sent, and the caller may try again.
    this.isFinal = isFinal;
    if (isFinal) this.#owner.openCalls?.delete(this);
    if (withdrawn) cancellable.remove("tool_call", this.id);
    return room;
  }

  append(content: ToolCallContent): Room {
    if (this.isFinal) return this.#reports.late();
    checkContent("append of a tool call", content);
    for (const mistake of contentMistakes(content)) this.#reports.wrongValue(mistake);
    return this.#emit({ type: "tool_call_content_chunk", toolCallId: this.id, content });
  }

  requestPermission(question?: Partial<PermissionQuestion>): Promise<PermissionAnswer> {
    return this.#ask("requestPermission", question, permissionAnswer);
  }

  ask(question?: Partial<PermissionQuestion>): Promise<boolean> {
    return this.#ask("ask", question, ({ allowed }) => allowed);
  }

  run<T>(work: (signal: AbortSignal) => Awaitable<T>, options: ToolRunOptions<T> = {}): Promise<T> {
    // Thrown immediately, so that a mistake is also seen if nobody awaits the run.
    const advice = { got: work, remedy: "pass the work as a function" };
    checkArgument(typeof work === "function", "run of a tool call", advice);
    const isOptions = typeof options === "object" && options !== null && !("aborted" in options);
    const remedy = "pass options such as { result: (value) => ({ rawOutput: value }) }";
    checkArgument(isOptions, "run of a tool call options", { got: options, remedy });
    checkTypes("run of a tool call", { ...options, work }, { result: "function", work: "function" });
    const done = this.#run(work, options);
    // The call shows the failure. If nobody awaits the run, the rejection must not end the process, which also serves
    // other sessions.
    done.catch(() => undefined);
    return done;
  }

  async #run<T>(work: (signal: AbortSignal) => Awaitable<T>, options: ToolRunOptions<T>): Promise<T> {
    const { result } = options;
    this.#reports.unknown("run of a tool call", options);
    if (this.#questions?.isOpen) await this.#questions.answered();
    this.#mustBeAllowed();
    const { signal } = this.#owner;
    if (signal.aborted && !this.#isListed) {
      this.#endAfter(signal.reason);
      throw signal.reason;
    }
    this.update({ status: "in_progress" });
    try {
      const value = await work(signal);
      if (result === undefined && value instanceof Error) this.#endAfter(value);
      const patch = result && (await result(value));
      if (result !== undefined && patch === undefined && !this.isFinal)
        this.#reports.wrongValue(
          "The option result of run returned nothing. Return the members, such as { rawOutput }.",
        );
      // The work may have ended the call itself.
      if (patch !== undefined || !this.isFinal) this.finish(patch);
      return value;
    } catch (error) {
      this.#endAfter(error);
      throw error;
    }
  }

  finish(patch: ToolCallFields = {}): Room {
    checkOwner(this, "finish", "call");
    if (this.isFinal) return this.#reports.late();
    const remedy = "pass an object such as { rawOutput }, or call fail(reason)";
    checkArgument(typeof patch === "object" && !Array.isArray(patch), "finish of a tool call", { got: patch, remedy });
    for (const mistake of callMistakes({ status: patch.status })) this.#reports.wrongValue(mistake);
    const status = isFinalStatus(patch.status) ? patch.status : "completed";
    return this.update({ ...patch, ...(status && { status }) });
  }

  fail(reason: string): Room {
    if (this.isFinal) return this.#reports.late();
    const remedy = "pass the reason as text, such as error.message";
    checkArgument(typeof reason === "string", "fail of a tool call", { got: reason, remedy });
    this.#explain(reason);
    return this.update({ status: "failed" });
  }

  endWithTurn(): void {
    const { output } = this.#owner.session;
    this.#isInBackground = this.#isListed;
    if (this.#isInBackground) return;
    const entry = output.state.timeline.get(`tool_call:${this.id}`);
    // `emit` may have ended the call, or the state may have dropped it.
    if (entry?.type !== "tool_call" || isFinalStatus(entry.status)) return;
    this.#reports.unfinished();
    try {
      this.update({ status: "cancelled" });
    } catch (fault) {
      this.#reports.failed("The end of a tool call could not be sent.", fault);
    }
  }

  get #isListed(): boolean {
    const { background = [] } = this.#owner.session;
    return background.some((work) => work.type === "tool_call" && work.toolCallId === this.id);
  }

  // P-BG-03
  #emit(event: WireEvent): Room {
    if (!this.#isInBackground) return this.#owner.emit(event);
    const { session } = this.#owner;
    checkLinks(event, session);
    return session.output.emit(event);
  }

  #ask<T>(
    name: "ask" | "requestPermission",
    question: Partial<PermissionQuestion> | undefined,
    read: (answer: PermissionAnswer) => T,
  ): Promise<T> {
    this.#questions ??= new CallQuestions(this.#owner, this.id, this.#reports);
    const questions = this.#questions;
    const result = questions.ask(`${name} of a tool call`, this.#title, question).then(read);
    return this.#owner.watch?.(this.#title, result, () => questions.isReported) ?? result;
  }

  /**
   * Ends the call if its question was refused.
   *
   * @throws AcpError `state` if its question was refused
   */
  #mustBeAllowed(): void {
    try {
      this.#questions?.mustAllow(this.#owner.isOver);
    } catch (error) {
      this.#reports.endReported();
      this.#endAfter(new Error("The call was not allowed."));
      throw error;
    }
  }

  /** Ends the call after an error of its tool. Never throws, because the caller must get the tool's own error. */
  #endAfter(error: unknown): void {
    if (this.isFinal) return;
    try {
      if (this.#owner.signal.aborted) this.update({ status: "cancelled" });
      else this.fail(textOf(error));
    } catch (fault) {
      this.#reports.failed("The end of a tool call could not be sent.", fault);
    }
  }

  /** Adds a reason to the content, cut to a length that can be stored and sent. Never throws. */
  #explain(reason: string): void {
    for (let length = reason.length; ; length = Math.floor(length / 2)) {
      try {
        this.append({ type: "content", content: { type: "text", text: shortened(reason, length) } });
        return;
      } catch (error) {
        if (length > 0 && isTooLarge(error)) continue;
        this.#reports.failed("The reason of a failed tool call was left out.", error);
        return;
      }
    }
  }
}
