import type { ContentBlock, MessageRole, SessionEvent, SessionState, TextContent, WireEvent } from "@turnkit/session";
import type { StatesAround } from "@turnkit/session/codec";
import type { Room } from "@turnkit/transport";
import { CutText } from "./cut-text.js";

/** Members of a session's output that its message uses. */
export type MessageOwner = {
  readonly state: SessionState;
  newId(what: string): string;
  say(event: WireEvent): Room;
};

/** Message that is being written. Pieces of one role share its id until something else is shown. */
export class OpenMessage {
  readonly #owner: MessageOwner;
  #message: { readonly role: MessageRole; readonly messageId: string } | undefined;
  readonly #text = new CutText();

  constructor(owner: MessageOwner) {
    this.#owner = owner;
  }

  /** Adds a piece to the message, or begins one. */
  append(role: MessageRole, content: ContentBlock): Room {
    if (this.#message?.role !== role) {
      this.#endText();
      this.#message = { role, messageId: this.#owner.newId(role) };
    }
    if (content.type !== "text") {
      this.#endText();
      return this.#sayPiece(content);
    }
    const { text: given } = content as TextContent;
    const text = typeof given === "string" ? this.#text.take(given) : given;
    if (text === given) return this.#sayPiece(content);
    // Half of a character is no piece.
    return text === "" ? undefined : this.#sayPiece({ ...content, text } as ContentBlock);
  }

  /** Ends the message: the next piece begins another, also if this throws. */
  end(): void {
    try {
      this.#endText();
    } finally {
      this.#message = undefined;
    }
  }

  /** Completes the text before an event that would be shown behind the message. Call it before the event is folded. */
  makeWay(event: WireEvent): void {
    if (this.#text.isCut && this.#mayBeEndedBy(event)) this.#endText();
  }

  /** Ends the message if an event added another entry to the timeline. Call it after the event is folded. */
  follow(event: SessionEvent, around: StatesAround): void {
    const message = this.#message;
    const isOther = message !== undefined && !("messageId" in event && event.messageId === message.messageId);
    if (isOther && newestEntry(around.after) !== newestEntry(around.before)) this.#message = undefined;
  }

  #sayPiece(content: ContentBlock): Room {
    const message = this.#message;
    return message && this.#owner.say({ type: chunkOf[message.role], messageId: message.messageId, content });
  }

  /** Sends the replacement of half a character that waits for the other half. */
  #endText(): void {
    if (this.#text.isCut) this.#sayPiece({ type: "text", text: this.#text.end() });
  }

  #mayBeEndedBy(event: WireEvent): boolean {
    if ("messageId" in event && event.messageId === this.#message?.messageId) return false;
    if ("toolCallId" in event) return !this.#owner.state.timeline.has(`tool_call:${event.toolCallId}`);
    return !BESIDE.test(event.type);
  }
}

const chunkOf = { user: "user_message_chunk", agent: "agent_message_chunk", thought: "agent_thought_chunk" } as const;

/** Types of events that add nothing to the timeline. */
const BESIDE = /^(?:usage|session_info|available_commands|config_option|current_mode|state|terminal|plan|subagent)_/;

/** Returns the key of the newest entry. A count would not do: a state within bounds drops old entries. */
const newestEntry = ({ timeline }: SessionState): string | undefined => timeline.at(-1)?.key;
