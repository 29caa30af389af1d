import type { PermissionQuestion, ToolCallContent, ToolCallPatch } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import { type PermissionAnswer, usualOptions } from "./permission.js";

type Awaitable<T> = T | Promise<T>;

/** What an agent may say of a tool call. */
export type ToolCallFields = Omit<ToolCallPatch, "toolCallId">;

/** One invocation of a tool, as its agent reports it. Changes after a final status are ignored. */
export interface ToolCall {
  readonly id: string;
  /** Changes some members; `content` and `locations` replace what was there. */
  update(patch: ToolCallFields): Room;
  /** Adds one item to the content. Version 1 has to send all of it again: prefer few, larger items there. */
  append(content: ToolCallContent): Room;
  /** Asks the user about this call; the usual four options unless others are given. A cancel is an answer. */
  ask(question?: Partial<PermissionQuestion>): Promise<PermissionAnswer>;
  /**
   * Runs the tool: `in_progress`, then `completed`, or `failed` with the error's message, or `cancelled` if the turn
   * was cancelled. Version 1 has no `cancelled` and says `failed`.
   *
   * @throws what `work` throws
   */
  run<T>(work: (signal: AbortSignal) => Awaitable<T>): Promise<T>;
  finish(patch?: ToolCallFields): Room;
  /** Ends the call as `failed`, with the reason as text content after what was there. */
  fail(reason: string): Room;
}

/** What a tool call needs of its turn. */
export type ToolCallTurn = {
  readonly signal: AbortSignal;
  emit(event: { type: "tool_call_update" } & ToolCallPatch): Room;
  append(toolCallId: string, content: ToolCallContent): Room;
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
    this.#final = patch.status === "completed" || patch.status === "failed" || patch.status === "cancelled";
    return this.#turn.emit({ ...patch, type: "tool_call_update", toolCallId: this.id });
  }

  append(content: ToolCallContent): Room {
    return this.#final ? undefined : this.#turn.append(this.id, content);
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

