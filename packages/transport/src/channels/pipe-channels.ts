import type {
  Channel,
  CloseReason,
  Message,
  NotificationMessage,
  RequestMessage,
  ResponseMessage,
} from "../channel.js";
import { checkArgument } from "../check-argument.js";
import { RpcError, respondError, textOf } from "../errors.js";
import { reporter } from "../reporter.js";

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
   * Returns the response to a request. `request` is the request that was passed to the other side. If this function
   * exists, a side cannot have two open requests with one id. It cannot have more than 10 000 open requests, or more
   * than about 64 MiB of them. Further requests are answered with an error.
   */
  readonly response?: (message: ResponseMessage, request: RequestMessage, from: PipeSide) => Awaitable<ResponseMessage>;
  /** Returns a notification, or `undefined` to drop it. */
  readonly notification?: (message: NotificationMessage, from: PipeSide) => Awaitable<NotificationMessage | undefined>;
  /**
   * Receives exceptions of these functions, and errors of `send`. A failed request is answered with an internal error,
   * and a failed notification is dropped.
   * @defaultValue `console.error`
   */
  readonly onError?: (error: unknown, message: unknown, from: PipeSide) => void;
};

/** Maximum number of open requests of a side if responses are changed. Further requests are answered with an error. */
const MAX_OPEN_REQUESTS = 10_000;

/** Maximum estimated size of the open requests of a side, in bytes. */
const MAX_OPEN_BYTES = 64 * 1024 * 1024;

/**
 * Runs a proxy, which passes messages between a client and an agent. Order, ids, cancels and errors are not changed.
 *
 * - If one side has no room, the other side is paused. A side that does not read therefore uses no memory for waiting
 *   messages.
 * - If one side ends, its messages are read to the end, and then the other side is closed. The reason of the other side
 *   contains the reason of the first side as its `cause`.
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
  const clientSource = new Source(client);
  const agentSource = new Source(agent);
  const toAgent = new Direction({ from: "client", source: clientSource, target: agentSource, options });
  const toClient = new Direction({ from: "agent", source: agentSource, target: clientSource, options });
  const [first, second] = await Promise.all([toAgent.run(toClient), toClient.run(toAgent)]);
  return [first, second];
}

/** Channel that is paused as long as a promise of `holdUntil` is pending. */
class Source {
  readonly channel: Channel;
  #holds = 0;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  /** Pauses the channel until `done` settles. */
  holdUntil(done: PromiseLike<unknown>): void {
    this.#holds += 1;
    if (this.#holds === 1) this.channel.pause();
    const release = () => {
      this.#holds -= 1;
      if (this.#holds === 0) this.channel.resume();
    };
    void done.then(release, release);
  }
}

type Asked = { readonly request: RequestMessage; readonly bytes: number };

type DirectionParts = {
  readonly from: PipeSide;
  readonly source: Source;
  readonly target: Source;
  readonly options: PipeOptions;
};

class Direction {
  readonly #from: PipeSide;
  readonly #source: Source;
  readonly #target: Source;
  readonly #options: PipeOptions;
  /** Requests that were passed to the target, by id. The other direction needs them to handle responses. */
  readonly #asked = new Map<unknown, Asked>();
  #askedBytes = 0;
  /** Promise of the work for messages whose function returned a promise. Later messages are handled after it. */
  #work: Promise<void> | undefined;

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
    await this.#work;
    await this.#target.channel.close({
      kind: "local",
      message: `The ${this.#from} of this pipe ended: ${reason.message}`,
      cause: reason,
    });
    return reason;
  }

  #receive(message: Message, bytes: number, back: Direction): void {
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
    const failed = (error: unknown) => this.#failed(error, message);
    try {
      if (!("method" in message)) return this.#then(this.#rewritten(message, back), (one) => this.#send(one), failed);
      if (!("id" in message)) {
        return this.#then(
          (this.#options.notification ?? asItIs)(message, this.#from),
          (one) => this.#send(one),
          failed,
        );
      }
      const passed = (this.#options.request ?? asItIs)(message, this.#from);
      return this.#then(passed, (one) => this.#request(one, bytes), failed);
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  /** Calls `next` at once for a value, and later for the value of a promise. */
  #then<T>(value: Awaitable<T>, next: (value: T) => void, failed: (error: unknown) => void): Promise<void> | undefined {
    if (isPromise(value)) return Promise.resolve(value).then(next).catch(failed);
    next(value);
    return undefined;
  }

  #request(passed: RequestMessage | ResponseMessage, bytes: number): void {
    if (!("method" in passed)) return this.#answer(passed);
    if (this.#options.response === undefined) return this.#send(passed);
    // Otherwise the response to this request would pass unchanged, or count as the response to another request.
    const isFull = this.#asked.size === MAX_OPEN_REQUESTS || this.#askedBytes + bytes > MAX_OPEN_BYTES;
    const isRefused = this.#asked.has(passed.id) || (isFull && this.#asked.size > 0);
    if (isRefused) throw RpcError.invalidRequest("its id is in use, or too many requests are open");
    this.#asked.set(passed.id, { request: passed, bytes });
    this.#askedBytes += bytes;
    try {
      this.#send(passed);
    } catch (error) {
      this.#forget(passed.id);
      throw error;
    }
  }

  /** Removes an open request and returns it. */
  #forget(id: unknown): RequestMessage | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    this.#askedBytes -= asked?.bytes ?? 0;
    return asked?.request;
  }

  #rewritten(message: ResponseMessage, back: Direction): Awaitable<ResponseMessage> {
    if (this.#options.response === undefined) return message;
    const request = back.#forget(message.id);
    return request === undefined ? message : this.#options.response(message, request, this.#from);
  }

  /** Sends a message to the target. The source is paused until the target has room. */
  #send(message: Message | undefined): void {
    if (message !== undefined) this.#sendTo(this.#target, message);
  }

  /** Answers the source. The source is paused until it reads its answers. */
  #answer(message: ResponseMessage): void {
    this.#sendTo(this.#source, message);
  }

  #sendTo({ channel }: Source, message: Message): void {
    const room = channel.send(message);
    if (room !== undefined) this.#source.holdUntil(room);
  }

  #failed(error: unknown, message: Message): void {
    try {
      const answer = (id: RequestMessage["id"]) =>
        respondError(id, RpcError.internalError("the proxy could not pass the message"));
      if ("method" in message && "id" in message) this.#answer(answer(message.id));
      else if ("id" in message) this.#send(answer(message.id));
    } catch {
      // The id itself cannot be sent.
    }
    try {
      this.#options.onError?.(error, message, this.#from);
    } catch {
      // `onError` itself threw, and there is no other receiver of errors.
    }
  }
}

const asItIs = <M>(message: M): M => message;

const isPromise = <T>(value: Awaitable<T>): value is PromiseLike<T> =>
  typeof (value as PromiseLike<T> | undefined)?.then === "function";

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
