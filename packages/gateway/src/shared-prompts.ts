import type { MessageChunk, MessageUpsert, SessionEvent, WireEvent } from "@turnkit/session";
import type { Attachment } from "./attachment.js";
import type { SharedPrompt } from "./shared-prompt.js";

type UserMessage = (MessageChunk | MessageUpsert) & { readonly messageId: string };

/** Event of a prompt's message, with the prompt. */
export type JoinedPrompt = { readonly event: WireEvent; readonly prompt?: SharedPrompt };

/** Prompts whose turns are open, in the order in which they were received. */
// SHARE-07
export class SharedPrompts {
  #open: SharedPrompt[] = [];
  /** Prompt whose message an agent of version 1 sends back in pieces. */
  #echoed: SharedPrompt | undefined;

  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** Attachment whose prompt the agent works on. */
  get author(): Attachment | undefined {
    return this.#open.find(({ messageId }) => messageId !== undefined)?.author;
  }

  add(prompt: SharedPrompt): void {
    this.#open.push(prompt);
    void prompt.ended.then(() => {
      this.#open = this.#open.filter((other) => other !== prompt);
    });
  }

  /** Cancels the prompts that the agent does not have yet. */
  cancelUnsent(): void {
    for (const prompt of this.#open) if (prompt.promptId === undefined) prompt.cancel();
  }

  /** Ends all prompts with an error. */
  fail(error: unknown): void {
    for (const prompt of this.#open) prompt.fail(error);
  }

  /**
   * Recognises the message of a prompt in an event of the agent. Its author then stands in `_meta`. A message that version 1
   * implies gets an id that stays unique when the agent is started again.
   */
  recognise(event: WireEvent & SessionEvent): JoinedPrompt {
    if (event.type === "user_message_chunk") {
      const prompt = this.#echoed ?? this.#open.find(({ messageId }) => messageId === undefined);
      if (prompt === undefined) return { event };
      this.#echoed = prompt;
      return this.#joined(prompt, { ...event, messageId: event.messageId ?? "" });
    }
    this.#echoed = undefined;
    if (event.type !== "user_message") return { event };
    const { messageId } = event;
    const prompt =
      this.#open.find((open) => open.messageId === messageId || (event.isImplied && open.promptId === messageId)) ??
      this.#open.find((open) => open.messageId === undefined && isContent(open, event.content));
    if (prompt === undefined) return { event };
    return this.#joined(prompt, event.isImplied ? { ...event, messageId: `user-${crypto.randomUUID()}` } : event);
  }

  /** Returns the message of a prompt that the agent accepted before it sent the message. */
  accepted(promptId: string, messageId: string): JoinedPrompt | undefined {
    const prompt = this.#open.find((open) => open.promptId === promptId);
    if (prompt === undefined || prompt.messageId !== undefined) return undefined;
    return this.#joined(prompt, { type: "user_message", messageId, content: prompt.params.prompt });
  }

  #joined(prompt: SharedPrompt, event: UserMessage): JoinedPrompt {
    prompt.messageId ??= event.messageId;
    prompt.author.sent(prompt.messageId);
    const { name } = prompt.author.principal;
    const authored = name === undefined ? event : { ...event, _meta: { ...event._meta, [AUTHOR]: name } };
    return { event: authored, prompt };
  }
}

/** Member of `_meta` of a user's message with the name of its author. */
export const AUTHOR = "turnkit.author";

const isContent = ({ params }: SharedPrompt, content: unknown): boolean =>
  JSON.stringify(params.prompt) === JSON.stringify(content);
