import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientGone } from "./handler.js";
import { RequestBody } from "./request-body.js";
import type { UndecidedRequest, UndecidedRequests } from "./undecided.js";

/** A request of HTTP/1.1, and its response. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: RequestBody | undefined;
  readonly undecided: UndecidedRequest;
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal;
};

/** Open requests of one connection of HTTP/1.1. Most clients send the next request after the answer, but not all. */
export class Http1Connection {
  readonly #socket: Socket;
  readonly #requests: UndecidedRequests;
  /** Ends of the open requests. Node reports the close of a socket only to the response that is being sent. */
  readonly #ends = new Set<() => void>();

  constructor(socket: Socket, requests: UndecidedRequests) {
    this.#socket = socket;
    this.#requests = requests;
    socket.once("close", () => this.#end());
  }

  /** Begins a request. Returns `undefined` if the connection is cut. */
  begin(request: IncomingMessage, response: ServerResponse): Exchange | undefined {
    const undecided = this.#requests.begin(request.rawHeaders, () => this.#cut());
    // Node parses all requests of one read, even after a cut.
    if (this.#socket.destroyed) return undefined;
    const gone = new AbortController();
    const end = () => {
      this.#ends.delete(end);
      undecided.closed();
      gone.abort(clientGone);
    };
    this.#ends.add(end);
    response.once("close", end);
    const body = hasBody(request) ? new RequestBody(request, undecided) : undefined;
    return { request, response, body, undecided, gone: gone.signal };
  }

  #cut(): void {
    this.#end();
    this.#socket.destroy();
  }

  #end(): void {
    for (const end of this.#ends) end();
    this.#requests.end();
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
