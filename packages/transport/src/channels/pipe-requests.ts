import type { RequestMessage } from "../channel.js";
import { RpcError } from "../errors.js";

/** Request that was or will be passed to the other side of a pipe. */
export type AskedRequest = { request: RequestMessage; readonly id: unknown; readonly bytes: number };

/** Maximum number of open requests of a side. Further requests are answered with an error. */
const MAX_OPEN_REQUESTS = 10_000;

/** Maximum estimated size of the open requests of a side, in bytes. */
const MAX_OPEN_BYTES = 64 * 1024 * 1024;

/** Open requests of one side of a pipe, by id. They are needed to change responses. */
export class PipeRequests {
  readonly #asked = new Map<unknown, AskedRequest>();
  #bytes = 0;

  /** @throws RpcError if the id is in use, or at the bound */
  record(request: RequestMessage, bytes: number): AskedRequest {
    // Otherwise the response to this request would pass unchanged, or count as the response to another request.
    const isFull = this.#asked.size === MAX_OPEN_REQUESTS || this.#bytes + bytes > MAX_OPEN_BYTES;
    const isRefused = this.#asked.has(request.id) || (isFull && this.#asked.size > 0);
    if (isRefused) throw RpcError.invalidRequest("its id is in use, or too many requests are open");
    const asked = { request, id: request.id, bytes };
    this.#asked.set(request.id, asked);
    this.#bytes += bytes;
    return asked;
  }

  has(asked: AskedRequest): boolean {
    return this.#asked.get(asked.id) === asked;
  }

  remove(asked: AskedRequest | undefined): void {
    if (asked !== undefined && this.has(asked)) this.take(asked.id);
  }

  /** Removes the request with an id and returns it. */
  take(id: unknown): RequestMessage | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    this.#bytes -= asked?.bytes ?? 0;
    return asked?.request;
  }
}
