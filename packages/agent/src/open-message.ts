import type { ContentBlock, MessageRole, SessionEvent, SessionState, TextContent, WireEvent } from "@turnkit/session";
import type { StatesAround } from "@turnkit/session/codec";
import { CutText, endsInHalf } from "./cut-text.js";

/** Message that is being written. Pieces of one role share its id until something else is shown. */
export class OpenMessage {
  #role: MessageRole | undefined;
  #messageId = "";
  /** Made for the first cut piece: few messages have any. */
  #text: CutText | undefined;

  /** Role of the message, or `undefined` if none is open. */
  get role(): MessageRole | undefined {
    return this.#role;
  }

  /** True while half a character waits for the other half. */
  get isCut(): boolean {
    return this.#text?.isCut === true;
  }

  begin(role: MessageRole, messageId: string): void {
    this.#role = role;
    this.#messageId = messageId;
  }

  /** Ends the message: the next piece begins another. */
  end(): void {
    this.#role = undefined;
  }

  /** Returns the next piece of the message. Half of a character is no piece: it waits for the other half. */
  piece(content: ContentBlock): WireEvent | undefined {
    const text = content.type === "text" ? (content as TextContent).text : undefined;
    if (!text || (!this.isCut && !endsInHalf(text))) return this.#chunk(content);
    this.#text ??= new CutText();
    const whole = this.#text.take(text);
    return whole === "" ? undefined : this.#chunk({ ...content, text: whole } as ContentBlock);
  }

  /** Returns a replacement for half a character that still waits, and forgets it. */
  rest(): WireEvent | undefined {
    return this.#text?.isCut ? this.#chunk({ type: "text", text: this.#text.end() }) : undefined;
  }

  /** Returns true if an event may be shown behind the message, which ends the message. */
  mayEndBy(event: WireEvent, state: SessionState): boolean {
    if ("messageId" in event && event.messageId === this.#messageId) return false;
    if ("toolCallId" in event) return !state.timeline.has(`tool_call:${event.toolCallId}`);
    return !BESIDE.test(event.type);
  }

  /** Ends the message if an event added another entry to the timeline. Call it after the event is folded. */
  follow(event: SessionEvent, around: StatesAround): void {
    if (this.#role === undefined || ("messageId" in event && event.messageId === this.#messageId)) return;
    if (newestEntry(around.after) !== newestEntry(around.before)) this.end();
  }

  #chunk(content: ContentBlock): WireEvent | undefined {
    return this.#role && { type: chunkOf[this.#role], messageId: this.#messageId, content };
  }
}

const chunkOf = { user: "user_message_chunk", agent: "agent_message_chunk", thought: "agent_thought_chunk" } as const;

/** Types of events that add nothing to the timeline. */
const BESIDE = /^(?:usage|session_info|available_commands|config_option|current_mode|state|terminal|plan|subagent)_/;

/**
 * Returns the key of the newest entry. The number of entries is no substitute: a state within bounds drops old entries.
 */
const newestEntry = ({ timeline }: SessionState): string | undefined => timeline.at(-1)?.key;
