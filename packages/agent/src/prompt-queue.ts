import type { AgentCapabilities, ContentBlock } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import { RpcError } from "@turnkit/transport";
import type { AgentHandlers } from "./agent-handlers.js";
import { Prompt, type PromptLine, type PromptSession } from "./prompt.js";

/** Parts of a queue of prompts. */
export type PromptQueueParts<S> = {
  readonly session: PromptSession<S>;
  readonly handlers: Pick<AgentHandlers<S>, "prompt" | "whilePrompting">;
  readonly cancelGraceMs: number;
};

/** Prompts of one session that may wait behind the first; one more is refused with `-32600`. */
export const MAX_WAITING_PROMPTS = 100;

/**
 * Prompts of one session, answered one after the other. A prompt enters at its receipt, so that a cancel reaches it. It
 * starts when earlier calls are done and the client has the end of the prompt before it.
 */
export class PromptQueue<S> implements PromptLine<S> {
  readonly session: PromptSession<S>;
  readonly handlers: PromptQueueParts<S>["handlers"];
  readonly cancelGraceMs: number;
  #prompts: Prompt<S>[] = [];

  constructor({ session, handlers, cancelGraceMs }: PromptQueueParts<S>) {
    this.session = session;
    this.handlers = handlers;
    this.cancelGraceMs = cancelGraceMs;
  }

  get isIdle(): boolean {
    return this.#prompts.length === 0;
  }

  /**
   * Adds a prompt that was received now: a cancel reaches it from here on. It starts when earlier calls are done.
   *
   * @throws RpcError `-32602` for blocks that were not offered, `-32603` if there is no room for one that waits, `-32600` if
   * `whilePrompting` refuses a prompt, or if 100 wait already
   */
  push(request: Calls["prompt"]["params"], bytes: number): Prompt<S> {
    const { driver, order } = this.session;
    checkBlocks(driver.offers, request.prompt);
    const leave = order.enter(bytes, !this.isIdle);
    try {
      this.#admit();
    } catch (error) {
      leave();
      throw error;
    }
    let drop: (() => void) | undefined;
    const prompt = new Prompt(request, this, () => {
      leave();
      // A prompt that ends before its turn must not stay behind a call that never ends.
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

  /** Takes over the prompts of another queue, behind its own, as if they were received now. */
  adopt(other: PromptQueue<S>): void {
    const prompts = other.#prompts;
    other.#prompts = [];
    for (const prompt of prompts) {
      prompt.moveTo(this);
      if (!prompt.hasEnded) this.#admitOrRefuse(prompt);
      this.#prompts.push(prompt);
    }
  }

  /** Cancels every prompt that was received so far, started or not. */
  cancelAll(graceMs = this.cancelGraceMs): void {
    for (const prompt of this.#prompts) prompt.cancel(graceMs);
  }

  /** Cancels every prompt after the end of the connection: each is released at its end. */
  abandon(graceMs: number): void {
    this.cancelAll(graceMs);
    for (const prompt of this.#prompts) {
      // No answer follows the insertion any more.
      prompt.proceed();
      void prompt.ended.then(() => prompt.release());
    }
  }

  /** Settles when every prompt that was cancelled or ready before this call is released. */
  async idle(): Promise<void> {
    await Promise.all(this.#prompts.filter((prompt) => !prompt.isQueued).map((prompt) => prompt.released));
  }

  #admitOrRefuse(prompt: Prompt<S>): void {
    try {
      this.#admit();
    } catch (error) {
      prompt.refuse(error);
    }
  }

  #admit(): void {
    if (!this.#prompts.some((prompt) => !prompt.hasEnded)) return;
    const { whilePrompting } = this.handlers;
    if (whilePrompting === "reject") throw RpcError.invalidRequest("a prompt is being answered in this session");
    if (whilePrompting === "replace") this.cancelAll();
    if (this.#prompts.filter((prompt) => !prompt.hasEnded).length > MAX_WAITING_PROMPTS) {
      throw RpcError.invalidRequest(`${MAX_WAITING_PROMPTS} prompts wait in this session already`);
    }
  }
}

// V1-PROMPT-15, V1-CONT-08
/** @throws RpcError `-32602` for a prompt that is empty or holds blocks that were not offered */
function checkBlocks({ prompt: offered }: AgentCapabilities, prompt: readonly ContentBlock[]): void {
  if (prompt.length === 0) throw RpcError.invalidParams("a prompt holds at least one block");
  const { image, audio, embeddedContext: resource } = offered;
  const gates: Readonly<Record<string, boolean>> = { text: true, resource_link: true, image, audio, resource };
  for (const { type } of prompt) {
    const name: string = type;
    if (gates[name] !== true) throw RpcError.invalidParams(`prompts with ${name} blocks are not supported`);
  }
}
