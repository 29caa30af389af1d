import type { PermissionQuestion, SessionState, ToolCallContent, ToolCallPatch, WireEvent } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { CancellableWork } from "./cancellable-work.js";
import { shortened } from "./cut-text.js";
import { defaultPermissionOptions, type PermissionAnswer } from "./questions.js";
import { isTooLarge } from "./session-log.js";

type Awaitable<T> = T | Promise<T>;

/** Members of a tool call that an agent may set. */
export type ToolCallFields = Omit<ToolCallPatch, "toolCallId">;

/** Start of a tool call. */
export type ToolCallStart = { readonly title: string } & ToolCallFields & {
    /**
     * Stops this call alone, for the user, until its final status; called at most once. Then report `cancelled`, or the
     * status that came first. Version 1 and seed have only the cancel of the turn.
     */
    readonly onCancel?: () => void;
  };

/**
 * Invocation of a tool, as its agent reports it. Changes after a final status (`completed`, `failed`, `cancelled`), and after
 * the end of the turn, are ignored.
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
  /**
   * Runs the tool. The call is `in_progress`, then `completed`, or `failed` with the error's message as content, or `cancelled`
   * if it failed after a cancel of the turn. Version 1 has no `cancelled` and gets `failed`.
   *
   * @param work gets the turn's signal
   * @throws the error of `work`, also where its message is too large to send
   */
  run<T>(work: (signal: AbortSignal) => Awaitable<T>): Promise<T>;
  /** Ends the call as `completed`, with the changes of `patch`. */
  finish(patch?: ToolCallFields): Room;
  /**
   * Ends the call as `failed`, and adds the reason to its content. A reason that is too large to store or send is cut, and
   * ends with an ellipsis.
   */
  fail(reason: string): Room;
}

/** Members of a turn, or of a session, that its tool calls use. */
export type ToolCallOwner = {
  readonly signal: AbortSignal;
  readonly session: {
    readonly output: {
      readonly state: SessionState;
      newId(what: string): string;
      /** Reports a failure that fails no call. */
      onFault(message: string, error: unknown): void;
    };
    readonly cancellable: CancellableWork;
  };
  emit(event: WireEvent): Room;
  ask(question: PermissionQuestion): Promise<PermissionAnswer>;
};

/** Opens a tool call and reports it to the client. */
export function openToolCall(owner: ToolCallOwner, { onCancel, ...start }: ToolCallStart): ToolCall {
  const call = new OwnedToolCall(owner, owner.session.output.newId("call"), start.title);
  if (onCancel === undefined) {
    call.update({ status: "pending", ...start });
    return call;
  }
  owner.session.cancellable.add("tool_call", call.id, onCancel);
  call.update({ status: "pending", capabilities: { cancel: {} }, ...start });
  return call;
}

class OwnedToolCall implements ToolCall {
  readonly id: string;
  readonly #owner: ToolCallOwner;
  #title: string;
  #final = false;

  constructor(owner: ToolCallOwner, id: string, title: string) {
    this.#owner = owner;
    this.id = id;
    this.#title = title;
  }

  update(patch: ToolCallFields): Room {
    if (this.#final) return undefined;
    if (typeof patch.title === "string") this.#title = patch.title;
    const isFinal = isFinalStatus(patch.status);
    const { cancellable } = this.#owner.session;
    const withdrawn = isFinal && cancellable.has("tool_call", this.id);
    // Last, so that a patch cannot replace them. First too: V8 gives an object that begins as a copy a hidden class of its
    // own with each added member, which costs 1.0 µs instead of 0.1, and a miss in the caches of all readers.
    const own = () => ({ type: "tool_call_update", toolCallId: this.id }) as const;
    const room = this.#owner.emit(Object.assign(own(), patch, withdrawn && { capabilities: null }, own()));
    // After `emit`: an end that could not be stored was not sent, and another may follow.
    this.#final = isFinal;
    if (withdrawn) cancellable.remove("tool_call", this.id);
    return room;
  }

  append(content: ToolCallContent): Room {
    if (this.#final) return undefined;
    return this.#owner.emit({ type: "tool_call_content_chunk", toolCallId: this.id, content });
  }

  ask(question: Partial<PermissionQuestion> = {}): Promise<PermissionAnswer> {
    return this.#owner.ask({
      title: this.#title,
      options: defaultPermissionOptions,
      subject: { type: "tool_call", toolCall: describeToolCall(this.#owner.session.output.state, this.id) },
      ...question,
    });
  }

  async run<T>(work: (signal: AbortSignal) => Awaitable<T>): Promise<T> {
    this.update({ status: "in_progress" });
    try {
      const result = await work(this.#owner.signal);
      this.finish();
      return result;
    } catch (error) {
      this.#endAfter(error);
      throw error;
    }
  }

  finish(patch: ToolCallFields = {}): Room {
    return this.update({ status: "completed", ...patch });
  }

  fail(reason: string): Room {
    if (this.#final) return undefined;
    this.#explain(reason);
    return this.update({ status: "failed" });
  }

  /** Ends the call after an error of its tool. Never throws: the caller must get the tool's own error. */
  #endAfter(error: unknown): void {
    try {
      if (this.#owner.signal.aborted) this.update({ status: "cancelled" });
      else this.fail(messageOf(error));
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

/** Returns the message of an error, or another value as text. Never throws. */
function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "The tool failed with an error that cannot be read.";
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
