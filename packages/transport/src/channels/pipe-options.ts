import type { NotificationMessage, RequestMessage, ResponseMessage } from "../channel.js";

/** Side of a pipe that sends a message. */
export type PipeSide = "client" | "agent";

export type Awaitable<T> = T | PromiseLike<T>;

/**
 * Functions that change the messages of a pipe. Each function receives a message and returns the message to pass on, or
 * a promise of that message. Until the promise settles, later messages of the same side wait. Cancels wait too.
 * Messages therefore stay in order. Params and results are not validated, so they may be any JSON value.
 */
export type PipeOptions = {
  /**
   * Returns a request with the same id. If it returns a response instead, the sender receives this response, and the
   * other side receives nothing.
   */
  readonly request?: (message: RequestMessage, from: PipeSide) => Awaitable<RequestMessage | ResponseMessage>;
  /**
   * Returns the response to a request, with the same id. `request` is the request that was passed to the other side. If
   * this function exists:
   *
   * - A side cannot have two open requests with one id, more than 10 000 open requests, or more than about 64 MiB of
   *   them. Further requests are answered with an error.
   * - A response without an open request is dropped and reported.
   */
  readonly response?: (message: ResponseMessage, request: RequestMessage, from: PipeSide) => Awaitable<ResponseMessage>;
  /**
   * Returns a notification, or `null` to drop it. A function without `return` returns `undefined`: its messages are
   * dropped too, and the first one of each side is reported. Such messages are not passed on, because the function may
   * refuse them in this way.
   */
  readonly notification?: (message: NotificationMessage, from: PipeSide) => Awaitable<NotificationMessage | null>;
  /**
   * Receives faults with the message that they concern:
   *
   * - exceptions of these functions, errors of `send`, and errors for values that are not a message of the required
   *   kind. The sender of the request then receives an internal error. A failed notification is dropped.
   * - a promise that has not settled after 10 s. Its message passes later.
   * - a `ConnectionClosedError` without a message, if the agent ended before the client. An agent that has closed its
   *   connection causes no report.
   *
   * @defaultValue `console.error`
   */
  readonly onError?: (error: unknown, message: unknown, from: PipeSide) => void;
};
