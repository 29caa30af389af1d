import { dropOldest, type Message, type RequestId, rpcErrorCode } from "@turnkit/transport";
import { sessionIdOf } from "../../wire/session-scope.js";
import type { Inbox } from "../remote-channel.js";

/** A request of this side that has no answer yet. */
export type OpenRequest = { readonly id: RequestId; readonly method: string; readonly sessionId: string | undefined };

/** Failure of a request in the form of its error answer. */
export type CallFailure = { readonly message: string; readonly data?: unknown };

/**
 * Maximum number of open calls of a direction. Normal connections have fewer. Above the maximum, the oldest calls are
 * removed.
 */
const MOST = 20_000;

/** Open calls of both directions. They say which session a message without `params.sessionId` belongs to. */
export class OpenCalls {
  readonly #inbox: Inbox;
  readonly #requests = new Map<RequestId, OpenRequest>();
  readonly #questions = new Map<RequestId, string>();

  constructor(inbox: Inbox) {
    this.#inbox = inbox;
  }

  /** Records a message to send. Returns the session that its header names, if any. */
  // REM-08, REM-10
  sent(message: Message): string | undefined {
    if (!("method" in message)) {
      const sessionId = this.#questions.get(message.id);
      this.#questions.delete(message.id);
      return sessionId;
    }
    const sessionId = sessionIdOf(message);
    const { method } = message;
    if ("id" in message) {
      this.#requests.set(message.id, { id: message.id, method, sessionId });
      dropOldest(this.#requests, MOST);
    }
    return sessionId;
  }

  /** Records a request of the server. `streamId` is the session of the stream that it arrived on. */
  asked(message: { readonly id: RequestId }, streamId: string | undefined): void {
    const sessionId = sessionIdOf(message) ?? streamId;
    if (sessionId !== undefined) this.#questions.set(message.id, sessionId);
    dropOldest(this.#questions, MOST);
  }

  /** Returns the session of an open request, if it has one. */
  sessionOf(id: RequestId): string | undefined {
    return this.#requests.get(id)?.sessionId;
  }

  /** Removes a request that is answered, and returns it. */
  answered(id: RequestId): OpenRequest | undefined {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    return request;
  }

  /** Returns the number of open requests that create a session and were sent before another request. */
  countOpening(before: RequestId): number {
    let count = 0;
    for (const { id, method } of this.#requests.values()) {
      if (id === before) break;
      if (isOpening(method)) count += 1;
    }
    return count;
  }

  /** Answers a request with an error, unless its answer has arrived. */
  fail(id: RequestId, { message, data }: CallFailure): void {
    if (this.answered(id) !== undefined) this.refuse(id, { message, data });
  }

  /** Delivers an error as the answer of a request. */
  refuse(id: RequestId, { message, data }: CallFailure): void {
    const error = { code: rpcErrorCode.internalError, message, ...(data !== undefined && { data }) };
    this.#inbox.deliver({ jsonrpc: "2.0", id, error }, message.length);
  }

  /** Answers all open requests of a session with an error. */
  failSession(sessionId: string, failure: CallFailure): void {
    for (const request of [...this.#requests.values()])
      if (request.sessionId === sessionId) this.fail(request.id, failure);
  }
}

/** Returns `true` for the methods whose result names a new session. */
export const isOpening = (method: string): boolean => method === "session/new" || method === "session/fork";
