import { Account, type Holding, largest } from "../server/account.js";
import type { ListenLimits } from "./limits.js";
import type { BodyListener } from "./request-body.js";
import { Turns } from "./turns.js";

/** Size of a request besides its headers and its body, in bytes: about the memory that its objects take. */
const REQUEST_SIZE = 32 * 1024;

/** Requests of a port whose principal is not known. Everybody can send them, so that they have a bound together. */
// REM-20
export class Undecided {
  readonly #account: Account;

  constructor({ undecidedBytes }: ListenLimits) {
    this.#account = new Account({ all: undecidedBytes, each: undecidedBytes });
  }

  /** Begins to count the requests of a connection. `known` is called each time the server asks for a body of it. */
  connection(known: () => void = () => {}): UndecidedRequests {
    return new UndecidedRequests(this.#account, known);
  }
}

/** A request until the server asks for its body or answers well, or until its client has a refusal. */
export type UndecidedRequest = BodyListener & {
  /** Serves the request when its turn comes, unless it is closed before. */
  readonly serve: (work: () => void) => void;
  /** The server has answered. `isOk` is false for a refusal. */
  readonly answered: (isOk: boolean) => void;
  /** The client has the answer, or is gone. */
  readonly closed: () => void;
};

type Counted = { size: number; readonly cut: () => void };

/** Undecided requests of one connection. At the bound, the connection that has the most loses its largest request. */
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
          // Meanwhile only its body counts: the server has a bound for the number of requests that it decides about.
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

  /** Counts nothing more, because the connection is closed. */
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
