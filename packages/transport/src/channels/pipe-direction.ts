import type {
  CloseReason,
  Message,
  NotificationMessage,
  RequestId,
  RequestMessage,
  ResponseMessage,
} from "../channel.js";
import { ConnectionClosedError, RpcError, respondError } from "../errors.js";
import { isPromise } from "../waiting.js";
import { FLUSH_MS } from "./closing.js";
import type { Awaitable, PipeOptions, PipeSide } from "./pipe-options.js";
import { PipeRequests } from "./pipe-requests.js";
import { checkNotification, checkResponse, checkRewritten } from "./pipe-results.js";
import type { PipeSource } from "./pipe-source.js";

type DirectionParts = {
  readonly from: PipeSide;
  readonly source: PipeSource;
  readonly target: PipeSource;
  readonly options: PipeOptions;
  /** Called if the agent sends an `initialize` and the client has not sent one. The message is not passed. */
  readonly swapped: () => void;
};

/** One direction of a pipe: passes the messages of the source to the target. */
export class PipeDirection {
  readonly #from: PipeSide;
  readonly #source: PipeSource;
  readonly #target: PipeSource;
  readonly #options: PipeOptions;
  readonly #swapped: () => void;
  /** Requests that were passed to the target, by id. The other direction needs them to handle responses. */
  readonly #asked = new PipeRequests();
  /** Promise of the work for messages whose function returned a promise. Later messages are handled after it. */
  #work: Promise<void> | undefined;
  /** Newest message whose function returned a promise. */
  #pending: Message | undefined;
  /** Timer that reports the function of {@link #pending}. */
  #late: ReturnType<typeof setTimeout> | undefined;
  #hasInitialized = false;
  #isOver = false;
  #hasForgotten = false;

  constructor({ from, source, target, options, swapped }: DirectionParts) {
    this.#from = from;
    this.#source = source;
    this.#target = target;
    this.#options = options;
    this.#swapped = swapped;
  }

  async run(back: PipeDirection): Promise<CloseReason> {
    const { channel } = this.#source;
    channel.start({
      message: (message, bytes) => this.#receive(message as Message, bytes, back),
      invalidLine: () => undefined,
    });
    const reason = await channel.closed;
    this.#source.end();
    this.#isOver = true;
    const isFault = reason.kind !== "remote" && reason.kind !== "local";
    if (this.#from === "agent" && isFault && !back.#isOver) {
      this.#report(new ConnectionClosedError("The agent of this pipe ended", reason), undefined);
    }
    if (this.#work !== undefined && !(await settlesInTime(this.#work))) {
      this.#report(new Error(`the function took longer than ${FLUSH_MS / 1000} s after the end`), this.#pending);
    }
    clearTimeout(this.#late);
    await this.#target.channel.close({
      kind: "local",
      message: `The ${this.#from} of this pipe ended: ${reason.message}`,
      cause: reason,
    });
    return reason;
  }

  #receive(message: Message, bytes: number, back: PipeDirection): void {
    this.#source.received(bytes);
    if (typeof message !== "object" || message === null || Array.isArray(message)) return;
    if ("method" in message && message.method === "initialize" && this.#from === "agent" && !back.#hasInitialized) {
      if ("id" in message) this.#answer(respondError(message.id, RpcError.internalError(SWAPPED)));
      return this.#swapped();
    }
    this.#hasInitialized ||= "method" in message && message.method === "initialize";
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
  #pass(message: Message, bytes: number, back: PipeDirection): Promise<void> | undefined {
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
      return this.#then(message, passed, (one) => this.#notify(one, message), failed);
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  #notify(given: NotificationMessage | null, message: Message): void {
    if (given !== undefined) return this.#send(checkNotification(given));
    if (!this.#hasForgotten) this.#report(new TypeError(FORGOTTEN), message);
    this.#hasForgotten = true;
  }

  /** Calls `next` immediately for a value, and later for the value of a promise. */
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
    this.#late = setTimeout(() => this.#report(new Error(notSettled(this.#from)), message), LATE_MS);
    const settled = <A>(then: (outcome: A) => void, outcome: A): void => {
      clearTimeout(this.#late);
      then(outcome);
    };
    return Promise.resolve(value)
      .then((given) => settled(next, given))
      .catch((error) => settled(failed, error));
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

  #response(
    message: ResponseMessage,
    back: PipeDirection,
    failed: (error: unknown) => void,
  ): Promise<void> | undefined {
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

/** Message for a pipe whose channels were passed in the wrong order. */
export const SWAPPED =
  "pipeChannels got its channels in the wrong order: the second one sent initialize, which only a client sends. Call pipeChannels(client, agent).";

const FORGOTTEN = "the function `notification` returned undefined. Return the message, or null to drop it.";

/** Time after which a function that has not settled is reported, in milliseconds. */
const LATE_MS = 10_000;

const notSettled = (from: PipeSide): string =>
  `its function has not settled for ${LATE_MS / 1000} s. Later messages of the ${from} wait for it.`;

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
