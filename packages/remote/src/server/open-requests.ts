import type { RequestId } from "@turnkit/transport";
import { isAnsweredOnConnection } from "../wire/session-scope.js";

/** A request of the client without an answer. */
export type OpenRequest = { readonly method: string; readonly sessionId: string | undefined };

/** Requests of the client that the agent has not answered. They decide the stream of each answer. */
// REM-13
export class OpenRequests {
  readonly #open = new Map<RequestId, OpenRequest>();

  get size(): number {
    return this.#open.size;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  add(id: RequestId, request: OpenRequest): void {
    this.#open.set(id, request);
  }

  /** Removes the request that is answered, and returns it. */
  answered(id: RequestId): OpenRequest | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }
}

/** Returns the session whose stream carries the answer of a request, or `undefined` for the stream of the connection. */
export function streamOfAnswer(request: OpenRequest | undefined): string | undefined {
  return request === undefined || isAnsweredOnConnection(request.method) ? undefined : request.sessionId;
}
