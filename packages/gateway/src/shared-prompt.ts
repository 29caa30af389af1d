import { type Calls, Deferred, type PromptKey, type PromptReceipt, type TurnEnd } from "@turnkit/agent/driver";
import type { Session, Turn } from "@turnkit/client";
import { RpcError } from "@turnkit/transport";
import type { Attachment } from "./attachment.js";

/** Prompt of one attachment, from its receipt to the end of its turn. */
export class SharedPrompt implements PromptReceipt {
  readonly author: Attachment;
  readonly params: Calls["prompt"]["params"];
  readonly promptKey: PromptKey | undefined;
  /** Id of the user's message, once it is part of the conversation. */
  messageId: string | undefined;
  readonly #inserted = new Deferred<string | undefined>();
  readonly #ended = new Deferred<TurnEnd>();
  #turn: Turn | undefined;
  #isCancelled = false;

  constructor(author: Attachment, params: Calls["prompt"]["params"], promptKey: PromptKey | undefined) {
    this.author = author;
    this.params = params;
    this.promptKey = promptKey;
  }

  get inserted(): Promise<string | undefined> {
    return this.#inserted.promise;
  }

  get ended(): Promise<TurnEnd> {
    return this.#ended.promise;
  }

  /** True if the prompt has ended, or will end, before its message joins the conversation. */
  get isWithdrawn(): boolean {
    return this.messageId === undefined && (this.#isCancelled || this.#ended.isSettled);
  }

  get isOver(): boolean {
    return this.#ended.isSettled;
  }

  /** True when the user's message is part of the conversation, and stored. */
  get hasJoined(): boolean {
    return this.#inserted.isSettled;
  }

  /** Id of the prompt in the client's events, once it was sent. */
  get promptId(): string | undefined {
    return this.#turn?.promptId;
  }

  /** Sends the prompt to the agent, unless it was withdrawn before. `hasKeys` is true if the agent reads keys of prompts. */
  send(session: Session, hasKeys: boolean): void {
    if (this.#isCancelled || this.isOver) return this.fail(undefined);
    const { prompt, idempotencyKey, _meta } = this.params;
    try {
      const turn = session.prompt(prompt, {
        ...(hasKeys && idempotencyKey && { idempotencyKey }),
        ...(_meta && { _meta }),
      });
      this.#turn = turn;
      void turn.ended.then(
        ({ stopReason = "end_turn", usage, error, _meta: meta }) => {
          if (error) return this.#end({ error: new RpcError(error.code, error.message, error.data) });
          this.#end({ stopReason, ...(usage && { usage }), ...(meta && { _meta: meta }) });
        },
        (error: unknown) => this.fail(error),
      );
    } catch (error) {
      this.fail(error);
    }
  }

  /** Records that the user's message joined the conversation, and is stored. */
  joined(): void {
    this.#inserted.resolve(this.messageId);
  }

  /** Ends a prompt whose message could not be stored. */
  drop(error: RpcError): void {
    this.#inserted.resolve(undefined);
    this.fail(error);
  }

  /** Ends a prompt that did not reach its end in the agent: with an error, or as cancelled. */
  fail(error: unknown): void {
    this.#end(error === undefined ? { stopReason: "cancelled" } : { error });
  }

  cancel(): void {
    this.#isCancelled = true;
    if (this.#turn === undefined) this.fail(undefined);
    else void this.#turn.cancel();
  }

  withdraw(): void {
    if (this.messageId === undefined) this.cancel();
  }

  proceed(): void {}

  release(): void {}

  #end(end: TurnEnd): void {
    if (this.#ended.isSettled) return;
    this.#ended.resolve(end);
    this.#inserted.resolve(this.messageId);
  }
}
