import type { ContentBlock, MessageRole, SessionEvent, SessionState, TextContent, WireEvent } from "@turnkit/session";
import type { StatesAround } from "@turnkit/session/codec";
import { CutText, endsInHalf } from "./cut-text.js";

/** Message that is being written. The pieces of one role share an id until the session shows something else. */
export class OpenMessage {
  #role: MessageRole | undefined;
  #messageId = "";
  /** Made for the first piece that ends in half a character. Few messages have such a piece. */
  #text: CutText | undefined;

  /** Role of the open message, or `undefined` if no message is open. */
  get role(): MessageRole | undefined {
    return this.#role;
  }

  /** True while the first half of a character waits for the second half. */
  get isCut(): boolean {
    return this.#text?.isCut === true;
  }

  begin(role: MessageRole, messageId: string): void {
    this.#role = role;
    this.#messageId = messageId;
  }

  /** Ends the message. The next piece begins a new message. */
  end(): void {
    this.#role = undefined;
  }

  /** Returns the event for the next piece of the message. Half of a character is held for the next piece. */
  piece(content: ContentBlock): WireEvent | undefined {
    const text = content.type === "text" ? (content as TextContent).text : undefined;
    if (!text || (!this.isCut && !endsInHalf(text))) return this.#chunk(content);
    this.#text ??= new CutText();
    const whole = this.#text.take(text);
    return whole === "" ? undefined : this.#chunk({ ...content, text: whole } as ContentBlock);
  }

  /** Returns a replacement for a waiting half of a character, and removes the half. */
  rest(): WireEvent | undefined {
    return this.#text?.isCut ? this.#chunk({ type: "text", text: this.#text.end() }) : undefined;
  }

  /** Returns true if an event may add an entry after the message and so end the message. */
  mayEndBy(event: WireEvent, state: SessionState): boolean {
    if ("messageId" in event && event.messageId === this.#messageId) return false;
    if ("toolCallId" in event) return !state.timeline.has(`tool_call:${event.toolCallId}`);
    return !BESIDE.test(event.type);
  }

  /** Ends the message if an event added another entry to the timeline. Call it after the event is applied to the state. */
  follow(event: SessionEvent, around: StatesAround): void {
    if (this.#role === undefined || ("messageId" in event && event.messageId === this.#messageId)) return;
    if (newestEntry(around.after) !== newestEntry(around.before)) this.end();
  }

  #chunk(content: ContentBlock): WireEvent | undefined {
    return this.#role && { type: chunkOf[this.#role], messageId: this.#messageId, content };
  }
}

const chunkOf = { user: "user_message_chunk", agent: "agent_message_chunk", thought: "agent_thought_chunk" } as const;

/** Types of events that add no entry to the timeline. */
const BESIDE = /^(?:usage|session_info|available_commands|config_option|current_mode|state|terminal|plan|subagent)_/;

/**
 * Returns the key of the newest entry. The number of entries cannot be used instead, because a bounded state drops old
 * entries.
 */
const newestEntry = ({ timeline }: SessionState): string | undefined => timeline.at(-1)?.key;
