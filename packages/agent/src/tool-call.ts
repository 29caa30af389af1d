import type { PermissionQuestion, SessionState, ToolCallContent, ToolCallPatch, WireEvent } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { CancelOffers } from "./cancel-offers.js";
import { defaultPermissionOptions, type PermissionAnswer } from "./permission.js";

type Awaitable<T> = T | Promise<T>;

/** What an agent may say of a tool call. */
export type ToolCallFields = Omit<ToolCallPatch, "toolCallId">;

/** What a tool call begins with. */
export type ToolCallStart = { readonly title: string } & ToolCallFields & {
    /**
     * Lets the user cancel this call alone, until its final status; called at most once. Stop the work, then report
     * `cancelled`, or whatever came first. Version 1 and seed cannot say it: there is only the cancel of the turn.
     */
    readonly onCancel?: () => void;
  };

/**
 * One invocation of a tool, as its agent reports it. Changes after a final status (`completed`, `failed`, `cancelled`)
 * are ignored, also one that is made twice; after the turn's end so is everything.
 */
export interface ToolCall {
  /** Unique in the session. */
  readonly id: string;
  /** Changes some members; `content` and `locations` replace what was there. */
  update(patch: ToolCallFields): Room;
  /** Adds one item to the content. Version 1 has to send all of it again: prefer few, larger items there. */
  append(content: ToolCallContent): Room;
  /**
   * Asks the user about this call, as it is at this moment; its title and {@link defaultPermissionOptions} unless others are given.
   * Never rejects: a cancel is an answer. The call's status stays as it is.
   */
  ask(question?: Partial<PermissionQuestion>): Promise<PermissionAnswer>;
  /**
   * Runs the tool: `in_progress`, then `completed`, or `failed` with the error's message as content, or `cancelled` if
   * it failed after the turn was cancelled. Version 1 has no `cancelled` and says `failed`.
   *
   * @param work gets the turn's signal
   * @throws what `work` throws
   */
  run<T>(work: (signal: AbortSignal) => Awaitable<T>): Promise<T>;
  /** Ends the call as `completed`, with what `patch` changes besides. */
  finish(patch?: ToolCallFields): Room;
  /** Ends the call as `failed`, with the reason as text content after what was there. */
  fail(reason: string): Room;
}

/** What a tool call needs of its turn, or of its session. */
export type ToolCallOwner = {
  readonly signal: AbortSignal;
  readonly session: {
    readonly output: { readonly state: SessionState; newId(what: string): string };
    readonly cancels: CancelOffers;
  };
  emit(event: WireEvent): Room;
  ask(question: PermissionQuestion): Promise<PermissionAnswer>;
};

/** Opens a tool call: from here on the client sees it. */
export function openToolCall(owner: ToolCallOwner, { onCancel, ...start }: ToolCallStart): ToolCall {
  const call = new OwnedToolCall(owner, owner.session.output.newId("call"), start.title);
  if (onCancel === undefined) {
    call.update({ status: "pending", ...start });
    return call;
  }
  owner.session.cancels.offer("tool_call", call.id, onCancel);
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
    const { status } = patch;
    const isFinal = status === "completed" || status === "failed" || status === "cancelled";
    const { cancels } = this.#owner.session;
    const withdrawn = isFinal && cancels.has("tool_call", this.id);
    // Last, whatever a patch holds; and first, since V8 gives an object that begins as a copy a hidden class of its own
    // whenever a member is added: 1.0 µs instead of 0.1, and a miss in the caches of all who read it.
    const own = () => ({ type: "tool_call_update", toolCallId: this.id }) as const;
    const room = this.#owner.emit(Object.assign(own(), patch, withdrawn && { capabilities: null }, own()));
    // Not before: an end that could not be stored was not told, and may be told otherwise.
    this.#final = isFinal;
    if (withdrawn) cancels.withdraw("tool_call", this.id);
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
      if (this.#owner.signal.aborted) this.update({ status: "cancelled" });
      else this.fail(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  finish(patch: ToolCallFields = {}): Room {
    return this.update({ status: "completed", ...patch });
  }

  fail(reason: string): Room {
    if (this.#final) return undefined;
    this.append({ type: "content", content: { type: "text", text: reason } });
    return this.update({ status: "failed" });
  }
}

/** A call as the client sees it at this moment; what was trimmed from the state stays as the client has it. */
function describeToolCall(state: SessionState, toolCallId: string): ToolCallPatch {
  const entry = state.timeline.get(`tool_call:${toolCallId}`);
  if (entry?.type !== "tool_call") return { toolCallId };
  const { title, kind, status, content, locations, rawInput, dropped } = entry;
  // Older dialects show a terminal of the agent as text, which a question cannot repeat: the client has it already.
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
