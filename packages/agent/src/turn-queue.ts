import { RpcError } from "@turnkit/transport";
import { PromptJob, type PromptQueue, type PromptWork } from "./prompt-job.js";

/** What the prompts of one session need. */
export type TurnQueueOptions = {
  readonly whilePrompting: "queue" | "reject" | "replace";
  readonly cancelGraceMs: number;
};

/** Prompts of one session that may wait behind the first; one more is refused with `-32600`. */
export const MAX_WAITING_PROMPTS = 100;

/**
 * Runs the prompts of one session one after the other, each to exactly one end. A prompt enters at receipt, so that a
 * cancel reaches it; it starts when it was let in and the end of the one before it was told to the client.
 */
export class TurnQueue implements PromptQueue {
  readonly cancelGraceMs: number;
  readonly #whilePrompting: TurnQueueOptions["whilePrompting"];
  #jobs: PromptJob[] = [];

  constructor({ whilePrompting, cancelGraceMs }: TurnQueueOptions) {
    this.#whilePrompting = whilePrompting;
    this.cancelGraceMs = cancelGraceMs;
  }

  get isIdle(): boolean {
    return this.#jobs.length === 0;
  }

  /**
   * @param leave called when the prompt starts, or ends without a start
   * @throws RpcError where the session's policy refuses a prompt at this moment
   */
  push(work: PromptWork, leave: () => void): PromptJob {
    this.#admit();
    const job = new PromptJob(work, this, leave);
    this.#jobs.push(job);
    return job;
  }

  /** What was received before this prompt is done. */
  letIn(job: PromptJob): void {
    job.letIn();
    this.#next();
  }

  /** The client was told how a prompt ended, or is gone. */
  told(job: PromptJob): void {
    if (this.#jobs[0] === job) this.#jobs.shift();
    else this.#jobs = this.#jobs.filter((other) => other !== job);
    this.#next();
  }

  /** Takes the prompts that wait in another queue, behind its own, as if they were received now. */
  adopt(other: TurnQueue): void {
    const jobs = other.#jobs;
    other.#jobs = [];
    for (const job of jobs) {
      job.moveTo(this);
      if (job.open) this.#admitOrRefuse(job);
      this.#jobs.push(job);
    }
  }

  /** Cancels every prompt that was received so far, started or not. */
  cancelAll(graceMs = this.cancelGraceMs): void {
    for (const job of this.#jobs) job.cancel(graceMs);
  }

  /** {@link cancelAll} when nobody is left to be told. */
  abandon(graceMs: number): void {
    this.cancelAll(graceMs);
    for (const job of this.#jobs) {
      // Nobody is answered any more.
      job.proceed();
      void job.ended.then(() => job.told());
    }
  }

  /** Settles when the client was told the end of every prompt that was cancelled or let in before this call. */
  async idle(): Promise<void> {
    await Promise.all(this.#jobs.filter((job) => !job.waits).map((job) => job.done));
  }

  #admitOrRefuse(job: PromptJob): void {
    try {
      this.#admit();
    } catch (error) {
      job.refuse(error);
    }
  }

  #admit(): void {
    if (!this.#jobs.some((job) => job.open)) return;
    if (this.#whilePrompting === "reject") throw RpcError.invalidRequest("a prompt is being answered in this session");
    if (this.#whilePrompting === "replace") this.cancelAll();
    if (this.#jobs.filter((job) => job.open).length > MAX_WAITING_PROMPTS) {
      throw RpcError.invalidRequest(`${MAX_WAITING_PROMPTS} prompts wait in this session already`);
    }
  }

  #next(): void {
    this.#jobs[0]?.runIfLetIn();
  }
}
