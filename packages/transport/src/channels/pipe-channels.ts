import type {
  Channel,
  CloseReason,
  Message,
  NotificationMessage,
  RequestMessage,
  ResponseMessage,
} from "../channel.js";
import { RpcError, respondError } from "../errors.js";

/** Side of a pipe that sent a message. */
export type PipeSide = "client" | "agent";

/**
 * Functions of a pipe. Each receives a message and returns the one to pass on. They are synchronous, which keeps the
 * order of messages. Params and results are not checked, so they may be any JSON value.
 */
export type PipeOptions = {
  /** Returns a request with the same id, or a response that answers the sender in place of the other side. */
  readonly request?: (message: RequestMessage, from: PipeSide) => RequestMessage | ResponseMessage;
  /**
   * Returns the response to a request. `request` is the request that was passed on. With this function a second open request
   * of one id, and more than 10 000 open requests of a side, are answered with an error.
   */
  readonly response?: (message: ResponseMessage, request: RequestMessage, from: PipeSide) => ResponseMessage;
  /** Returns a notification, or `undefined` to drop it. */
  readonly notification?: (message: NotificationMessage, from: PipeSide) => NotificationMessage | undefined;
  /**
   * Receives exceptions of these functions and of failed sends. The sender of the request gets an internal error; a
   * notification is dropped.
   */
  readonly onError?: (error: unknown, message: unknown, from: PipeSide) => void;
};

/** Maximum number of open requests of a side whose responses are rewritten. One more is answered with an error. */
const MAX_OPEN_REQUESTS = 10_000;

/**
 * Passes the messages of a client and an agent to each other: a proxy. Order, ids, cancels and errors stay as they are.
 * If one side has no room, the other one is paused. If one side ends, the other one is closed, once the
 * messages of the first were read. Lines that are no JSON,
 * and batches of older peers, are not passed.
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
  /** Requests that went to the target, by id. The other direction reads the responses. */
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
    // Its response would pass unchanged, or would be taken for that of another request.
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
      // `onError` itself failed, and errors have no other receiver.
    }
  }
}

const asItIs = <M>(message: M): M => message;
