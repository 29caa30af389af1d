import type {
  BackgroundWork,
  PermissionQuestion,
  SessionState,
  ToolCallContent,
  ToolCallPatch,
  WireEvent,
} from "@turnkit/session";
import { type Diagnostic, type Room, textOf } from "@turnkit/transport";
import type { CancellableWork } from "./cancellable-work.js";
import { shortened } from "./cut-text.js";
import { defaultPermissionOptions, type PermissionAnswer } from "./questions.js";
import { isTooLarge } from "./session-log.js";

type Awaitable<T> = T | Promise<T>;

/** Members of a tool call that an agent may set. */
export type ToolCallFields = Omit<ToolCallPatch, "toolCallId">;

/** Start of a tool call. */
export type ToolCallStart = { readonly title: string } & ToolCallFields & {
    /** Id of your own, such as the model's. It must be unique in the session. By default the runtime makes one. */
    readonly toolCallId?: string;
    /**
     * Called at most once, before the final status, when the user stops this call alone. End the call as `cancelled` then, or with the status that it reached first. Version 1 and seed have only the cancel of the turn.
     */
    readonly onCancel?: () => void;
  };

/** Options of {@link ToolCall.run}. */
export type ToolRunOptions<T> = {
  /** Returns the result of the tool as members of the call. It is called after the work. */
  readonly result?: (value: T) => Awaitable<ToolCallFields | undefined>;
};

/**
 * Invocation of a tool, as its agent reports it. Changes after a final status (`completed`, `failed`, `cancelled`) are ignored.
 * `onDiagnostic` gets the first of them as `late_change`. Changes after the end of the turn are ignored, too. A call without a
 * final status is ended with its turn, and reported as `unfinished`.
 */
export interface ToolCall {
  /** Id, unique in the session. */
  readonly id: string;
  /** Changes some members; `content` and `locations` replace earlier values. */
  update(patch: ToolCallFields): Room;
  /** Adds one item to the content. Version 1 sends all of it again: prefer few, larger items. */
  append(content: ToolCallContent): Room;
  /**
   * Asks the user about this call in its current form. Title and {@link defaultPermissionOptions} are the defaults. Never
   * rejects: a cancel is an answer. The call's status stays as it is.
   */
  ask(question?: Partial<PermissionQuestion>): Promise<PermissionAnswer>;
  /** Asks like {@link ask}. Returns true only if the user allowed the call. */
  isAllowed(question?: Partial<PermissionQuestion>): Promise<boolean>;
  /**
   * Runs the tool. The call is `in_progress`, then `completed`, or `failed` with the error's message as content, or `cancelled`
   * if it failed after a cancel of the turn. Version 1 has no `cancelled` and gets `failed`.
   *
   * @param work gets the turn's signal
   * @param options `result` returns the members of the last update for the value of `work`. They may hold another final status
   * @throws the error of `work` or `result`, also where its message is too large to send
   *
   * @example
   * await call.run(() => readFile(path, "utf8"), { result: (text) => ({ rawOutput: text }) });
   */
  run<T>(work: (signal: AbortSignal) => Awaitable<T>, options?: ToolRunOptions<T>): Promise<T>;
  /** Ends the call as `completed`, with the changes of `patch`. */
  finish(patch?: ToolCallFields): Room;
  /**
   * Ends the call as `failed`, and adds the reason to its content. A reason that is too large to store or send is cut, and
   * ends with an ellipsis.
   */
  fail(reason: string): Room;
}

/** Tool call that ends with its turn. */
export type EndableCall = {
  /**
   * Ends the call as `cancelled`, unless it has ended or goes on in the background. Reports it, unless the turn was cancelled.
   * Never throws.
   */
  endWithTurn(): void;
};

/** Members of a turn, or of a session, that its tool calls use. */
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
  /** True after the end of the owner. Nothing is sent and nothing throws then. */
  readonly isOver: boolean;
  /** Tool calls without a final status, if they end with their owner. */
  readonly openCalls?: Set<EndableCall>;
  emit(event: WireEvent): Room;
  ask(question: PermissionQuestion): Promise<PermissionAnswer>;
};

/** Opens a tool call and reports it to the client. */
export function openToolCall(owner: ToolCallOwner, { onCancel, toolCallId, ...start }: ToolCallStart): ToolCall {
  const { output } = owner.session;
  const id = toolCallId === undefined || owner.isOver ? output.newId("call") : output.freeCallId(toolCallId);
  const call = new OwnedToolCall(owner, id, start.title);
  if (onCancel === undefined) call.update({ status: "pending", ...start });
  else {
    owner.session.cancellable.add("tool_call", call.id, onCancel);
    call.update({ status: "pending", capabilities: { cancel: {} }, ...start });
  }
  if (id === toolCallId) output.callIds.add(id);
  if (!call.isFinal) owner.openCalls?.add(call);
  return call;
}

/** Longest title in a report, in characters. */
const MAX_REPORTED_TITLE = 200;

class OwnedToolCall implements ToolCall, EndableCall {
  readonly id: string;
  isFinal = false;
  readonly #owner: ToolCallOwner;
  #title: string;
  /** True if no further ignored change is to be reported. */
  #isReported = false;

  constructor(owner: ToolCallOwner, id: string, title: string) {
    this.#owner = owner;
    this.id = id;
    this.#title = title;
  }

  update(patch: ToolCallFields): Room {
    if (this.isFinal) return this.#ignore();
    if (typeof patch.title === "string") this.#title = patch.title;
    const isFinal = isFinalStatus(patch.status);
    const { cancellable } = this.#owner.session;
    const withdrawn = isFinal && cancellable.has("tool_call", this.id);
    // Last, so that a patch cannot replace them. First too: V8 gives an object that begins as a copy a hidden class of its
    // own with each added member, which costs 1.0 µs instead of 0.1, and a miss in the caches of all readers.
    const own = () => ({ type: "tool_call_update", toolCallId: this.id }) as const;
    const room = this.#owner.emit(Object.assign(own(), patch, withdrawn && { capabilities: null }, own()));
    // After `emit`: an end that could not be stored was not sent, and another may follow.
    this.isFinal = isFinal;
    if (isFinal) this.#owner.openCalls?.delete(this);
    if (withdrawn) cancellable.remove("tool_call", this.id);
    return room;
  }

  append(content: ToolCallContent): Room {
    if (this.isFinal) return this.#ignore();
    return this.#owner.emit({ type: "tool_call_content_chunk", toolCallId: this.id, content });
  }

  async ask(question: Partial<PermissionQuestion> = {}): Promise<PermissionAnswer> {
    const { output } = this.#owner.session;
    let whole: PermissionQuestion;
    try {
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
    return this.#owner.ask(whole);
  }

  async isAllowed(question?: Partial<PermissionQuestion>): Promise<boolean> {
    return (await this.ask(question)).allowed;
  }

  async run<T>(work: (signal: AbortSignal) => Awaitable<T>, { result }: ToolRunOptions<T> = {}): Promise<T> {
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
    this.#explain(reason);
    return this.update({ status: "failed" });
  }

  endWithTurn(): void {
    const { output, background } = this.#owner.session;
    if (background?.some((work) => work.type === "tool_call" && work.toolCallId === this.id)) return;
    const entry = output.state.timeline.get(`tool_call:${this.id}`);
    // It may have been ended by `emit`, or dropped from the state.
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

  /** Reports the first change after a final status. After a cancel such changes are no mistake. */
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

  /** Ends the call after an error of its tool. Never throws: the caller must get the tool's own error. */
  #endAfter(error: unknown): void {
    if (this.isFinal) return;
    try {
      if (this.#owner.signal.aborted) this.update({ status: "cancelled" });
      else this.fail(textOf(error));
    } catch (fault) {
      this.#owner.session.output.onFault("The end of a tool call could not be sent.", fault);
    }
  }

  /** Adds a reason to the content, or a beginning of it that can be stored and sent. Never throws. */
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

/** Returns true for a status after which a tool call changes no more. */
export const isFinalStatus = (status: unknown): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";

/** Returns a call in its current form. Parts that were trimmed from the state are left out: the client has them. */
function describeToolCall(state: SessionState, toolCallId: string): ToolCallPatch {
  const entry = state.timeline.get(`tool_call:${toolCallId}`);
  if (entry?.type !== "tool_call") return { toolCallId };
  const { title, kind, status, content, locations, rawInput, dropped } = entry;
  // Older dialects show a terminal of the agent as text. A question cannot repeat it, and the client has it already.
  const repeatable = dropped === undefined && content.toArray().every(({ type }) => type !== "terminal");
  return {
    toolCallId,
    ...(title !== undefined && { title }),
    kind,
    status,
    ...(content.length > 0 && repeatable && { content: content.toArray() }),
    ...(locations.length > 0 && { locations }),
    ...(rawInput !== undefined && { rawInput }),
  };
}
