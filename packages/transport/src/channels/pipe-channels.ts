import type {
  Channel,
  CloseReason,
  Message,
  NotificationMessage,
  RequestMessage,
  ResponseMessage,
} from "../channel.js";
import { RpcError, respondError } from "../errors.js";

/** Side of a pipe that sends a message. */
export type PipeSide = "client" | "agent";

/**
 * Functions that change the messages of a pipe. Each function receives a message and returns the message to pass on.
 * The functions are synchronous, so messages stay in order. Params and results are not validated, so they may be any
 * JSON value.
 */
export type PipeOptions = {
  /**
   * Returns a request with the same id. If it returns a response instead, the sender receives this response, and the
   * other side receives nothing.
   */
  readonly request?: (message: RequestMessage, from: PipeSide) => RequestMessage | ResponseMessage;
  /**
   * Returns the response to a request. `request` is the request that was passed to the other side. If this function
   * exists, a side cannot have two open requests with one id, nor more than 10 000 open requests. Further requests are
   * answered with an error.
   */
  readonly response?: (message: ResponseMessage, request: RequestMessage, from: PipeSide) => ResponseMessage;
  /** Returns a notification, or `undefined` to drop it. */
  readonly notification?: (message: NotificationMessage, from: PipeSide) => NotificationMessage | undefined;
  /**
   * Receives exceptions of these functions, and errors of `send`. A failed request is answered with an internal error,
   * and a failed notification is dropped.
   */
  readonly onError?: (error: unknown, message: unknown, from: PipeSide) => void;
};

/** Maximum number of open requests of a side if responses are changed. Further requests are answered with an error. */
const MAX_OPEN_REQUESTS = 10_000;

/**
 * Runs a proxy, which passes messages between a client and an agent. Order, ids, cancels and errors are not changed. If
 * one side has no room, the other side is paused. If one side ends, its messages are read to the end, and then the
 * other side is closed. Lines that are not JSON, and batches of older peers, are dropped.
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
  options: PipeOptions = {},
): Promise<[client: CloseReason, agent: CloseReason]> {
  const toAgent = new Direction("client", client, agent, options);
  const toClient = new Direction("agent", agent, client, options);
  const [first, second] = await Promise.all([toAgent.run(toClient), toClient.run(toAgent)]);
  return [first, second];
}

class Direction {
  readonly #from: PipeSide;
  readonly #source: Channel;
  readonly #target: Channel;
  readonly #options: PipeOptions;
  /** Requests that were passed to the target, by id. The other direction needs them to handle responses. */
  readonly #asked = new Map<unknown, RequestMessage>();

  constructor(from: PipeSide, source: Channel, target: Channel, options: PipeOptions) {
    this.#from = from;
    this.#source = source;
    this.#target = target;
    this.#options = options;
  }

  async run(back: Direction): Promise<CloseReason> {
    this.#source.start({
      message: (message) => this.#pass(message as Message, back),
      invalidLine: () => undefined,
    });
    const reason = await this.#source.closed;
    await this.#target.close();
    return reason;
  }

  #pass(message: Message, back: Direction): void {
    if (typeof message !== "object" || message === null || Array.isArray(message)) return;
    try {
      if (!("method" in message)) this.#send(this.#rewritten(message, back));
      else if ("id" in message) this.#request(message);
      else this.#send((this.#options.notification ?? asItIs)(message, this.#from));
    } catch (error) {
      this.#failed(error, message);
    }
  }

  #request(message: RequestMessage): void {
    const passed = (this.#options.request ?? asItIs)(message, this.#from);
    if (!("method" in passed)) return void this.#source.send(passed);
    if (this.#options.response === undefined) return this.#send(passed);
    // Otherwise the response to this request would pass unchanged, or count as the response to another request.
    const isRefused = this.#asked.has(passed.id) || this.#asked.size === MAX_OPEN_REQUESTS;
    if (isRefused) throw RpcError.invalidRequest("its id is in use, or too many requests are open");
    this.#asked.set(passed.id, passed);
    try {
      this.#send(passed);
    } catch (error) {
      this.#asked.delete(passed.id);
      throw error;
    }
  }

  #rewritten(message: ResponseMessage, back: Direction): ResponseMessage {
    const request = back.#asked.get(message.id);
    if (request === undefined || this.#options.response === undefined) return message;
    back.#asked.delete(message.id);
    return this.#options.response(message, request, this.#from);
  }

  #send(message: Message | undefined): void {
    const room = message && this.#target.send(message);
    if (room === undefined) return;
    this.#source.pause();
    void room.then(() => this.#source.resume());
  }

  #failed(error: unknown, message: Message): void {
    const answer = (id: RequestMessage["id"]) =>
      respondError(id, RpcError.internalError("the proxy could not pass the message"));
    if ("method" in message && "id" in message) this.#source.send(answer(message.id));
    else if ("id" in message) this.#target.send(answer(message.id));
    try {
      this.#options.onError?.(error, message, this.#from);
    } catch {
      // `onError` itself threw, and there is no other receiver of errors.
    }
  }
}

const asItIs = <M>(message: M): M => message;
