import type { NotificationMessage, RequestId, RequestMessage, ResponseMessage, Room } from "./channel.js";
import type { ConnectionLimits, Diagnostic } from "./connection.js";
import {
  asSentence,
  InvalidMessageError,
  invalidParams,
  isAcpError,
  isRpcError,
  RpcError,
  respondError,
  textOf,
} from "./errors.js";
import { ReceivedCall, type Route } from "./routes.js";
import { checkIncoming } from "./standard-schema.js";
import { readThrown } from "./thrown-error.js";
import { isPromise } from "./waiting.js";

/** Members of a connection that the calls of the peer need. */
export type InboundHost = {
  readonly limits: ConnectionLimits;
  /** Called for a notification without a route. */
  unhandled(method: string): void;
  route(method: string): Route | undefined;
  send(response: ResponseMessage): Room;
  /** Throws if the contract does not allow the result. */
  checkResult(method: string, result: unknown): void;
  report(diagnostic: Diagnostic): void;
};

type Call = RequestMessage | NotificationMessage;
type InboundRequest = ReceivedCall<RequestMessage>;

/** Calls of the peer. Each call runs its route at receipt, and each request is answered exactly once. */
// V1-RPC-06
export class InboundCalls {
  readonly #host: InboundHost;
  readonly #open = new Map<RequestId, InboundRequest>();
  /** Number of notifications whose routes have not settled. */
  #openNotifications = 0;
  /** Methods of notifications whose routes returned a promise. They are probably requests without an id. */
  readonly #slowMethods = new Set<string>();
  #isDropping = false;
  #held: { readonly call: Call; readonly bytes: number }[] | undefined;
  #heldBytes = 0;
  /** Method whose calls are not delayed. */
  #unheld: string | undefined;

  constructor(host: InboundHost) {
    this.#host = host;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id) || this.#heldAt(id) >= 0;
  }

  /** Runs the route of a call. After {@link hold}, stores the call instead. */
  handle(call: Call, bytes: number): void {
    if (this.#held !== undefined && call.method !== this.#unheld) this.#keep(call, bytes);
    else if ("id" in call) this.#request(call, bytes);
    else this.#notification(call, bytes);
  }

  #request(message: RequestMessage, bytes: number): void {
    if (this.#isFull) return this.#sendError(message.id, RpcError.internalError("too many requests are open"));
    const request = new ReceivedCall(message, bytes);
    this.#open.set(message.id, request);
    try {
      const route = this.#host.route(message.method);
      if (route === undefined) throw RpcError.methodNotFound(message.method);
      const outcome = route.receive(readRequest(route, message), request);
      if (!isPromise(outcome)) return this.#answer(request, outcome);
      outcome.then(
        (result) => this.#answer(request, result),
        (error) => this.#fail(request, readThrown(error)),
      );
    } catch (error) {
      this.#fail(request, readThrown(error));
    }
  }

  #notification(message: NotificationMessage, bytes: number): void {
    const { method } = message;
    const route = this.#host.route(method);
    if (route === undefined) return this.#host.unhandled(method);
    if (this.#mustDrop(method)) return;
    const call = new ReceivedCall(message, bytes);
    try {
      const outcome = route.receive(readParams(route, message), call);
      if (isPromise(outcome)) return this.#doneAfter(outcome, call);
    } catch (error) {
      this.#dropped(method, error);
    }
    call.done();
  }

  /**
   * Aborts an open request, or answers a delayed request without running its route. Unknown and finished ids are
   * ignored.
   */
  // V1-CANCEL-16
  abort(id: RequestId, reason: RpcError): void {
    const at = this.#heldAt(id);
    if (at < 0) return this.#open.get(id)?.abort(reason);
    for (const { bytes } of this.#held?.splice(at, 1) ?? []) this.#heldBytes -= bytes;
    this.#sendError(id, reason);
  }

  /**
   * Aborts every open and delayed request, and answers each of them with `error` immediately. Results that come later
   * are ignored.
   */
  cancelAll(error: RpcError): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { call } of held) if ("id" in call) this.#sendError(call.id, error);
    for (const request of [...this.#open.values()]) {
      request.abort(error);
      this.#fail(request, error);
    }
  }

  /** Aborts every open request without an answer, and drops delayed calls. */
  abortAll(reason: unknown): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    this.#held = undefined;
    for (const request of open) request.abort(reason);
  }

  /** Delays all further calls, except those of `method`. Call the returned function to handle them in order. */
  hold(method?: string): () => void {
    this.#held ??= [];
    this.#unheld = method;
    return () => {
      const held = this.#held ?? [];
      this.#held = undefined;
      this.#heldBytes = 0;
      for (const { call, bytes } of held) this.handle(call, bytes);
    };
  }

  #heldAt(id: RequestId): number {
    return this.#held?.findIndex(({ call }) => "id" in call && call.id === id) ?? -1;
  }

  #doneAfter(outcome: PromiseLike<unknown>, call: ReceivedCall<NotificationMessage>): void {
    const { method } = call.message;
    this.#openNotifications += 1;
    if (method.length <= MAX_METHOD && this.#slowMethods.size < MAX_METHODS) this.#slowMethods.add(method);
    const done = () => {
      this.#openNotifications -= 1;
      call.done();
    };
    outcome.then(done, (error) => {
      this.#dropped(method, error);
      done();
    });
  }

  get #isFull(): boolean {
    return this.#open.size + this.#openNotifications >= this.#host.limits.incomingRequests;
  }

  /**
   * Returns `true` if a method is one of `#slowMethods` and the bound of open requests is reached. Reports the first of
   * a burst.
   */
  #mustDrop(method: string): boolean {
    const open = this.#open.size + this.#openNotifications;
    if (this.#isDropping && open <= this.#host.limits.incomingRequests / 2) this.#isDropping = false;
    if (!this.#isFull) return false;
    const isKnown = method.length <= MAX_METHOD && this.#slowMethods.size < MAX_METHODS;
    if (isKnown && !this.#slowMethods.has(method)) return false;
    if (!this.#isDropping) {
      const message = "Requests without an id were dropped: too many requests are open.";
      this.#host.report({ code: "too_many_requests", method: method.slice(0, MAX_METHOD), message });
    }
    this.#isDropping = true;
    return true;
  }

  #keep(call: Call, bytes: number): void {
    const held = this.#held ?? [];
    const { waitingMessages, waitingBytes } = this.#host.limits;
    if (held.length < waitingMessages && this.#heldBytes < waitingBytes) {
      held.push({ call, bytes });
      this.#heldBytes += bytes;
      return;
    }
    const { method } = call;
    this.#host.report({ code: "dropped", method, message: `${method} was dropped: too many calls wait already.` });
    if ("id" in call) this.#sendError(call.id, RpcError.internalError("too many calls wait"));
  }

  #dropped(method: string, error: unknown): void {
    const code = isFault(error) ? "notification_failed" : "invalid_message";
    this.#host.report({
      code,
      method,
      error,
      message: asSentence(`A ${method} of the peer was dropped: ${causeOf(error, method)}`),
    });
  }

  #answer(request: InboundRequest, outcome: unknown): void {
    // A handler that returns an error reports a failure. As JSON, most errors are an empty object.
    if (outcome instanceof Error) return this.#fail(request, outcome);
    const { id, method } = request.message;
    const result = outcome ?? {};
    try {
      this.#host.checkResult(method, result);
    } catch (error) {
      return this.#respond(request, this.#invalidAnswer(request, error, "not valid"));
    }
    this.#respond(request, { jsonrpc: "2.0", id, result });
  }

  #fail(request: InboundRequest, error: unknown): void {
    const { method } = request.message;
    if (isFault(error) && !request.isCancelled) {
      this.#host.report({
        code: "handler_failed",
        method,
        error,
        message: `The handler of ${method} failed: ${textOf(error)}`,
      });
    }
    this.#respond(request, respondError(request.message.id, error, request.isCancelled));
  }

  #respond(request: InboundRequest, response: ResponseMessage): void {
    if (!this.#open.delete(request.message.id)) return;
    let room: Room;
    try {
      room = this.#host.send(response);
    } catch (error) {
      const fault = isAcpError(error, "too_large") ? "too large" : "not valid";
      this.#send(this.#invalidAnswer(request, error, fault));
    }
    request.done(room);
  }

  /** Reports an answer that cannot be sent. Returns the error answer that replaces it. */
  #invalidAnswer({ message: { id, method } }: InboundRequest, error: unknown, fault: string): ResponseMessage {
    this.#host.report({ code: "outgoing_invalid", method, error, message: `Our answer to ${method} was ${fault}.` });
    return respondError(id, RpcError.internalError(`the answer was ${fault}`));
  }

  #sendError(id: RequestId, error: RpcError): void {
    this.#send(respondError(id, error));
  }

  /** Sends an error answer. A failure to send it is reported. */
  #send(response: ResponseMessage): void {
    try {
      this.#host.send(response);
    } catch (cause) {
      this.#host.report({ code: "outgoing_invalid", error: cause, message: "An error answer could not be sent." });
    }
  }
}

/** Returns `true` for an unexpected exception of a handler. Errors of this package are expected. */
const isFault = (error: unknown): boolean => !isRpcError(error) && !isAcpError(error);

/**
 * Bounds of `#slowMethods`: the number of methods, and the length of a name in characters. If the set is full, every
 * method counts as slow.
 */
const MAX_METHODS = 1_000;
const MAX_METHOD = 200;

function readParams(route: Route, message: Call): unknown {
  const params = message.params ?? {};
  if (typeof params !== "object" || Array.isArray(params)) throw RpcError.invalidParams("params are an object");
  if (route.params === undefined) return params;
  const checked = checkIncoming(route.params, params);
  if ("issues" in checked) throw new InvalidMessageError(message.method, "params", checked.issues);
  return checked.value;
}

/** Reads the params of a request. The error for invalid params contains the path and the message of each issue. */
function readRequest(route: Route, message: RequestMessage): unknown {
  try {
    return readParams(route, message);
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw invalidParams(message.method, error.issues);
  }
}

/**
 * Returns the reason why a notification was dropped. It contains no params. The peer does not receive the text of the
 * exception.
 */
// V1-RPC-24
function causeOf(error: unknown, method: string): string {
  if (!isAcpError(error) && !isRpcError(error)) return `its handler failed: ${textOf(error)}`;
  return error.message.replace(`${method}: `, "");
}
