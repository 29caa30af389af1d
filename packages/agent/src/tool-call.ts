import type { PermissionQuestion, ToolCallContent, ToolCallPatch, WireEvent } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import { type PermissionAnswer, usualOptions } from "./permission.js";

type Awaitable<T> = T | Promise<T>;

/** What an agent may say of a tool call. */
export type ToolCallFields = Omit<ToolCallPatch, "toolCallId">;

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
   * Asks the user about this call; its title and {@link usualOptions} unless others are given. Never rejects: a cancel is
   * an answer. The call's status stays as it is.
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

/** What a tool call needs of its turn. */
export type ToolCallTurn = {
  readonly signal: AbortSignal;
  emit(event: WireEvent): Room;
  ask(question: PermissionQuestion): Promise<PermissionAnswer>;
};

/** Opens a tool call: from here on the client sees it. */
export function openToolCall(turn: ToolCallTurn, id: string, start: { title: string } & ToolCallFields): ToolCall {
  const call = new TurnToolCall(turn, id, start.title);
  call.update({ status: "pending", ...start });
  return call;
}

class TurnToolCall implements ToolCall {
  readonly id: string;
  readonly #turn: ToolCallTurn;
  #title: string;
  #final = false;

  constructor(turn: ToolCallTurn, id: string, title: string) {
    this.#turn = turn;
    this.id = id;
    this.#title = title;
  }

  update(patch: ToolCallFields): Room {
    if (this.#final) return undefined;
    if (typeof patch.title === "string") this.#title = patch.title;
    const { status } = patch;
    this.#final = status === "completed" || status === "failed" || status === "cancelled";
    return this.#turn.emit({ ...patch, type: "tool_call_update", toolCallId: this.id });
  }

  append(content: ToolCallContent): Room {
    if (this.#final) return undefined;
    return this.#turn.emit({ type: "tool_call_content_chunk", toolCallId: this.id, content });
  }

  ask(question: Partial<PermissionQuestion> = {}): Promise<PermissionAnswer> {
    return this.#turn.ask({
      title: this.#title,
      options: usualOptions,
      subject: { type: "tool_call", toolCall: { toolCallId: this.id } },
      ...question,
    });
  }

  async run<T>(work: (signal: AbortSignal) => Awaitable<T>): Promise<T> {
    this.update({ status: "in_progress" });
    try {
      const result = await work(this.#turn.signal);
      this.finish();
      return result;
    } catch (error) {
      if (this.#turn.signal.aborted) this.update({ status: "cancelled" });
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
