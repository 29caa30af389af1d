import { type Calls, Deferred, type PromptKey, type PromptReceipt, type TurnEnd } from "@turnkit/agent/driver";
import type { Session, Turn } from "@turnkit/client";
import { AUTHOR } from "@turnkit/session/codec";
import { isAcpError, RpcError } from "@turnkit/transport";
import { withoutLeaving } from "./agent-marks.js";
import type { Attachment } from "./attachment.js";
import { isLeaving, PROMPT, RETRY, textIn } from "./between-gateways.js";
import { type StoredEnd, turnEndOf, unstored } from "./stored-turns.js";
import type { WorkAtOwner } from "./work-at-owner.js";

/** Receiver of a prompt: the agent of this gateway, or the gateway that owns the session. */
export type PromptReceiver = {
  readonly session: Session;
  /** True if the receiver reads keys of prompts. */
  readonly hasKeys: boolean;
  readonly isOwner: boolean;
  /** Withdraws the prompt with a key, which an owner got over an earlier channel. */
  readonly withdraw?: (key: string) => void;
};

/** Error of a prompt that may have run. An agent that reads no keys could run it twice. */
const UNKNOWN_OUTCOME = {
  code: -32603,
  message: "The gateway that had the session has ended, and it is not known whether the prompt has run. Send it again.",
};

/** Error of a prompt that has run, but whose answer was not stored. */
const NO_ANSWER = "The prompt has run at a gateway that has ended, and its answer was not stored.";

/** Prompt of one attachment, from its receipt to the end of its turn. */
export class SharedPrompt implements PromptReceipt {
  readonly author: Attachment;
  readonly params: Calls["prompt"]["params"];
  readonly promptKey: PromptKey | undefined;
  /** Id of the user's message, once it is part of the conversation. */
  messageId: string | undefined;
  /** Text with which this gateway recognises the message of a prompt that it sent to the owner of the session. */
  readonly token = crypto.randomUUID();
  /** True if an earlier owner, which has ended, may have passed the prompt to its agent. */
  #isRetry: boolean;
  readonly #inserted = new Deferred<string | undefined>();
  readonly #ended = new Deferred<TurnEnd>();
  readonly #isStored: () => boolean;
  #turn: Turn | undefined;
  #isPromptCancelled = false;
  /** End of the turn, if the agent ends it as cancelled because the session is being closed. */
  #closing: TurnEnd | undefined;
  #isSessionCancelled = false;
  /** True if the prompt was sent to an owner, and this owner or the channel to it was lost. */
  #isLost = false;
  /** True if this gateway got the message from the owner, and has sent it to its clients. */
  isShown = false;
  /**
   * Work of the owner. Set if this gateway only watches the turn, because the channel was lost after the prompt was
   * sent.
   */
  #watched: WorkAtOwner | undefined;
  /** End of a watched turn in the log, if the owner has not sent it yet. */
  #storedEnd: StoredEnd | undefined;

  /** @param isStored returns false if an earlier event could not be stored */
  constructor(
    author: Attachment,
    params: Calls["prompt"]["params"],
    promptKey: PromptKey | undefined,
    isStored: () => boolean,
  ) {
    this.#isStored = isStored;
    this.author = author;
    this.params = params;
    this.promptKey = promptKey;
    this.#isRetry = author.isGateway && params._meta?.[RETRY] === true;
  }

  /** Name of the principal that sent the prompt. Another gateway names the principal of its client. */
  get authorName(): string {
    const { isGateway, principal } = this.author;
    return (isGateway ? textIn(this.params._meta, AUTHOR) : principal.name) ?? "";
  }

  /** Members of `_meta` of the message, in addition to the members of the agent. */
  get mark(): { readonly [name: string]: string } {
    const token = this.author.isGateway ? textIn(this.params._meta, PROMPT) : undefined;
    return { [AUTHOR]: this.authorName, ...(token !== undefined && { [PROMPT]: token }) };
  }

  get inserted(): Promise<string | undefined> {
    return this.#inserted.promise;
  }

  get ended(): Promise<TurnEnd> {
    return this.#ended.promise;
  }

  /** True if the prompt has ended, or will end, before its message joins the conversation. */
  get isWithdrawn(): boolean {
    return this.messageId === undefined && (this.#isPromptCancelled || this.#ended.isSettled);
  }

  /** True if a client has cancelled the prompt, or the work of the session after the prompt was sent. */
  get isCancelled(): boolean {
    return this.#isPromptCancelled || this.#isSessionCancelled;
  }

  get isOver(): boolean {
    return this.#ended.isSettled;
  }

  /** True when the user's message is part of the conversation, and stored. */
  get isInserted(): boolean {
    return this.#inserted.isSettled;
  }

  /** Id of the prompt in the client's events, once it was sent. */
  get promptId(): string | undefined {
    return this.#turn?.promptId;
  }

  /** True until the prompt was passed to the agent or the owner. */
  get isUnsent(): boolean {
    return this.#turn === undefined && this.#watched === undefined;
  }

  /**
   * Records that the turn goes on at an owner that got the prompt over an earlier channel, and does not answer it again.
   *
   * @param end end of the turn in the log, if it has one
   */
  watch(work: WorkAtOwner, messageId: string, end: StoredEnd | undefined): void {
    this.#isLost = false;
    this.#watched = work;
    this.#storedEnd = end;
    this.isShown = work.hasShown(messageId);
    // The cancel may have been lost with the channel.
    if (this.isCancelled && end === undefined) work.cancel();
  }

  /** Ends a watched prompt with the next end of a turn after its message. */
  endWatched(end: StoredEnd): void {
    if (this.#watched !== undefined && this.isShown) this.finish(turnEndOf(this.#storedEnd ?? end));
  }

  /** Sends the prompt to the agent, or to the owner of the session, unless it was withdrawn before. */
  // NATS-06
  send({ session, hasKeys, isOwner, withdraw }: PromptReceiver): void {
    // This method is called twice for a prompt that arrived while the session moved to another gateway.
    if (this.#turn !== undefined) return;
    if (this.isCancelled || this.isOver) {
      if (this.#isLost) withdraw?.(this.#key);
      return this.fail(undefined);
    }
    this.#isLost = false;
    if (this.#isRetry && !hasKeys) return this.fail(new RpcError(UNKNOWN_OUTCOME.code, UNKNOWN_OUTCOME.message));
    // Every prompt to an owner has a key, because the owner may end before its answer.
    const idempotencyKey = isOwner || this.#isRetry ? this.#key : this.params.idempotencyKey;
    const _meta = this.#metaFor(isOwner);
    try {
      const turn = session.prompt(this.params.prompt, {
        ...(hasKeys && idempotencyKey && { idempotencyKey }),
        ...(_meta && { _meta }),
      });
      this.#turn = turn;
      void turn.ended.then(
        ({ stopReason = "end_turn", usage, error, _meta: meta, agentConfirmed }) => {
          if (isOwner && error && isLeaving(error)) return this.#wait(turn);
          // The agent got this prompt from an earlier owner, and does not report the end of its turn.
          if (this.#isRetry && !isOwner && !agentConfirmed) return this.fail(new RpcError(-32603, NO_ANSWER));
          if (error) {
            const { code, message, data } = isOwner ? error : withoutLeaving(error);
            return this.#end({ error: new RpcError(code, message, data) });
          }
          // `ended` settles after the listeners, which wait until the answer is stored. A further wait here would let
          // the next turn overtake this end.
          if (!isOwner && !this.#isStored()) return this.finish(turnEndOf(unstored));
          if (stopReason === "cancelled" && this.#closing !== undefined) return this.finish(this.#closing);
          this.#end({ stopReason, ...(usage && { usage }), ...(meta && { _meta: meta }) });
        },
        (error: unknown) => {
          // The next owner gets the prompt, or has the end of its turn in the log.
          if (!isOwner || !isAcpError(error, "connection_closed")) this.fail(error);
        },
      );
    } catch (error) {
      this.fail(error);
    }
  }

  /** Records that the owner of the session has ended, or that the channel to it is lost. The prompt can be sent again. */
  ownerLost(): void {
    this.#isLost ||= !this.isUnsent;
    this.#isRetry ||= this.#isLost;
    this.#turn = undefined;
    this.#watched = undefined;
  }

  /** Records that the session is being closed. `end` is the end of a turn that the agent ends as cancelled. */
  sessionCloses(end: TurnEnd): void {
    if (!this.isCancelled) this.#closing = end;
  }

  /** Ends a prompt whose turn has ended elsewhere. */
  finish(end: TurnEnd): void {
    this.#end(end);
  }

  /** Records that the user's message is part of the conversation, and stored. */
  settleInserted(): void {
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
    this.#isPromptCancelled = true;
    if (this.#watched !== undefined) this.#watched.cancel();
    else if (this.#turn !== undefined) void this.#turn.cancel();
    // The owner may already work on a lost prompt, so its end is decided at the next place of the session.
    else if (!this.#isLost) this.fail(undefined);
  }

  /**
   * Cancels an unsent prompt. A sent prompt ends through its receiver. If the receiver dies earlier, no other receiver
   * gets the prompt.
   */
  sessionCancelled(): void {
    if (this.isUnsent && !this.#isLost) this.cancel();
    else this.#isSessionCancelled = true;
  }

  withdraw(): void {
    if (this.messageId === undefined) this.cancel();
  }

  proceed(): void {}

  release(): void {}

  get #key(): string {
    return this.params.idempotencyKey ?? this.token;
  }

  #metaFor(isOwner: boolean): Calls["prompt"]["params"]["_meta"] {
    const { _meta } = this.params;
    if (isOwner) {
      const mark = { [AUTHOR]: this.authorName, [PROMPT]: this.token };
      return { ..._meta, ...mark, ...(this.#isRetry && { [RETRY]: true }) };
    }
    if (!this.author.isGateway || _meta == null) return _meta;
    const { [AUTHOR]: _, [PROMPT]: __, [RETRY]: ___, ...rest } = _meta;
    return Object.keys(rest).length > 0 ? rest : undefined;
  }

  /** Keeps the prompt for the next owner, because the current owner is closing and has not taken the prompt. */
  #wait(turn: Turn): void {
    if (this.#turn === turn) this.#turn = undefined;
  }

  #end(end: TurnEnd): void {
    if (this.#ended.isSettled) return;
    this.#ended.resolve(end);
    this.#inserted.resolve(this.messageId);
  }
}
