import type { PermissionQuestion, ToolCallContent, ToolCallPatch } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { PermissionAnswer } from "./questions.js";

type Awaitable<T> = T | Promise<T>;

/** Members of a tool call that an agent may set. */
export type ToolCallFields = Omit<ToolCallPatch, "toolCallId">;

/** Start of a tool call. */
export type ToolCallStart = { readonly title: string } & ToolCallFields & {
    /**
     * Id that the agent chooses, such as the model's id of the call. The id must be unique in the session. By default, the
     * runtime makes an id.
     */
    readonly toolCallId?: string;
    /**
     * Called at most once, before the final status, when the user stops only this call. End the call as `cancelled`, or
     * with the final status that the call reached before. Version 1 and seed can only cancel the whole turn.
     */
    readonly onCancel?: () => void;
  };

/** Options of {@link ToolCall.run}. */
export type ToolRunOptions<T> = {
  /** Returns members of the tool call that contain the result of the tool. Called after the work. */
  readonly result?: (value: T) => Awaitable<ToolCallFields | undefined>;
};

/**
 * Invocation of a tool, as reported by the agent. The final statuses are `completed`, `failed` and `cancelled`.
 *
 * - Changes after a final status are ignored. `onDiagnostic` gets the first such change as `late_change`.
 * - Changes after the end of the turn are ignored.
 * - A call without a final status ends with its turn, and is reported as `unfinished`.
 */
export interface ToolCall {
  /** Id of the call, unique in the session. */
  readonly id: string;
  /** Changes the given members. `content` and `locations` replace their earlier values. */
  update(patch: ToolCallFields): Room;
  /**
   * Adds one item to the content. Version 1 sends the whole content again, so few large items are cheaper than many small
   * ones.
   */
  append(content: ToolCallContent): Room;
  /**
   * Asks the user for permission for this call in its current form. The default question has the call's title and
   * {@link defaultPermissionOptions}. Never rejects, because a cancel is an answer too. The call's status does not
   * change.
   *
   * The answer is an object, even after a refusal: read `allowed`. After a refusal, {@link run} does not run its work,
   * and a call that goes on to `in_progress` or `completed` is reported as `unfinished`.
   */
  requestPermission(question?: Partial<PermissionQuestion>): Promise<PermissionAnswer>;
  /** Returns true only if the user allows the call. Asks like {@link requestPermission}. */
  ask(question?: Partial<PermissionQuestion>): Promise<boolean>;
  /**
   * Runs the tool. The call's status is `in_progress` during the work, and then one of these:
   *
   * - `completed` if the work succeeded;
   * - `cancelled` if the work failed after a cancel of the turn (version 1 has no such status and gets `failed`);
   * - `failed` after any other failure, with the error's message in the content. Without `result`, an `Error` as the
   *   value of `work` is a failure too.
   *
   * After a refused question, the work does not run. The call then ends as `failed`. To run the work after a refusal,
   * ask again before `run`, and get an approval. If nobody awaits `run`, only the call shows a failure. While a
   * question of the call is open, the work waits for its answer. The wait is reported, because the question was not
   * awaited.
   *
   * @param work gets the turn's signal
   * @param options `result` gets the value of `work` and returns the members of the last update, which may contain another
   *   final status
   * @throws the error of `work` or `result`
   * @throws AcpError `state` if the last question of the call was refused, or ended with its turn
   * @throws AbortError after a cancel of the turn; the work does not run, unless background work lists the call
   *
   * @example
   * await call.run(() => readFile(path, "utf8"), { result: (text) => ({ rawOutput: text }) });
   */
  run<T>(work: (signal: AbortSignal) => Awaitable<T>, options?: ToolRunOptions<T>): Promise<T>;
  /** Ends the call as `completed`, with the changes in `patch`. */
  finish(patch?: ToolCallFields): Room;
  /**
   * Ends the call as `failed` and adds the reason to its content. A reason that is too large to store or send is cut and
   * ends with an ellipsis.
   */
  fail(reason: string): Room;
}

/** Returns true for a final status. A tool call with a final status does not change any more. */
export const isFinalStatus = (status: unknown): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";
