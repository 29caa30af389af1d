import type { StopReason } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import { MAX_TIMER_MS } from "@turnkit/transport";
import type { AgentHandlers, TurnResult } from "./agent-handlers.js";
import type { CallOrder } from "./call-order.js";
import { Cancellation } from "./cancellation.js";
import { Deferred } from "./deferred.js";
import type { Driver, PromptReceipt } from "./driver/driver.js";
import { LiveTurn, type TurnSession } from "./live-turn.js";
import type { SessionOutput } from "./session-output.js";
import { bareEnd, sendableEnd, type TurnEnd } from "./turn-end.js";

/** Members of a session that its prompts use. */
export type PromptSession<S> = TurnSession<S> & {
  readonly driver: Driver;
  readonly output: SessionOutput;
  readonly order: CallOrder;
};

/** Members of a queue that its prompts use. */
export type PromptLine<S> = {
  readonly session: PromptSession<S>;
  readonly handlers: Pick<AgentHandlers<S>, "prompt">;
  readonly cancelGraceMs: number;
  startNext(): void;
  remove(prompt: Prompt<S>): void;
};

/**
 * One prompt, from its receipt until the client has its end. It ends exactly once.
 *
 * `queued` → `ready` (earlier calls are done) → `running` (earlier prompts are done) → `ended`. A cancel, a refusal and a
 * failure lead to `ended` from any state.
 */
export class Prompt<S> implements PromptReceipt {
  readonly #request: Calls["prompt"]["params"];
  #queue: PromptLine<S>;
  /** Gives back the room that the prompt took while it waited. */
  readonly #leave: () => void;
  readonly #cancellation = new Cancellation();
  readonly #inserted = new Deferred<string | undefined>();
  readonly #proceeding = new Deferred<void>();
  readonly #ended = new Deferred<TurnEnd>();
  readonly #released = new Deferred<void>();
  #state: "queued" | "ready" | "running" | "ended" = "queued";
  #messageId = "";
  #turn: LiveTurn<S> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(request: Calls["prompt"]["params"], queue: PromptLine<S>, leave: () => void) {
    this.#request = request;
    this.#queue = queue;
    this.#leave = leave;
  }

  get inserted(): Promise<string | undefined> {
    return this.#inserted.promise;
  }

  get ended(): Promise<TurnEnd> {
    return this.#ended.promise;
  }

  /** Settles when {@link release} is called. */
  get released(): Promise<void> {
    return this.#released.promise;
  }

  get hasEnded(): boolean {
    return this.#state === "ended";
  }

  /** True while the prompt waits for earlier calls of the session, other than prompts. */
  get isQueued(): boolean {
    return this.#state === "queued";
  }

  /** Moves the prompt to the queue of another session, which answers it. */
  moveTo(queue: PromptLine<S>): void {
    this.#queue = queue;
  }

  /** Lets the prompt start in its turn: every earlier call of the session is done. */
  makeReady(): void {
    if (this.#state === "queued") this.#state = "ready";
    this.#queue.startNext();
  }

  startIfReady(): void {
    if (this.#state !== "ready") return;
    this.#state = "running";
    this.#leave();
    void this.#run();
  }

  /** Ends the prompt before it starts. */
  refuse(error: unknown): void {
    this.#end({ error });
  }

  proceed(): void {
    this.#proceeding.resolve();
  }

  release(): void {
    this.#released.resolve();
    this.#queue.remove(this);
  }

  withdraw(): void {
    if (!this.#inserted.isSettled) this.cancel();
  }

  /**
   * Cancels the prompt; the first end counts. A prompt that waits ends at once. One that runs ends with its handler, at the
   * latest after the grace. A repeated cancel never makes the grace longer.
   */
  cancel(graceMs = this.#queue.cancelGraceMs): void {
    if (this.#state === "ended") return;
    this.#cancellation.cancel("The turn was cancelled.");
    if (this.#state !== "running") return this.#end({ stopReason: "cancelled" });
    const deadline = performance.now() + graceMs;
    if (deadline >= this.#deadline || graceMs > MAX_TIMER_MS) return;
    this.#deadline = deadline;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end({ stopReason: "cancelled" }), graceMs);
  }

  // One async function for all steps: one for each step leaves 40 % more garbage on the agent's side of a prompt.
  async #run(): Promise<void> {
    // A cancel in the same write as the prompt arrives before the handler begins.
    await undefined;
    try {
      if (!this.#cancellation.isCancelled) {
        this.#inserted.resolve(this.#begin());
        if (!this.#proceeding.isSettled) await this.#proceeding.promise;
      }
      const result = this.#cancellation.isCancelled ? undefined : await this.#answer();
      await this.#turn?.drain();
      this.#end(readResult(result));
    } catch (error) {
      this.#end({ error });
    }
  }

  /** Makes the prompt part of the conversation and returns the id of its message. */
  #begin(): string {
    const { session } = this.#queue;
    const { driver, output } = session;
    output.mustBeOpen();
    output.journal?.mustWork();
    const messageId = output.newId("user");
    this.#messageId = messageId;
    driver.begin(session, { messageId, prompt: this.#request.prompt });
    // Stored second: a prompt that cannot be stored begins no turn.
    output.journal?.append({ type: "turn_started", promptId: messageId });
    this.#turn = new LiveTurn(session, this.#request, this.#cancellation);
    return messageId;
  }

  #answer(): ReturnType<AgentHandlers<S>["prompt"]> {
    return this.#turn && this.#queue.handlers.prompt(this.#turn);
  }

  #end(end: TurnEnd): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    this.#leave();
    clearTimeout(this.#timer);
    // V1-CANCEL-07: a cancelled turn ends as cancelled, whatever its handler returns or throws.
    const final = this.#report(this.#cancellation.isCancelled ? cancelled(end) : end);
    this.#inserted.resolve(undefined);
    if (final instanceof Promise) void final.then((reported) => this.#ended.resolve(reported));
    else this.#ended.resolve(final);
  }

  /** Stores the end of a turn where there is a log, then sends it. Returns the end as it was sent. Never throws. */
  #report(given: TurnEnd): TurnEnd | Promise<TurnEnd> {
    const turn = this.#turn;
    if (turn === undefined) return given;
    const { output } = this.#queue.session;
    try {
      turn.end();
      const end = sendableEnd(given, output.maxEventBytes, output.onFault);
      output.flush();
      output.endMessage();
      if (output.journal === undefined) return this.#send(end);
      return output.journal.endTurn(this.#messageId, end).then((stored) => this.#send(stored));
    } catch (error) {
      return { error };
    }
  }

  /** Sends the end; without the agent's additions if that fails, since the client must not believe that the turn goes on. */
  #send(end: TurnEnd): TurnEnd {
    const { session } = this.#queue;
    const { driver, output } = session;
    try {
      driver.end(session, this.#messageId, end);
      return end;
    } catch (error) {
      output.onFault("The end of a turn could not be told as it was.", error);
    }
    const bare = bareEnd(end);
    try {
      driver.end(session, this.#messageId, bare);
    } catch (error) {
      output.onFault("The end of a turn could not be sent.", error);
    }
    return bare;
  }
}

/** Returns a cancelled end. Tokens that the turn spent stay spent. */
function cancelled(end: TurnEnd): TurnEnd {
  return { stopReason: "cancelled", ...("usage" in end && { usage: end.usage }) };
}

function readResult(result: TurnResult | StopReason | undefined | void): TurnEnd {
  if (typeof result === "string") return { stopReason: result };
  const { stopReason = "end_turn", usage } = result ?? {};
  return usage === undefined ? { stopReason } : { stopReason, usage };
}
