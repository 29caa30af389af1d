import type { StopReason, TokenUsage } from "@turnkit/session";
import { MAX_TIMER_MS } from "@turnkit/transport";
import type { TurnResult } from "./agent-handlers.js";
import { Cancellation } from "./cancellation.js";
import type { PromptReceipt } from "./driver/driver.js";
import { Outcome } from "./outcome.js";

/** How a prompt ended: with a reason, or with the error that its caller gets. */
export type TurnEnd = { readonly stopReason: StopReason; readonly usage?: TokenUsage } | { readonly error: unknown };

/** What answers one prompt, step by step. */
export interface PromptWork {
  /** Makes the prompt part of the conversation, and returns the id of its message. */
  begin(job: PromptJob): string;
  /** Called when the agent may begin, unless the prompt was cancelled before. */
  answer(): TurnResult | StopReason | void | Promise<TurnResult | StopReason | undefined | void>;
  /** What the answer left to be waited for. */
  drain(): Promise<unknown> | undefined;
  /** Called at the end, before anybody else learns of it. They learn what it returns; a promise does not reject. */
  ended(end: TurnEnd): TurnEnd | Promise<TurnEnd>;
}

/** What a prompt needs of the queue that it stands in. */
export type PromptQueue = {
  readonly cancelGraceMs: number;
  letIn(job: PromptJob): void;
  told(job: PromptJob): void;
};

/** One prompt from its receipt until the client was told its end. It ends exactly once. */
export class PromptJob implements PromptReceipt {
  readonly cancellation = new Cancellation();
  readonly #work: PromptWork;
  #queue: PromptQueue;
  /** Gives back the room that it took while it waited. */
  readonly #leave: () => void;
  readonly #ended = new Outcome<TurnEnd>();
  readonly #inserted = new Outcome<string | undefined>();
  readonly #proceeding = new Outcome<void>();
  readonly #done = new Outcome<void>();
  #state: "waiting" | "let in" | "running" | "ended" = "waiting";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(work: PromptWork, queue: PromptQueue, leave: () => void) {
    this.#work = work;
    this.#queue = queue;
    this.#leave = leave;
  }

  get ended(): Promise<TurnEnd> {
    return this.#ended.promise;
  }

  get inserted(): Promise<string | undefined> {
    return this.#inserted.promise;
  }

  /** Settles when the end was told to the client. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  /** Whether it has not ended yet. */
  get open(): boolean {
    return this.#state !== "ended";
  }

  /** Whether something that was received before it is not done yet. */
  get waits(): boolean {
    return this.#state === "waiting";
  }

  /** Enters the current queue of the prompt. Called when everything received before it is done. */
  enter(): void {
    this.#queue.letIn(this);
  }

  /** Stands in another queue from now on. */
  moveTo(queue: PromptQueue): void {
    this.#queue = queue;
  }

  letIn(): void {
    if (this.#state === "waiting") this.#state = "let in";
  }

  /** Ends it before it starts. */
  refuse(error: unknown): void {
    this.#end({ error });
  }

  runIfLetIn(): void {
    if (this.#state !== "let in") return;
    this.#state = "running";
    this.#leave();
    void this.#run();
  }

  told(): void {
    this.#done.settle();
    this.#queue.told(this);
  }

  proceed(): void {
    this.#proceeding.settle();
  }

  withdraw(): void {
    if (!this.#inserted.isSettled) this.cancel();
  }

  /**
   * Counts when it comes before the work settled; then the end is `cancelled`, whatever the work does (V1-CANCEL-07):
   * at once if the work has not begun, else after the grace at the latest. A repeated cancel never makes it longer.
   */
  cancel(graceMs = this.#queue.cancelGraceMs): void {
    if (this.#state === "ended") return;
    this.cancellation.cancel("The turn was cancelled.");
    // Once the prompt is inserted its answer is on the way, and the end follows the answer.
    if (!this.#inserted.isSettled) this.proceed();
    if (this.#state !== "running") return this.#end({ stopReason: "cancelled" });
    const deadline = performance.now() + graceMs;
    if (deadline >= this.#deadline || graceMs > MAX_TIMER_MS) return;
    this.#deadline = deadline;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end({ stopReason: "cancelled" }), graceMs);
  }

  /** One async function for all steps: with one for each, the agent's side of a prompt leaves 40 % more garbage. */
  async #run(): Promise<void> {
    // A cancel that came in the same write as the prompt is seen before the work begins.
    await undefined;
    try {
      if (!this.cancellation.isCancelled) {
        this.#inserted.settle(this.#work.begin(this));
        if (!this.#proceeding.isSettled) await this.#proceeding.promise;
      }
      const result = this.cancellation.isCancelled ? undefined : await this.#work.answer();
      await this.#work.drain();
      this.#end(readResult(result));
    } catch (error) {
      this.#end({ error });
    }
  }

  #end(end: TurnEnd): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    this.#leave();
    clearTimeout(this.#timer);
    const final = this.#finish(this.cancellation.isCancelled ? cancelled(end) : end);
    this.#inserted.settle(undefined);
    if (final instanceof Promise) void final.then((told) => this.#ended.settle(told));
    else this.#ended.settle(final);
  }

  /** Whatever fails here, the prompt ends. */
  #finish(end: TurnEnd): TurnEnd | Promise<TurnEnd> {
    try {
      return this.#work.ended(end);
    } catch (error) {
      return { error };
    }
  }
}

/** What a cancelled turn had spent is spent all the same. */
function cancelled(end: TurnEnd): TurnEnd {
  return { stopReason: "cancelled", ...("usage" in end && { usage: end.usage }) };
}

function readResult(result: TurnResult | StopReason | undefined | void): TurnEnd {
  if (typeof result === "string") return { stopReason: result };
  const { stopReason = "end_turn", usage } = result ?? {};
  return usage === undefined ? { stopReason } : { stopReason, usage };
}
