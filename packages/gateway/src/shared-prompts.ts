import {
  type Calls,
  type KeyedMessage,
  PromptKeys,
  type PromptReceipt,
  promptHash,
  receiptOfInserted,
} from "@turnkit/agent/driver";
import type { ErrorObject, MessageChunk, MessageUpsert, SessionEvent, StopReason, WireEvent } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import type { Attachment } from "./attachment.js";
import { PROMPT, textIn } from "./between-gateways.js";
import { SharedPrompt } from "./shared-prompt.js";
import { cancelled, interrupted, type StoredEnd, type StoredTurns, turnEndOf } from "./stored-turns.js";
import type { WorkAtOwner } from "./work-at-owner.js";

type UserMessage = (MessageChunk | MessageUpsert) & { readonly messageId: string };

/** Event of the agent. `prompt` is set if the event is the message of a prompt. */
export type RecognisedEvent = { readonly event: WireEvent; readonly prompt?: SharedPrompt };

/** Maximum number of prompts that wait until the agent has the session. */
const MAX_WAITING = 100;

/** Prompts whose turns are open, in the order in which they were received. */
// SHARE-07
export class SharedPrompts {
  readonly #keys: PromptKeys;
  #open: SharedPrompt[] = [];
  /** Prompt whose message an agent of version 1 sends back in pieces. */
  #echoed: SharedPrompt | undefined;

  readonly #isStored: () => boolean;

  /** @param isStored returns false if an earlier event could not be stored */
  constructor(sessionId: string, isStored: () => boolean) {
    this.#keys = new PromptKeys(sessionId);
    this.#isStored = isStored;
  }

  /** Records the keys of prompts that are part of the conversation. An open prompt may be one of them. */
  // NATS-06
  known(keys: ReadonlyMap<string, KeyedMessage>): void {
    this.#keys.restore(keys, true);
    for (const prompt of this.#open) {
      const stored = keys.get(prompt.params.idempotencyKey ?? prompt.token);
      if (stored !== undefined) this.#setMessageId(prompt, stored.messageId);
    }
  }

  /** Records that the owner of the session has ended, or that the channel to it is lost. */
  ownerLost(): void {
    for (const prompt of this.#open) prompt.ownerLost();
  }

  /**
   * Handles the open prompts at the new place of the session:
   *
   * - a prompt that is not part of the conversation is passed to `send` again;
   * - a prompt whose turn goes on at the owner is watched until this turn ends;
   * - any other prompt ends like its turn in the log.
   *
   * @param work work of the owner. Absent if this gateway is the owner.
   */
  moved(turns: StoredTurns, send: (prompt: SharedPrompt) => void, work?: WorkAtOwner): void {
    for (const prompt of this.#open) {
      const { messageId } = prompt;
      if (messageId === undefined) {
        send(prompt);
        continue;
      }
      const isWatched = work?.goesOn(messageId) === true;
      if (isWatched) prompt.watch(work, messageId, turns.endOf(messageId));
      // For a client of version 2, the first idle state after the answer to a prompt ends its turn. The answer
      // therefore waits until the message is shown and an earlier turn has ended.
      if (!isWatched || prompt.isShown) this.settleInserted(prompt);
      if (!isWatched) prompt.finish(turnEndOf(this.endOf(messageId, turns)));
    }
  }

  /** Ends the prompts whose turns went on at the owner. */
  endWatched({
    stopReason,
    error,
  }: {
    readonly stopReason?: StopReason | null;
    readonly error?: ErrorObject | null;
  }): void {
    const end = { stopReason: stopReason ?? "end_turn", ...(error && { error }) };
    for (const prompt of this.#open) prompt.endWatched(end);
  }

  /**
   * Returns the end of a turn whose gateway has ended, for its clients: the end in the log, or else `interrupted`.
   * After a cancel, the end is not an error.
   */
  endOf(messageId: string, turns: StoredTurns): StoredEnd {
    const end = turns.endOf(messageId) ?? interrupted;
    const isCancelled = this.#open.some((prompt) => prompt.messageId === messageId && prompt.isCancelled);
    return isCancelled && end.stopReason === "error" ? cancelled : end;
  }

  /** Ids of the messages whose turns are open. */
  get inserted(): readonly string[] {
    return this.#open.flatMap(({ messageId }) => messageId ?? []);
  }

  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** Attachment whose prompt the agent works on. */
  get author(): Attachment | undefined {
    return this.#open.find(({ messageId }) => messageId !== undefined)?.author;
  }

  /**
   * Receives a prompt. It is passed to `send`, unless it was sent before with the same key.
   *
   * @throws RpcError `-32602` for a key of another prompt, and `-32600` if too many prompts wait for the agent
   */
  receive(author: Attachment, params: Calls["prompt"]["params"], send: (prompt: SharedPrompt) => void): PromptReceipt {
    const { idempotencyKey: key } = params;
    if (key === undefined) return this.#begin(new SharedPrompt(author, params, undefined, this.#isStored), send);
    const promptKey = { key, hash: promptHash(params.prompt) };
    const before = this.#keys.message(promptKey, "error");
    if (before !== undefined) return receiptOfInserted(before.messageId);
    const further = this.#keys.attempt(promptKey, "error", () => () => undefined);
    if (further !== undefined) return further;
    const prompt = this.#begin(new SharedPrompt(author, params, promptKey, this.#isStored), () => undefined);
    const receipt = this.#keys.begin(promptKey, prompt);
    send(prompt);
    return receipt;
  }

  /** Records that the message of a prompt is part of the conversation, and stored. From now on, its key is recognised. */
  settleInserted(prompt: SharedPrompt): void {
    const { promptKey, messageId } = prompt;
    if (promptKey && messageId) this.#keys.add(promptKey, messageId);
    prompt.settleInserted();
  }

  /** Cancels the prompts. Sent prompts end through their receiver, and no other receiver gets them. */
  sessionCancelled(): void {
    for (const prompt of this.#open) prompt.sessionCancelled();
  }

  /** Records that the session is being closed. `end` is the end of a turn that the agent ends as cancelled. */
  sessionCloses(end: StoredEnd): void {
    for (const prompt of this.#open) prompt.sessionCloses(turnEndOf(end));
  }

  /** Ends the prompts that the agent does not have yet as cancelled. */
  cancelUnsent(): void {
    for (const prompt of this.#open) if (prompt.isUnsent) prompt.fail(undefined);
  }

  /** Cancels a prompt that another gateway has withdrawn after it lost its channel to this owner. */
  cancelByKey(key: string): void {
    for (const prompt of this.#open) if (prompt.promptKey?.key === key) prompt.cancel();
  }

  /** Settles when no prompt is open. Never rejects. */
  async allEnded(): Promise<void> {
    await Promise.all(this.#open.map(({ ended }) => ended));
  }

  /** Ends all prompts with an error. */
  fail(error: unknown): void {
    for (const prompt of this.#open) prompt.fail(error);
  }

  /**
   * Recognises the message of a prompt in an event of the agent. `_meta` of the returned event then contains the
   * author. A message that version 1 implies gets an id that stays unique when the agent is started again.
   */
  recognise(event: WireEvent & SessionEvent, isOwner: boolean): RecognisedEvent {
    if (isOwner) return this.#recogniseOwn(event);
    if (event.type === "user_message_chunk") {
      const prompt = this.#echoed ?? this.#open.find(({ messageId }) => messageId === undefined);
      if (prompt === undefined) return { event };
      this.#echoed = prompt;
      return this.#withAuthor(prompt, { ...event, messageId: event.messageId ?? "" });
    }
    this.#echoed = undefined;
    if (event.type !== "user_message") return { event };
    const { messageId } = event;
    const prompt =
      this.#open.find((open) => open.messageId === messageId || (event.isImplied && open.promptId === messageId)) ??
      this.#open.find((open) => open.messageId === undefined && isContent(open, event.content));
    if (prompt === undefined) return { event };
    return this.#withAuthor(prompt, event.isImplied ? { ...event, messageId: `user-${crypto.randomUUID()}` } : event);
  }

  /**
   * Returns the message of a prompt that the agent accepted before it sent the message. An owner has stored the message,
   * and always sends it too, so nothing is returned for an owner.
   */
  accepted(promptId: string, messageId: string, isOwner: boolean): RecognisedEvent | undefined {
    const prompt = this.#open.find((open) => open.promptId === promptId);
    if (prompt === undefined || prompt.messageId !== undefined) return undefined;
    if (isOwner) {
      this.#setMessageId(prompt, messageId);
      this.settleInserted(prompt);
      return undefined;
    }
    return this.#withAuthor(prompt, { type: "user_message", messageId, content: prompt.params.prompt });
  }

  #begin(prompt: SharedPrompt, send: (prompt: SharedPrompt) => void): SharedPrompt {
    if (this.#open.filter(({ isUnsent }) => isUnsent).length >= MAX_WAITING)
      throw RpcError.invalidRequest(`${MAX_WAITING} prompts wait already`);
    this.#open.push(prompt);
    void prompt.ended.then(() => {
      this.#open = this.#open.filter((other) => other !== prompt);
    });
    send(prompt);
    return prompt;
  }

  /** Sets the message id of a prompt. Returns the event of its message, with the author in `_meta`. */
  #withAuthor(prompt: SharedPrompt, event: UserMessage): RecognisedEvent {
    this.#setMessageId(prompt, prompt.messageId ?? event.messageId);
    return { event: { ...event, _meta: { ...event._meta, ...prompt.mark } }, prompt };
  }

  /** Recognises the message of a prompt that this gateway sent to the owner, by its token. */
  #recogniseOwn(event: WireEvent): RecognisedEvent {
    if (event.type !== "user_message" && event.type !== "user_message_chunk") return { event };
    const token = textIn(event._meta, PROMPT);
    const prompt = token === undefined ? undefined : this.#open.find((open) => open.token === token);
    if (prompt === undefined || event.messageId === undefined) return { event };
    this.#setMessageId(prompt, event.messageId);
    prompt.isShown = true;
    return { event, prompt };
  }

  #setMessageId(prompt: SharedPrompt, messageId: string): void {
    prompt.messageId ??= messageId;
    prompt.author.sent(prompt.messageId);
  }
}

const isContent = ({ params }: SharedPrompt, content: unknown): boolean =>
  JSON.stringify(params.prompt) === JSON.stringify(content);
