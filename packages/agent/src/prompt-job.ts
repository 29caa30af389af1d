import type { StopReason, TokenUsage } from "@turnkit/session";
import type { TurnResult } from "./agent.js";
import { Cancellation } from "./cancellation.js";

/** How a prompt ended: with a reason, or with the error that its caller gets. */
export type TurnEnd = { readonly stopReason: StopReason; readonly usage?: TokenUsage } | { readonly error: unknown };

/** What answers one prompt. */
export type PromptWork = (job: PromptJob) => Promise<TurnResult | StopReason | undefined | void>;

/** One prompt from its receipt until the client was told its end. It ends exactly once. */
export class PromptJob {
  readonly ended: Promise<TurnEnd>;
  readonly cancellation = new Cancellation();
  /** Settles with the id of the user's message when it became part of the conversation, `undefined` if it never will. */
  readonly inserted: Promise<string | undefined>;
  /**
   * Called at the end of a prompt that was inserted, before anybody else learns of it. They learn what it returns; a
   * promise does not reject.
   */
  onEnd: ((end: TurnEnd) => TurnEnd | Promise<TurnEnd>) | undefined;
  /** The end was told to the client. */
  readonly done: Promise<void>;
  readonly #work: PromptWork;
  #state: "waiting" | "let in" | "running" | "ended" = "waiting";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline = Number.POSITIVE_INFINITY;
  readonly #graceMs: number;
  #settle!: (end: TurnEnd) => void;
  #settleInserted!: (messageId: string | undefined) => void;
  #proceed!: () => void;
  readonly #proceeding: Promise<void>;
  #isInserted = false;
  #finish!: () => void;

  constructor(work: PromptWork, graceMs: number) {
    this.#work = work;
    this.#graceMs = graceMs;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.inserted = new Promise((resolve) => {
      this.#settleInserted = resolve;
    });
    this.#proceeding = new Promise((resolve) => {
      this.#proceed = resolve;
    });
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Whether it has not ended yet. */
  get open(): boolean {
    return this.#state !== "ended";
  }

  /** Whether something that was received before it is not done yet. */
  get waits(): boolean {
    return this.#state === "waiting";
  }

  letIn(): void {
    if (this.#state === "waiting") this.#state = "let in";
  }

  runIfLetIn(): void {
    if (this.#state !== "let in") return;
    this.#state = "running";
    void this.#run();
  }

  told(): void {
    this.#finish();
  }

  /** The prompt is part of the conversation now. Settles when the agent may begin, or shall not any more. */
  async insert(messageId: string): Promise<void> {
    this.#isInserted = true;
    this.#settleInserted(messageId);
    await this.#proceeding;
  }

  /** Lets the agent begin as soon as the prompt is inserted. */
  proceed(): void {
    this.#proceed();
  }

  /** Cancels it unless it was inserted. */
  withdraw(): void {
    if (!this.#isInserted) this.cancel();
  }

  /**
   * Counts when it comes before the work settled; then the end is `cancelled`, whatever the work does (V1-CANCEL-07):
   * at once if the work has not begun, else after the grace at the latest. A repeated cancel never makes it longer.
   */
  cancel(graceMs = this.#graceMs): void {
    if (this.#state === "ended") return;
    this.cancellation.cancel("The turn was cancelled.");
    this.#proceed();
    if (this.#state !== "running") return this.#end({ stopReason: "cancelled" });
    const deadline = performance.now() + graceMs;
    if (deadline >= this.#deadline) return;
    this.#deadline = deadline;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end({ stopReason: "cancelled" }), graceMs);
  }

  async #run(): Promise<void> {
    // A cancel that came in the same write as the prompt is seen before the work begins.
    await undefined;
    try {
      this.#end(readResult(this.cancellation.isCancelled ? undefined : await this.#work(this)));
    } catch (error) {
      this.#end({ error });
    }
  }

  #end(end: TurnEnd): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    clearTimeout(this.#timer);
    // What a cancelled turn had spent is spent all the same.
    const spent = "usage" in end && { usage: end.usage };
    const told: TurnEnd = this.cancellation.isCancelled ? { ...spent, stopReason: "cancelled" } : end;
    const final = this.onEnd?.(told) ?? told;
    this.#settleInserted(undefined);
    if (final instanceof Promise) void final.then(this.#settle);
    else this.#settle(final);
  }
}

function readResult(result: TurnResult | StopReason | undefined | void): TurnEnd {
  if (typeof result === "string") return { stopReason: result };
  const { stopReason = "end_turn", usage } = result ?? {};
  return usage === undefined ? { stopReason } : { stopReason, usage };
}
