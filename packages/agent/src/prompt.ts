import type { Calls } from "@turnkit/session/codec";
import { MAX_TIMER_MS, RpcError } from "@turnkit/transport";
import type { AgentHandlers } from "./agent-handlers.js";
import type { CallOrder } from "./call-order.js";
import { Cancellation } from "./cancellation.js";
import { Deferred } from "./deferred.js";
import type { Driver, PromptReceipt } from "./driver/driver.js";
import { LiveTurn } from "./live-turn.js";
import type { KeyedMessage, PromptKey, PromptKeys } from "./prompt-keys.js";
import type { SessionOutput } from "./session-output.js";
import { unlessError } from "./thrown-error.js";
import { bareEnd, cancelledEnd, endOf, failedEnd, sendableEnd, type TurnEnd } from "./turn-end.js";
import { type TurnSession, TurnWork } from "./turn-work.js";

/** Members of a session that its prompts use. */
export type PromptSession<S> = TurnSession<S> & {
  readonly driver: Driver;
  readonly output: SessionOutput;
  readonly order: CallOrder;
  readonly keys: PromptKeys;
  /** Stores the session's data if the session has a log. Never throws. */
  storeData(): void;
  /** Child sessions, or `undefined` if the session never had any. */
  readonly openChildren: { cancel(): void; settle(): void; reportUnfinished(): void } | undefined;
};

/** Options of a queue of prompts. */
export type PromptOptions<S> = {
  readonly handlers: Pick<AgentHandlers<S>, "prompt" | "whilePrompting" | "onKeyReuse">;
  readonly cancelGraceMs: number;
};

/** Queue of the session that answers a prompt. */
export interface PromptOwner<S> {
  readonly session: PromptSession<S>;
  readonly options: PromptOptions<S>;
  startNext(): void;
  remove(prompt: Prompt<S>): void;
  /** Returns the message that was inserted with a key. Sends the message if this client does not have it. */
  insertedMessage(promptKey: PromptKey, content: Calls["prompt"]["params"]["prompt"]): KeyedMessage | undefined;
}

type KeyedRequest = Calls["prompt"]["params"] & { readonly promptKey?: PromptKey | undefined };

/**
 * One prompt, from its receipt until the client has its end. A prompt ends exactly once. Its states are:
 *
 * 1. `queued`: earlier calls are not done.
 * 2. `ready`: earlier calls are done, earlier prompts are not.
 * 3. `running`: the handler runs.
 * 4. `ended`: reached from `running`, and from any other state by a cancel, a refusal or a failure.
 */
export class Prompt<S> implements PromptReceipt {
  /** Queue of the session that answers the prompt. */
  queue: PromptOwner<S>;
  state: "queued" | "ready" | "running" | "ended" = "queued";
  readonly released = new Deferred<void>();
  readonly #request: KeyedRequest;
  /** Frees the room that the prompt took while it waited. */
  readonly #leave: () => void;
  readonly #cancellation = new Cancellation();
  readonly #inserted = new Deferred<string | undefined>();
  readonly #proceeding = new Deferred<void>();
  readonly #ended = new Deferred<TurnEnd>();
  #messageId = "";
  /** True while the log stores the message and its key. */
  #isStoring = false;
  /** Work of the turn, from its beginning. */
  #work: TurnWork<S> | undefined;
  /** True from the start of the handler. */
  #isAtWork = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(queue: PromptOwner<S>, request: KeyedRequest, leave: () => void) {
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

  /** True if the prompt has ended, or will end, before its message joins the conversation. */
  get isWithdrawn(): boolean {
    return this.#messageId === "" && (this.state === "ended" || this.#cancellation.isCancelled);
  }

  /** True from the cancel of a running prompt to its end. */
  get isCancelled(): boolean {
    return this.state === "running" && this.#cancellation.isCancelled;
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
    if (this.#messageId === "") this.cancel();
  }

  /**
   * Cancels the prompt. Does nothing after the prompt's end.
   *
   * - A waiting prompt ends immediately.
   * - A running prompt ends with its handler, or after `graceMs`. A second cancel may shorten this time, but never prolongs
   *   it. Its child sessions are cancelled too.
   */
  cancel(graceMs = this.queue.options.cancelGraceMs): void {
    if (this.state === "ended") return;
    this.#cancellation.cancel("The turn was cancelled.");
    if (this.state !== "running") return this.end({ stopReason: "cancelled" });
    // P-SUB-13: the turn may wait for them.
    this.queue.session.openChildren?.cancel();
    const deadline = performance.now() + graceMs;
    if (deadline >= this.#deadline || graceMs > MAX_TIMER_MS) return;
    this.#deadline = deadline;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#reportIgnoredCancel(graceMs);
      this.end({ stopReason: "cancelled" });
    }, graceMs);
  }

  /** Reports work of the turn that still runs after the end of the turn. */
  #reportUnfinished(): void {
    const { session } = this.queue;
    session.openChildren?.reportUnfinished();
    session.output.reportUnlisted(session.background);
  }

  /** Reports a handler that still works. While the log stores the message, no handler works. */
  #reportIgnoredCancel(graceMs: number): void {
    if (!this.#isAtWork) return;
    const message = `The prompt handler still works ${graceMs} ms after its turn was cancelled.`;
    const advice = "The turn ended without it. Pass turn.signal to all slow work.";
    this.queue.session.output.onFault(`${message} ${advice}`, undefined, "unfinished");
  }

  // One async function for all steps. A function for each step would leave 40 % more garbage on the agent's side of a
  // prompt.
  async #run(): Promise<void> {
    // One write may contain the prompt and its cancel. The cancel then arrives before the handler begins.
    await undefined;
    try {
      if (!this.#cancellation.isCancelled) {
        const { promptKey, prompt } = this.#request;
        // The key is looked up again, because the prompt may have arrived before the restore read the keys of the log.
        const before = promptKey && this.queue.insertedMessage(promptKey, prompt);
        if (before !== undefined) return this.#endAsRetry(before);
        const stored = this.queue.session.output.journal?.mustWork();
        if (stored !== undefined) await stored;
        // The grace time of a cancel may end before the log answers.
        if (this.state === "ended") return;
        this.#inserted.resolve(promptKey === undefined ? this.#begin() : await this.#beginKeyed(promptKey));
        if (!this.#proceeding.isSettled) await this.#proceeding.promise;
      }
      const work = this.#work;
      const { handlers } = this.queue.options;
      const isRunning = work !== undefined && !this.#cancellation.isCancelled;
      this.#isAtWork = isRunning;
      const result = isRunning ? unlessError(await handlers.prompt(new LiveTurn(work, this.#request))) : undefined;
      this.#isAtWork = false;
      await work?.drain();
      this.end(endOf(result, this.queue.session.output.onFault));
    } catch (error) {
      this.end(this.#cancellation.isCancelled ? { error } : failedEnd(error, this.queue.session.output.onFault));
      this.#inserted.resolve(undefined);
    }
  }

  /** Adds the prompt to the conversation. Returns the id of the user's message. */
  #begin(): string {
    const { session } = this.queue;
    const { driver, output } = session;
    output.mustBeOpen();
    const messageId = output.newId("user");
    this.#messageId = messageId;
    const { prompt, promptKey } = this.#request;
    driver.begin(session, { messageId, prompt, promptKey });
    // Stored after the message, so that a prompt that cannot be stored begins no turn.
    output.journal?.append({ type: "turn_started", promptId: messageId });
    this.#work = new TurnWork(session, this.#cancellation);
    return messageId;
  }

  /**
   * Begins the turn of a prompt with a key. The client gets its updates after the log has stored the message and the key in
   * one record. If the log fails, the client gets none of them.
   */
  // P-IDEM-07
  async #beginKeyed(promptKey: PromptKey): Promise<string> {
    const { output, keys } = this.queue.session;
    const { journal, outbox } = output;
    if (journal !== undefined) outbox.hold("storing");
    this.#isStoring = true;
    try {
      // Waiting output does not belong to the prompt.
      output.flush();
      const held = outbox.held;
      const messageId = this.#begin();
      const count = outbox.held - held;
      if (journal !== undefined && !(await journal.flush())) {
        outbox.drop(held, count);
        throw RpcError.internalError("the prompt was not stored");
      }
      keys.add(promptKey, messageId);
      return messageId;
    } finally {
      this.#isStoring = false;
      if (journal !== undefined) outbox.release("storing");
    }
  }

  #endAsRetry({ messageId }: KeyedMessage): void {
    this.#inserted.resolve(messageId);
    this.end({ stopReason: "end_turn" });
  }

  end(end: TurnEnd): void {
    if (this.state === "ended") return;
    this.state = "ended";
    this.#leave();
    clearTimeout(this.#timer);
    // V1-CANCEL-07: a cancelled turn ends as cancelled, whatever its handler returns or throws.
    const final = this.#report(this.#cancellation.isCancelled ? cancelledEnd(end) : end);
    // The grace time of a cancel may end before the log answers. The message may then be stored (P-IDEM-07).
    if (!this.#isStoring) this.#inserted.resolve(undefined);
    if (final instanceof Promise) void final.then((reported) => this.#ended.resolve(reported));
    else this.#ended.resolve(final);
  }

  /**
   * Sends the end of a turn, after storing the end if the session has a log. Returns the end as it was sent. Never throws.
   */
  #report(given: TurnEnd): TurnEnd | Promise<TurnEnd> {
    if (this.#work === undefined) return given;
    const { output } = this.queue.session;
    try {
      if (this.#cancellation.isCancelled) this.queue.session.openChildren?.settle();
      else this.#reportUnfinished();
      this.#work.end();
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
