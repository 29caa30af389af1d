import type { BackgroundWork, PermissionQuestion, SessionState, ToolCallContent, WireEvent } from "@turnkit/session";
import { checkArgument, checkFunctions, type Diagnostic, type Room, textOf } from "@turnkit/transport";
import { CallQuestions } from "./call-questions.js";
import type { CancellableWork } from "./cancellable-work.js";
import { checkObject, checkStart } from "./check-arguments.js";
import { checkContent, checkFields } from "./check-values.js";
import { shortened } from "./cut-text.js";
import { describeToolCall } from "./described-call.js";
import { defaultPermissionOptions, type PermissionAnswer, questionMistake } from "./questions.js";
import { isTooLarge } from "./session-log.js";
import {
  isFinalStatus,
  type ToolCall,
  type ToolCallFields,
  type ToolCallStart,
  type ToolRunOptions,
} from "./tool-call.js";
import { isField, unknownMembers } from "./unused-options.js";

type Awaitable<T> = T | Promise<T>;

/** Tool call that ends with its turn. */
export type EndableCall = {
  /**
   * Ends the call as `cancelled`, unless the call has ended or goes on in the background. Reports the call as unfinished,
   * unless the turn was cancelled. Never throws.
   */
  endWithTurn(): void;
};

/** Members of a turn or a session that its tool calls use. */
export type ToolCallOwner = {
  readonly signal: AbortSignal;
  readonly session: {
    readonly output: {
      readonly state: SessionState;
      newId(what: string): string;
      freeCallId(id: string): string;
      readonly callIds: Set<string>;
      /** Reports a failure that no caller gets as an exception. */
      onFault(message: string, error: unknown, code?: Diagnostic["code"]): void;
    };
    readonly cancellable: CancellableWork;
    readonly background: readonly BackgroundWork[] | undefined;
  };
  /** True after the end of the owner. From then on, calls send nothing and do not throw. */
  readonly isOver: boolean;
  /** Tool calls without a final status. Absent if tool calls do not end with the owner. */
  readonly openCalls?: Set<EndableCall>;
  emit(event: WireEvent): Room;
  requestPermission(question: PermissionQuestion): Promise<PermissionAnswer>;
};

/** Opens a tool call and reports it to the client. */
export function openToolCall(owner: ToolCallOwner, given: ToolCallStart): ToolCall {
  const mistakes = checkStart(given);
  checkFields("toolCall", given);
  const { onCancel, toolCallId, ...start } = given;
  const { output } = owner.session;
  for (const mistake of mistakes) output.onFault(mistake, undefined, "unused_option");
  const id = toolCallId === undefined || owner.isOver ? output.newId("call") : output.freeCallId(toolCallId);
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

/** Maximum length of a title in a report, in characters. */
const MAX_REPORTED_TITLE = 200;

class LiveToolCall implements ToolCall, EndableCall {
  readonly id: string;
  isFinal = false;
  readonly #owner: ToolCallOwner;
  #title: string;
  /** Made for the first question, because most calls ask nothing. */
  #questions: CallQuestions | undefined;
  #isMisspelled = false;
  /** True if further ignored changes are not reported. */
  #isReported = false;

  constructor(owner: ToolCallOwner, id: string, title: string) {
    this.#owner = owner;
    this.id = id;
    this.#title = title;
  }

  update(patch: ToolCallFields): Room {
    if (this.isFinal) return this.#ignore();
    checkObject("update of a tool call", patch, "pass the members that change");
    checkFields("update of a tool call", patch);
    for (const name in patch) if (!isField(name)) this.#reportField(name);
    if (patch.status === "in_progress" || patch.status === "completed") this.#questions?.goesOn();
    return this.change(patch);
  }

  /** Changes the given members, which are checked. */
  change(patch: ToolCallFields): Room {
    if (typeof patch.title === "string") this.#title = patch.title;
    const isFinal = isFinalStatus(patch.status);
    const { cancellable } = this.#owner.session;
    const withdrawn = isFinal && cancellable.has("tool_call", this.id);
    // The own members are last, so that a patch cannot replace them. They are also first: V8 gives a copied object a new
    // hidden class for each added member. That costs 1.0 µs instead of 0.1, and a cache miss in all readers.
    const own = () => ({ type: "tool_call_update", toolCallId: this.id }) as const;
    const room = this.#owner.emit(Object.assign(own(), patch, withdrawn && { capabilities: null }, own()));
    // Set after `emit`: if an end could not be stored, it was not sent, and the caller may try again.
    this.isFinal = isFinal;
    if (isFinal) this.#owner.openCalls?.delete(this);
    if (withdrawn) cancellable.remove("tool_call", this.id);
    return room;
  }

  append(content: ToolCallContent): Room {
    if (this.isFinal) return this.#ignore();
    checkContent("append of a tool call", content);
    return this.#owner.emit({ type: "tool_call_content_chunk", toolCallId: this.id, content });
  }

  async requestPermission(question: Partial<PermissionQuestion> = {}): Promise<PermissionAnswer> {
    this.#questions ??= this.#openQuestions();
    return this.#questions.ask(async () => {
      const { output } = this.#owner.session;
      let whole: PermissionQuestion;
      try {
        const mistake = questionMistake(question);
        if (mistake !== undefined) {
          output.onFault(mistake, undefined, "handler_failed");
          return { allowed: false };
        }
        for (const one of unknownMembers("ask", question)) output.onFault(one, undefined, "unused_option");
        whole = {
          title: this.#title,
          options: defaultPermissionOptions,
          subject: { type: "tool_call", toolCall: describeToolCall(output.state, this.id) },
          ...question,
        };
      } catch (error) {
        output.onFault("A permission question failed, and counts as cancelled.", error);
        return { allowed: false };
      }
      return this.#owner.requestPermission(whole);
    });
  }

  async ask(question?: Partial<PermissionQuestion>): Promise<boolean> {
    return (await this.requestPermission(question)).allowed;
  }

  async run<T>(work: (signal: AbortSignal) => Awaitable<T>, options: ToolRunOptions<T> = {}): Promise<T> {
    const { result } = options;
    checkArgument(typeof work === "function", "run of a tool call", {
      got: work,
      remedy: "pass the work as a function",
    });
    checkFunctions("run of a tool call", options, ["result"]);
    const { onFault } = this.#owner.session.output;
    for (const one of unknownMembers("run of a tool call", options)) onFault(one, undefined, "unused_option");
    this.#mustBeAllowed();
    this.update({ status: "in_progress" });
    try {
      const value = await work(this.#owner.signal);
      const patch = result && (await result(value));
      // The work may have ended the call itself.
      if (patch !== undefined || !this.isFinal) this.finish(patch);
      return value;
    } catch (error) {
      this.#endAfter(error);
      throw error;
    }
  }

  finish(patch: ToolCallFields = {}): Room {
    const status = isFinalStatus(patch.status) ? patch.status : "completed";
    return this.update({ ...patch, ...(status && { status }) });
  }

  fail(reason: string): Room {
    if (this.isFinal) return this.#ignore();
    const remedy = "pass the reason as text, such as error.message";
    checkArgument(typeof reason === "string", "fail of a tool call", { got: reason, remedy });
    this.#explain(reason);
    return this.update({ status: "failed" });
  }

  endWithTurn(): void {
    const { output, background } = this.#owner.session;
    if (background?.some((work) => work.type === "tool_call" && work.toolCallId === this.id)) return;
    const entry = output.state.timeline.get(`tool_call:${this.id}`);
    // `emit` may have ended the call, or the state may have dropped it.
    if (entry?.type !== "tool_call" || isFinalStatus(entry.status)) return;
    this.#isReported = true;
    if (!this.#owner.signal.aborted) {
      const message = `Tool call ${this.#name} did not end before its turn, and was ended as cancelled.`;
      output.onFault(`${message} Await \`run\`, or call \`finish\` or \`fail\`.`, undefined, "unfinished");
    }
    try {
      this.update({ status: "cancelled" });
    } catch (fault) {
      output.onFault("The end of a tool call could not be sent.", fault);
    }
  }

  /** Title for a report. */
  get #name(): string {
    return JSON.stringify(shortened(this.#title, MAX_REPORTED_TITLE));
  }

  /** Reports the first misspelled member of a change. */
  #reportField(name: string): void {
    if (this.#isMisspelled) return;
    const [mistake] = unknownMembers("update of a tool call", { [name]: true });
    if (mistake === undefined) return;
    this.#isMisspelled = true;
    this.#owner.session.output.onFault(mistake, undefined, "unused_option");
  }

  #openQuestions(): CallQuestions {
    const { signal, session } = this.#owner;
    return new CallQuestions({ name: () => this.#name, signal, report: session.output.onFault });
  }

  /**
   * Ends the call if its question was refused.
   *
   * @throws AcpError `state` if its question was refused
   */
  #mustBeAllowed(): void {
    try {
      this.#questions?.mustAllow();
    } catch (error) {
      // Changes after this end belong to the same mistake.
      this.#isReported = true;
      this.#endAfter(new Error("The call was not allowed."));
      throw error;
    }
  }

  /** Reports the first change after a final status. After a cancel such changes are expected and not reported. */
  #ignore(): undefined {
    if (this.#isReported || this.#owner.signal.aborted) return;
    this.#isReported = true;
    const advice = "Pass the result of a tool to `finish`, or to the option `result` of `run`.";
    this.#owner.session.output.onFault(
      `A change of tool call ${this.#name} after its final status was ignored. ${advice}`,
      undefined,
      "late_change",
    );
  }

  /** Ends the call after an error of its tool. Never throws, because the caller must get the tool's own error. */
  #endAfter(error: unknown): void {
    if (this.isFinal) return;
    try {
      if (this.#owner.signal.aborted) this.update({ status: "cancelled" });
      else this.fail(textOf(error));
    } catch (fault) {
      this.#owner.session.output.onFault("The end of a tool call could not be sent.", fault);
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
        this.#owner.session.output.onFault("The reason of a failed tool call was left out.", error);
        return;
      }
    }
  }
}
