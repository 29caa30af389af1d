import { Account, type Holding, largest } from "../server/account.js";
import type { ListenLimits } from "./limits.js";
import type { BodyListener } from "./request-body.js";
import { Turns } from "./turns.js";

/** Size of a request in addition to its headers and its body, in bytes. It is about the memory of its objects. */
const REQUEST_SIZE = 32 * 1024;

/** Requests of a port whose principal is not known yet. Everybody can send such requests, so they share one bound. */
// REM-20
export class Undecided {
  readonly #account: Account;

  constructor({ undecidedBytes }: ListenLimits) {
    this.#account = new Account({ all: undecidedBytes, each: undecidedBytes });
  }

  /**
   * Begins to count the requests of a connection. `known` is called each time that the server reads a body of this
   * connection.
   */
  connection(known: () => void = () => {}): UndecidedRequests {
    return new UndecidedRequests(this.#account, known);
  }
}

/** A request until the server reads its body or accepts it, or until the client has got a refusal. */
export type UndecidedRequest = BodyListener & {
  /** Serves the request when its turn comes, unless it is closed before. */
  readonly serve: (work: () => void) => void;
  /** The server has answered. `isOk` is false for a refusal. */
  readonly answered: (isOk: boolean) => void;
  /** The client has got the answer, or is gone. */
  readonly closed: () => void;
};

type Counted = { size: number; readonly cut: () => void };

/**
 * Undecided requests of one connection. At the bound, the connection with the largest total loses its largest request.
 */
export class UndecidedRequests {
  readonly #requests = new Set<Counted>();
  readonly #turns = new Turns();
  readonly #holding: Holding;
  readonly #known: () => void;

  constructor(account: Account, known: () => void) {
    this.#holding = account.hold(undefined, () => largest(this.#requests)?.cut());
    this.#known = known;
  }

  /**
   * Begins to count a request. `cut` ends a request at the bound, which may be this one. The objects of the first request are not
   * counted, because every connection has one.
   */
  begin(rawHeaders: readonly string[], cut: () => void): UndecidedRequest {
    const objects = this.#requests.size > 0 ? REQUEST_SIZE : 0;
    const own = rawHeaders.reduce((sum, text) => sum + text.length, objects);
    let takeBack = () => {};
    let decided = () => {};
    const closed = () => {
      takeBack();
      if (this.#requests.delete(request)) this.#holding.add(-request.size);
    };
    const request: Counted = {
      size: 0,
      cut: () => {
        closed();
        cut();
      },
    };
    this.#requests.add(request);
    this.#count(request, own);
    return {
      arrived: (bytes) => this.#count(request, bytes),
      serve: (work) => {
        takeBack = this.#turns.add(() => {
          // From then on only its body counts, because the server has a bound for the number of requests that it
          // decides about.
          this.#count(request, -own);
          decided = once(() => this.#turns.decided());
          work();
        });
      },
      asked: () => {
        decided();
        closed();
        this.#known();
      },
      answered: (isOk) => {
        decided();
        if (isOk) closed();
        else this.#count(request, own);
      },
      closed,
    };
  }

  /** Ends the counting, because the connection is closed. */
  end(): void {
    this.#holding.end();
    this.#requests.clear();
  }

  #count(request: Counted, bytes: number): void {
    if (!this.#requests.has(request)) return;
    request.size += bytes;
    this.#holding.add(bytes);
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
