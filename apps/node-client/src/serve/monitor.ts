import type { Figures } from "@turnkit/gateway";
import { unlessAborted } from "../interrupts.js";

/** Time for the storage to answer, in milliseconds. */
const REACH_MS = 2_000;

/**
 * Time for which an answer of the storage is reused, in milliseconds. The number of requests to the storage is
 * therefore bounded.
 */
const FRESH_MS = 1_000;

export type MonitorParts = {
  readonly figures: Figures;
  /** Returns true for a request that may read the figures. */
  readonly mayRead: (request: Request) => boolean;
  /** Settles when the storage has answered. Rejects with an Error if there is no answer. */
  readonly reach: () => Promise<void>;
  readonly now?: () => number;
};

/**
 * Pages for programs that watch a server.
 *
 * | page       | answer                                                                    | for whom            |
 * | ---------- | ------------------------------------------------------------------------- | ------------------- |
 * | `/healthz` | 200 while the process lives                                               | everybody           |
 * | `/readyz`  | 200 while the storage answers and the server is not ending, otherwise 503 | everybody           |
 * | `/metrics` | the figures in the text form of OpenMetrics                               | those with a token  |
 */
// SHARE-12
export class Monitor {
  readonly #parts: MonitorParts;
  readonly #now: () => number;
  #isClosing = false;
  #reached: Promise<boolean> | undefined;
  #freshUntil = 0;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  closing(): void {
    this.#isClosing = true;
  }

  /** Answers a request for one of the pages. Returns `undefined` for another page. */
  async answer(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    if (!PAGES.has(pathname)) return undefined;
    if (request.method !== "GET" && request.method !== "HEAD")
      return text(405, "Only GET is allowed.", { Allow: "GET, HEAD" });
    if (pathname === "/healthz") return text(200, "ok");
    if (pathname === "/readyz") return this.#ready();
    if (!this.#parts.mayRead(request)) return text(401, "Show a token.", { "WWW-Authenticate": "Bearer" });
    return respond(200, this.#parts.figures.text(), { "Content-Type": OPEN_METRICS });
  }

  async #ready(): Promise<Response> {
    if (this.#isClosing) return text(503, "not ready: the server is ending");
    return (await this.#isReached()) ? text(200, "ready") : text(503, "not ready: the storage does not answer");
  }

  #isReached(): Promise<boolean> {
    if (this.#reached !== undefined && this.#now() < this.#freshUntil) return this.#reached;
    this.#freshUntil = Number.POSITIVE_INFINITY;
    const answered = unlessAborted(this.#parts.reach(), AbortSignal.timeout(REACH_MS)).then(
      () => true,
      () => false,
    );
    const reached = answered.finally(() => {
      this.#freshUntil = this.#now() + FRESH_MS;
    });
    this.#reached = reached;
    return reached;
  }
}

const PAGES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

const respond = (status: number, body: string, headers: Readonly<Record<string, string>>): Response =>
  new Response(body, {
    status,
    headers: { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", ...headers },
  });

const text = (status: number, sentence: string, headers: Readonly<Record<string, string>> = {}): Response =>
  respond(status, `${sentence}\n`, { "Content-Type": "text/plain; charset=utf-8", ...headers });
