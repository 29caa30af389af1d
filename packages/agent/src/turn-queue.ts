import type { StopReason } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";

/** How a prompt ended: with a reason, or with the error that its caller gets. */
export type TurnEnd = { readonly stopReason: StopReason } | { readonly error: unknown };

/** One prompt while it waits and runs. */
export type PromptJob = {
  /** Fires once, when the prompt is cancelled. */
  readonly signal: AbortSignal;
  /** Counts when it was called before the work settled; then the end is `cancelled`, whatever the work does. */
  cancel(): void;
  readonly ended: Promise<TurnEnd>;
};

/** What the prompts of one session need. */
export type TurnQueueOptions = {
  readonly whilePrompting: "queue" | "reject" | "replace";
  readonly cancelGraceMs: number;
};

type Work = (job: PromptJob) => Promise<StopReason | undefined | void>;

/** Prompts that may wait behind a running one; one more is refused. */
export const MAX_WAITING_PROMPTS = 100;

/** Runs the prompts of one session one after the other, each to exactly one end. */
export class TurnQueue {
  readonly #options: TurnQueueOptions;
  readonly #waiting: Job[] = [];
  #running: Job | undefined;

  constructor(options: TurnQueueOptions) {
    this.#options = options;
  }

  /** Settles when no prompt runs or waits. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running.ended;
  }

  /** @throws RpcError where the session's policy refuses a prompt at this moment */
  push(work: Work): PromptJob {
    if (this.#running !== undefined) this.#admit();
    const job = new Job(work, this.#options.cancelGraceMs, () => this.#remove(job));
    this.#waiting.push(job);
    this.#next();
    return job;
  }

  /** Cancels every prompt that was received so far, started or not. */
  cancelAll(): void {
    const jobs = this.#running === undefined ? [...this.#waiting] : [this.#running, ...this.#waiting];
    for (const job of jobs) job.cancel();
  }

  #admit(): void {
    const { whilePrompting } = this.#options;
    if (whilePrompting === "reject") throw RpcError.invalidRequest("a prompt is being answered in this session");
    if (whilePrompting === "replace") this.cancelAll();
    if (this.#waiting.length >= MAX_WAITING_PROMPTS) throw RpcError.invalidRequest("too many prompts wait");
  }

  #remove(job: Job): void {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#running = job;
    job.run();
    void job.ended.then(() => {
      this.#running = undefined;
      this.#next();
    });
  }
}

class Job implements PromptJob {
  readonly ended: Promise<TurnEnd>;
  readonly #controller = new AbortController();
  readonly #work: Work;
  readonly #graceMs: number;
  readonly #withdraw: () => void;
  #state: "waiting" | "running" | "ended" = "waiting";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settle!: (end: TurnEnd) => void;

  constructor(work: Work, graceMs: number, withdraw: () => void) {
    this.#work = work;
    this.#graceMs = graceMs;
    this.#withdraw = withdraw;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  run(): void {
    this.#state = "running";
    let outcome: ReturnType<Work>;
    try {
      outcome = this.#work(this);
    } catch (error) {
      outcome = Promise.reject(error);
    }
    outcome.then(
      (reason) => this.#end({ stopReason: reason ?? "end_turn" }),
      (error: unknown) => this.#end({ error }),
    );
  }

  cancel(): void {
    if (this.#state === "ended" || this.signal.aborted) return;
    this.#controller.abort(new DOMException("The turn was cancelled.", "AbortError"));
    if (this.#state === "waiting") {
      this.#withdraw();
      this.#end({ stopReason: "cancelled" });
    } else {
      this.#timer = setTimeout(() => this.#end({ stopReason: "cancelled" }), this.#graceMs);
    }
  }

  /** Errors that a cancel caused, and others after it, are no errors to the client (V1-CANCEL-07). */
  #end(end: TurnEnd): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    clearTimeout(this.#timer);
    this.#settle(this.signal.aborted ? { stopReason: "cancelled" } : end);
  }
}
