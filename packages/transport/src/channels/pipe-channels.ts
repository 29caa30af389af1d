import type {
  Channel,
  CloseReason,
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
} from "../channel.js";
import { checkArgument } from "../check-argument.js";
import { RpcError, respondError, textOf } from "../errors.js";
import { reporter } from "../reporter.js";
import { isPromise } from "../waiting.js";
import { FLUSH_MS } from "./closing.js";
import { PipeRequests } from "./pipe-requests.js";
import { checkNotification, checkResponse, checkRewritten } from "./pipe-results.js";
import { PipeSource } from "./pipe-source.js";

/** Side of a pipe that sends a message. */
export type PipeSide = "client" | "agent";

type Awaitable<T> = T | PromiseLike<T>;

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
  /** Returns a notification, or `undefined` to drop it. */
  readonly notification?: (message: NotificationMessage, from: PipeSide) => Awaitable<NotificationMessage | undefined>;
  /**
   * Receives exceptions of these functions, errors of `send`, and errors for values that are no message of the required
   * kind. The sender of the request then receives an internal error. A failed notification is dropped.
   * @defaultValue `console.error`
   */
  readonly onError?: (error: unknown, message: unknown, from: PipeSide) => void;
};

/**
 * Runs a proxy, which passes messages between a client and an agent. Order, ids, cancels and errors are not changed.
 *
 * - If one side has no room, the other side is paused. A side that does not read therefore uses no memory for waiting
 *   messages.
 * - If one side ends, its messages are read to the end, and then the other side is closed. The reason of the other side
 *   contains the reason of the first side as its `cause`.
 * - The end of a paused side is noticed too. After a pause of 1 s, the pipe reads up to 8 MiB more from this side. If
 *   the pause then lasts 10 min longer, the side is closed as `overflow`.
 * - A function that is still pending 5 s after the end of its side counts as failed.
 * - Lines that are not JSON, and batches of older peers, are dropped.
 *
 * @returns the reasons for the end of the client and of the agent, in this order
 *
 * @example
 * const ended = pipeChannels(client, agent, {
 *   notification: (message) => (message.method === "_log" ? undefined : message),
 * });
 */
export async function pipeChannels(
  client: Channel,
  agent: Channel,
  { onError = printer(), ...functions }: PipeOptions = {},
): Promise<[client: CloseReason, agent: CloseReason]> {
  const options = { ...functions, onError };
  const remedy = "pass two channels, such as those of createWebSocketChannel and spawnChannel";
  for (const channel of [client, agent]) {
    checkArgument(typeof channel?.start === "function", "pipeChannels", { got: channel, remedy });
  }
  const clientSource = new PipeSource(client);
  const agentSource = new PipeSource(agent);
  const toAgent = new Direction({ from: "client", source: clientSource, target: agentSource, options });
  const toClient = new Direction({ from: "agent", source: agentSource, target: clientSource, options });
  const [first, second] = await Promise.all([toAgent.run(toClient), toClient.run(toAgent)]);
  return [first, second];
}

type DirectionParts = {
  readonly from: PipeSide;
  readonly source: PipeSource;
  readonly target: PipeSource;
  readonly options: PipeOptions;
};

class Direction {
  readonly #from: PipeSide;
  readonly #source: PipeSource;
  readonly #target: PipeSource;
  readonly #options: PipeOptions;
  /** Requests that were passed to the target, by id. The other direction needs them to handle responses. */
  readonly #asked = new PipeRequests();
  /** Promise of the work for messages whose function returned a promise. Later messages are handled after it. */
  #work: Promise<void> | undefined;
  /** Newest message whose function returned a promise. */
  #pending: Message | undefined;

  constructor({ from, source, target, options }: DirectionParts) {
    this.#from = from;
    this.#source = source;
    this.#target = target;
    this.#options = options;
  }

  async run(back: Direction): Promise<CloseReason> {
    const { channel } = this.#source;
    channel.start({
      message: (message, bytes) => this.#receive(message as Message, bytes, back),
      invalidLine: () => undefined,
    });
    const reason = await channel.closed;
    this.#source.end();
    if (this.#work !== undefined && !(await settlesInTime(this.#work))) {
      this.#report(new Error(`the function took longer than ${FLUSH_MS / 1000} s after the end`), this.#pending);
    }
    await this.#target.channel.close({
      kind: "local",
      message: `The ${this.#from} of this pipe ended: ${reason.message}`,
      cause: reason,
    });
    return reason;
  }

  #receive(message: Message, bytes: number, back: Direction): void {
    this.#source.received(bytes);
    if (typeof message !== "object" || message === null || Array.isArray(message)) return;
    // A paused channel delivers no message, but a channel of another library might.
    const work = this.#work
      ? this.#work.then(() => this.#pass(message, bytes, back))
      : this.#pass(message, bytes, back);
    if (work === undefined) return;
    const done = work.then(() => {
      if (this.#work === done) this.#work = undefined;
    });
    this.#work = done;
    this.#source.holdUntil(done);
  }

  /** Passes a message. Returns a promise if a function of the pipe returns one. The promise never rejects. */
  #pass(message: Message, bytes: number, back: Direction): Promise<void> | undefined {
    // Functions may change the message itself, so its id and kind are read before.
    const kind = "method" in message ? ("id" in message ? "request" : "notification") : "response";
    const id = "id" in message ? message.id : undefined;
    const failed = (error: unknown) => this.#failed(error, message, { kind, id });
    try {
      if (kind === "response") return this.#response(message as ResponseMessage, back, failed);
      if (kind === "request") return this.#request(message as RequestMessage, bytes, failed);
      const { notification } = this.#options;
      if (notification === undefined) return this.#send(message);
      const passed = notification(message as NotificationMessage, this.#from);
      return this.#then(message, passed, (one) => this.#send(checkNotification(one)), failed);
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  /** Calls `next` at once for a value, and later for the value of a promise. */
  #then<T>(
    message: Message,
    value: Awaitable<T>,
    next: (value: T) => void,
    failed: (error: unknown) => void,
  ): Promise<void> | undefined {
    if (!isPromise(value)) {
      next(value);
      return undefined;
    }
    this.#pending = message;
    return Promise.resolve(value).then(next).catch(failed);
  }

  #request(message: RequestMessage, bytes: number, failed: (error: unknown) => void): Promise<void> | undefined {
    const { id } = message;
    // The request is recorded before its function runs. A response that arrives earlier then cannot pass unchanged.
    const asked = this.#options.response && this.#asked.record(message, bytes);
    const next = (given: RequestMessage | ResponseMessage) => {
      const passed = this.#options.request ? checkRewritten(given, id) : given;
      // The other side has answered before the function was ready.
      if (asked !== undefined && !this.#asked.has(asked)) return;
      if (!("method" in passed)) {
        this.#asked.remove(asked);
        return this.#answer(passed);
      }
      if (asked !== undefined) asked.request = passed;
      this.#send(passed);
    };
    const refused = (error: unknown) => {
      this.#asked.remove(asked);
      failed(error);
    };
    try {
      return this.#then(message, (this.#options.request ?? asItIs)(message, this.#from), next, refused);
    } catch (error) {
      refused(error);
      return undefined;
    }
  }

  #response(message: ResponseMessage, back: Direction, failed: (error: unknown) => void): Promise<void> | undefined {
    const { response } = this.#options;
    if (response === undefined) return this.#send(message);
    const { id } = message;
    const request = back.#asked.take(id);
    if (request === undefined) return this.#report(new Error("no open request has this id"), message);
    const passed = response(message, request, this.#from);
    return this.#then(message, passed, (one) => this.#send(checkResponse(one, id)), failed);
  }

  /** Sends a message to the target. The source is paused until the target has room. */
  #send(message: Message | undefined): undefined {
    if (message !== undefined) this.#sendTo(this.#target, message);
  }

  /** Answers the source. The source is paused until it reads its answers. */
  #answer(message: ResponseMessage): void {
    this.#sendTo(this.#source, message);
  }

  #sendTo({ channel }: PipeSource, message: Message): void {
    const room = channel.send(message);
    if (room !== undefined) this.#source.holdUntil(room);
  }

  #failed(error: unknown, message: Message, { kind, id }: { readonly kind: Kind; readonly id: unknown }): void {
    try {
      const answer = () =>
        respondError(id as RequestId, RpcError.internalError("the proxy could not pass the message"));
      if (kind === "request") this.#answer(answer());
      else if (kind === "response") this.#send(answer());
    } catch {
      // The id itself cannot be sent.
    }
    this.#report(error, message);
  }

  #report(error: unknown, message: Message | undefined): undefined {
    try {
      this.#options.onError?.(error, message, this.#from);
    } catch {
      // `onError` itself threw, and there is no other receiver of errors.
    }
  }
}

type Kind = "request" | "response" | "notification";

/** Returns `false` if the work takes longer than {@link FLUSH_MS}. */
async function settlesInTime(work: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, FLUSH_MS, false);
  });
  const inTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}

const asItIs = <M>(message: M): M => message;

/** Returns a function that prints errors. Each message is printed once. */
function printer(): NonNullable<PipeOptions["onError"]> {
  const report = reporter(undefined);
  return (error, passed, from) => {
    const { method } = passed as { readonly method?: unknown };
    const what = typeof method === "string" ? `The message ${method}` : "An answer";
    const message = `${what} of the ${from} did not pass the pipe: ${textOf(error)}`;
    report({ code: "listener_failed", message, error });
  };
}
