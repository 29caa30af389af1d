import type { Calls } from "@turnkit/session/codec";
import { RpcError } from "@turnkit/transport";
import { checkBlocks } from "./capabilities.js";
import type { PromptReceipt } from "./driver/driver.js";
import { Prompt, type PromptOptions, type PromptOwner, type PromptSession } from "./prompt.js";
import { type KeyedMessage, type KeyReuse, type PromptKey, promptHash, receiptOfInserted } from "./prompt-keys.js";

/**
 * Maximum number of prompts of a session that wait behind the running prompt. A further prompt is refused with `-32600`.
 */
export const MAX_WAITING_PROMPTS = 100;

/**
 * Prompts of one session, which run one after the other. A cancel reaches every prompt that was received before the cancel.
 * A prompt starts when all earlier calls are done and the client has the end of the previous prompt.
 */
export class PromptQueue<S> implements PromptOwner<S> {
  readonly session: PromptSession<S>;
  readonly options: PromptOptions<S>;
  #prompts: Prompt<S>[] = [];

  constructor(session: PromptSession<S>, options: PromptOptions<S>) {
    this.session = session;
    this.options = options;
  }

  /**
   * Takes a prompt that was just received. A prompt with a known key is a further attempt to send the same prompt.
   *
   * @throws RpcError the errors of {@link push}, `-32602` for a key of another prompt, and `-32603` if there is no room for a
   * further attempt
   */
  // P-IDEM-12: the key is read before every check that could refuse the prompt.
  receive(request: Calls["prompt"]["params"], bytes: number): PromptReceipt {
    const { idempotencyKey: key, prompt: content } = request;
    if (key === undefined) return this.push(request, bytes);
    const { keys, order, output } = this.session;
    const promptKey = { key, hash: promptHash(content) };
    const message = keys.message(promptKey, this.#onReuse);
    // During a restore, the attempt waits in the queue: if the restore is refused, this session sends nothing.
    if (message !== undefined && (message.isSent || !output.outbox.isRestoring)) {
      const show = (): void => void this.insertedMessage(promptKey, content);
      if (message.isSent || !output.outbox.isHeld) show();
      else return receiptOfInserted(message.messageId, output.outbox.free.then(show));
      return receiptOfInserted(message.messageId);
    }
    const further = keys.attempt(promptKey, this.#onReuse, () => order.enter(bytes, true));
    return further ?? keys.begin(promptKey, this.push(request, bytes, promptKey));
  }

  /**
   * Returns the message that was inserted with a key. If the client does not have the message, and `content` is its content,
   * sends it.
   *
   * @throws RpcError `-32602` for a key of another prompt
   */
  // P-IDEM-09
  insertedMessage(promptKey: PromptKey, content: Calls["prompt"]["params"]["prompt"]): KeyedMessage | undefined {
    const { keys, output } = this.session;
    const message = keys.message(promptKey, this.#onReuse);
    if (message === undefined || message.isSent) return message;
    const { messageId, hash } = message;
    if (hash !== promptKey.hash) return message;
    output.sendOnly({ type: "user_message", messageId, content });
    keys.add(promptKey, messageId);
    return message;
  }

  get #onReuse(): KeyReuse {
    return this.options.handlers.onKeyReuse ?? "error";
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
  push(request: Calls["prompt"]["params"], bytes: number, promptKey?: PromptKey): Prompt<S> {
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
    const free = () => {
      leave();
      // A prompt that ends before its turn must not wait for a call that never ends.
      drop?.();
    };
    const prompt = new Prompt(this, promptKey ? { ...request, promptKey } : request, free);
    this.#prompts.push(prompt);
    drop = order.start(() => prompt.makeReady());
    return prompt;
  }

  /** True while the running prompt is cancelled. */
  get isCancelled(): boolean {
    return this.#prompts[0]?.isCancelled === true;
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

  /** Settles when all prompts are released, except those whose earlier calls are not done at the time of this call. */
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
