import type { MessageChunk, WireEvent } from "@turnkit/session";

const isPiece = ({ type }: WireEvent): boolean =>
  type === "user_message_chunk" || type === "agent_message_chunk" || type === "agent_thought_chunk";

/** Events that may come between two pieces of one message. */
const aside: ReadonlySet<WireEvent["type"]> = new Set([
  "state_update",
  "usage_update",
  "session_info_update",
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "terminal_output_chunk",
]);

/**
 * Adds ids to messages without an id, which version 1 allows. An attachment that begins in the middle of a message
 * needs the id to add further pieces.
 */
export class MessageIds {
  #open: { readonly type: string; readonly messageId: string } | undefined;

  /** Returns the event, with an id if it is a piece of a message. Call it for all events of a session, in order. */
  identified<E extends WireEvent>(event: E): E {
    if (!isPiece(event)) {
      if (!aside.has(event.type)) this.#open = undefined;
      return event;
    }
    const { type, messageId } = event as unknown as MessageChunk;
    if (messageId !== undefined) {
      this.#open = undefined;
      return event;
    }
    if (this.#open?.type !== type) this.#open = { type, messageId: `message-${crypto.randomUUID()}` };
    return { ...event, messageId: this.#open.messageId };
  }
}
