import type { Calls } from "@turnkit/session/codec";
import { MAX_TIMER_MS, RpcError } from "@turnkit/transport";
import type { AgentHandlers } from "./agent-handlers.js";
import type { CallOrder } from "./call-order.js";
import { Cancellation } from "./cancellation.js";
import { checkBlocks } from "./capabilities.js";
import { Deferred } from "./deferred.js";
import type { Driver, PromptReceipt } from "./driver/driver.js";
import { LiveTurn, type TurnSession } from "./live-turn.js";
import type { SessionOutput } from "./session-output.js";
import { bareEnd, cancelledEnd, endOf, failedEnd, sendableEnd, type TurnEnd } from "./turn-end.js";

/** Members of a session that its prompts use. */
export type PromptSession<S> = TurnSession<S> & {
  readonly driver: Driver;
  readonly output: SessionOutput;
  readonly order: CallOrder;
  /** Stores the session's data if the session has a log. Never throws. */
  storeData(): void;
};

/** Options of a queue of prompts. */
export type PromptOptions<S> = {
  readonly handlers: Pick<AgentHandlers<S>, "prompt" | "whilePrompting">;
  readonly cancelGraceMs: number;
};

/**
 * Maximum number of prompts of a session that wait behind the running prompt. A further prompt is refused with `-32600`.
 */
export const MAX_WAITING_PROMPTS = 100;

/**
 * Prompts of one session, which run one after the other. A cancel reaches every prompt that was received before the cancel.
 * A prompt starts when all earlier calls are done and the client has the end of the previous prompt.
 */
export class PromptQueue<S> {
  readonly session: PromptSession<S>;
  readonly options: PromptOptions<S>;
  #prompts: Prompt<S>[] = [];

  constructor(session: PromptSession<S>, options: PromptOptions<S>) {
    this.session = session;
    this.options = options;
  }

  /**
   * Adds a prompt that was just received.
   *
   * @throws RpcError
   *
   * - `-32602` for blocks that the agent did not offer
   * - `-32603` if the prompt has to wait and there is no room
   * - `-32600` if `whilePrompting` refuses the prompt, or too many prompts wait
   */
  push(request: Calls["prompt"]["params"], bytes: number): Prompt<S> {
    const { driver, order } = this.session;
    checkBlocks(driver.offers, request.prompt);
    const leave = order.enter(bytes, this.#prompts.length > 0);
    try {
      this.#admit();
    } catch (error) {
      leave();
      throw error;
    }
    let drop: (() => void) | undefined;
    const prompt = new Prompt(this, request, () => {
      leave();
      // A prompt that ends before its turn must not wait for a call that never ends.
      drop?.();
    });
    this.#prompts.push(prompt);
    drop = order.start(() => prompt.makeReady());
    return prompt;
  }

  startNext(): void {
    this.#prompts[0]?.startIfReady();
  }

  remove(prompt: Prompt<S>): void {
    if (this.#prompts[0] === prompt) this.#prompts.shift();
    else this.#prompts = this.#prompts.filter((other) => other !== prompt);
    this.startNext();
  }

  /** Adds the prompts of another queue after the prompts of this queue. */
  adopt(other: PromptQueue<S>): void {
    const prompts = other.#prompts;
    other.#prompts = [];
    for (const prompt of prompts) {
      prompt.queue = this;
      if (prompt.state !== "ended") this.#admitOrRefuse(prompt);
      this.#prompts.push(prompt);
    }
  }

  /** Cancels every prompt that was received so far, started or not. */
  cancelAll(graceMs = this.options.cancelGraceMs): void {
    for (const prompt of this.#prompts) prompt.cancel(graceMs);
  }

  /** Cancels every prompt after the end of the connection. Each prompt releases itself, because no answer is sent. */
  abandon(graceMs: number): void {
    this.cancelAll(graceMs);
    for (const prompt of this.#prompts) {
      prompt.proceed();
      void prompt.ended.then(() => prompt.release());
    }
  }

  /** Settles when every prompt is released that is cancelled or ready at the time of this call. */
  async idle(): Promise<void> {
    await Promise.all(
      this.#prompts.filter((prompt) => prompt.state !== "queued").map(({ released }) => released.promise),
    );
  }

  #admitOrRefuse(prompt: Prompt<S>): void {
    try {
      this.#admit();
    } catch (error) {
      prompt.end({ error });
    }
  }

  #admit(): void {
    if (!this.#prompts.some((prompt) => prompt.state !== "ended")) return;
    const { whilePrompting } = this.options.handlers;
    if (whilePrompting === "reject") throw RpcError.invalidRequest("a prompt is being answered in this session");
    if (whilePrompting === "replace") this.cancelAll();
    if (this.#prompts.filter((prompt) => prompt.state !== "ended").length > MAX_WAITING_PROMPTS) {
      throw RpcError.invalidRequest(`${MAX_WAITING_PROMPTS} prompts wait in this session already`);
    }
  }
}

/**
 * One prompt, from its receipt until the client has its end. A prompt ends exactly once. Its states are:
 *
 * 1. `queued`: earlier calls are not done.
 * 2. `ready`: earlier calls are done, earlier prompts are not.
 * 3. `running`: the handler runs.
 * 4. `ended`: reached from `running`, and from any other state by a cancel, a refusal or a failure.
 */
class Prompt<S> implements PromptReceipt {
  /** Queue of the session that answers the prompt. */
  queue: PromptQueue<S>;
  state: "queued" | "ready" | "running" | "ended" = "queued";
  readonly released = new Deferred<void>();
  readonly #request: Calls["prompt"]["params"];
  /** Frees the room that the prompt took while it waited. */
  readonly #leave: () => void;
  readonly #cancellation = new Cancellation();
  readonly #inserted = new Deferred<string | undefined>();
  readonly #proceeding = new Deferred<void>();
  readonly #ended = new Deferred<TurnEnd>();
  #messageId = "";
  #turn: LiveTurn<S> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(queue: PromptQueue<S>, request: Calls["prompt"]["params"], leave: () => void) {
    this.queue = queue;
    this.#request = request;
    this.#leave = leave;
  }

  get inserted(): Promise<string | undefined> {
    return this.#inserted.promise;
  }

  get ended(): Promise<TurnEnd> {
    return this.#ended.promise;
  }

  makeReady(): void {
    if (this.state === "queued") this.state = "ready";
    this.queue.startNext();
  }

  startIfReady(): void {
    if (this.state !== "ready") return;
    this.state = "running";
    this.#leave();
    void this.#run();
  }

  proceed(): void {
    this.#proceeding.resolve();
  }

  release(): void {
    this.released.resolve();
    this.queue.remove(this);
  }

  withdraw(): void {
    if (!this.#inserted.isSettled) this.cancel();
  }

  /**
   * Cancels the prompt. Does nothing after the prompt's end.
   *
   * - A waiting prompt ends at once.
   * - A running prompt ends with its handler, or after `graceMs`. A second cancel may shorten this time, but never prolongs
   *   it.
   */
  cancel(graceMs = this.queue.options.cancelGraceMs): void {
    if (this.state === "ended") return;
    this.#cancellation.cancel("The turn was cancelled.");
    if (this.state !== "running") return this.end({ stopReason: "cancelled" });
    const deadline = performance.now() + graceMs;
    if (deadline >= this.#deadline || graceMs > MAX_TIMER_MS) return;
    this.#deadline = deadline;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end({ stopReason: "cancelled" }), graceMs);
  }

  // One async function for all steps. A function for each step would leave 40 % more garbage on the agent's side of a
  // prompt.
  async #run(): Promise<void> {
    // One write may contain the prompt and its cancel. The cancel then arrives before the handler begins.
    await undefined;
    try {
      if (!this.#cancellation.isCancelled) {
        this.#inserted.resolve(this.#begin());
        if (!this.#proceeding.isSettled) await this.#proceeding.promise;
      }
      const turn = this.#turn;
      const isRunning = turn !== undefined && !this.#cancellation.isCancelled;
      const result = isRunning ? await this.queue.options.handlers.prompt(turn) : undefined;
      await turn?.drain();
      this.end(endOf(result, this.queue.session.output.onFault));
    } catch (error) {
      this.end(this.#cancellation.isCancelled ? { error } : failedEnd(error, this.queue.session.output.onFault));
    }
  }

  /** Adds the prompt to the conversation. Returns the id of the user's message. */
  #begin(): string {
    const { session } = this.queue;
    const { driver, output } = session;
    output.mustBeOpen();
    output.journal?.mustWork();
    const messageId = output.newId("user");
    this.#messageId = messageId;
    driver.begin(session, { messageId, prompt: this.#request.prompt });
    // Stored after the message, so that a prompt that cannot be stored begins no turn.
    output.journal?.append({ type: "turn_started", promptId: messageId });
    this.#turn = new LiveTurn(session, this.#request, this.#cancellation);
    return messageId;
  }

  end(end: TurnEnd): void {
    if (this.state === "ended") return;
    this.state = "ended";
    this.#leave();
    clearTimeout(this.#timer);
    // V1-CANCEL-07: a cancelled turn ends as cancelled, whatever its handler returns or throws.
    const final = this.#report(this.#cancellation.isCancelled ? cancelledEnd(end) : end);
    this.#inserted.resolve(undefined);
    if (final instanceof Promise) void final.then((reported) => this.#ended.resolve(reported));
    else this.#ended.resolve(final);
  }

  /**
   * Sends the end of a turn, after storing the end if the session has a log. Returns the end as it was sent. Never throws.
   */
  #report(given: TurnEnd): TurnEnd | Promise<TurnEnd> {
    if (this.#turn === undefined) return given;
    const { output } = this.queue.session;
    try {
      this.#turn.end();
      const end = sendableEnd(given, output.maxEventBytes, output.onFault);
      output.flush();
      output.endMessage();
      if (output.journal === undefined) return this.#send(end);
      this.queue.session.storeData();
      return output.journal.endTurn(this.#messageId, end).then((stored) => this.#send(stored));
    } catch (error) {
      return { error };
    }
  }

  /** Sends the end. If sending fails, sends the end without the agent's additions, because the client must get an end. */
  #send(end: TurnEnd, isBare = false): TurnEnd {
    const { session } = this.queue;
    try {
      session.driver.end(session, this.#messageId, end);
      return end;
    } catch (error) {
      session.output.onFault("The end of a turn could not be sent.", error);
      return isBare ? end : this.#send(bareEnd(end), true);
    }
  }
}
