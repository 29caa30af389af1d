import type { PermissionQuestion, SubagentActivity, ToolCallPatch, WireEvent } from "@turnkit/session";
import type { Encoder } from "@turnkit/session/codec";
import type { Driver } from "./driver/driver.js";
import { isTooLarge } from "./session-log.js";
import { isFinalStatus, type ToolCall, type ToolCallStart } from "./tool-call.js";

/** Number of characters at which collected text is sent before the end of its line. */
const PART = 4_096;

type Elicited = Parameters<Driver["elicit"]>[0];

/** Session whose tool calls show a child session. */
type Parent = {
  toolCall(start: ToolCallStart): ToolCall;
  readonly output: { say(event: WireEvent): void; onFault(message: string, error: unknown): void };
};

/**
 * Child session for a client without support for subagents: a tool call of the parent. Text is collected until the end
 * of a line. Each title of a tool call becomes a line. A tool call that asks is also shown as a tool call of the
 * parent.
 */
// P-SUB1-10
export class DegradedChild {
  readonly #parent: Parent;
  readonly #id: string;
  readonly #title: string;
  /** Tool call of the current work. */
  #call: ToolCall | undefined;
  /** Tool calls that have asked, and have not ended. */
  readonly #asked = new Set<string>();
  #text = "";
  #isFull = false;

  constructor(parent: Parent, id: string, title: string) {
    this.#parent = parent;
    this.#id = id;
    this.#title = title;
  }

  /** Encoder of the child session. Its updates are shown in the tool call, so it returns none. */
  readonly encode: Encoder = (event) => {
    this.#show(event);
    return [];
  };

  report({ state, stopReason }: SubagentActivity): void {
    this.#flush();
    if (state !== "idle") {
      this.#call ??= this.#open();
      this.#call.update({ status: "in_progress" });
      return;
    }
    const status = stopReason === "cancelled" ? "cancelled" : stopReason === "error" ? "failed" : "completed";
    this.#call?.update({ status });
    this.#call = undefined;
  }

  /** Returns the requests of the child session, with the id of its parent. Questions name the child session. */
  requests(driver: Driver, sessionId: string): Partial<Driver> {
    const { files, terminals } = driver;
    return {
      askPermission: (_, question, signal) => driver.askPermission(sessionId, this.#shown(question), signal),
      elicit: (question, signal) => driver.elicit(this.#named(question, sessionId), signal),
      ...(files && { files: (_, lifetime) => files(sessionId, lifetime) }),
      ...(terminals && { terminals: (_, lifetime) => terminals(sessionId, lifetime) }),
    };
  }

  /** Returns an elicitation that names the child session. The client knows only the tool calls that have asked. */
  // P-SUB-20
  #named(question: Elicited, sessionId: string): Elicited {
    const { toolCallId } = question.scope as { readonly toolCallId?: string };
    const isKnown = toolCallId !== undefined && this.#asked.has(toolCallId);
    const scope = { sessionId, ...(isKnown && { toolCallId: this.#idOf(toolCallId) }) };
    return { ...question, message: `${this.#title}: ${question.message}`, scope };
  }

  /** Returns a question that names the child session. Its tool call is shown first, so that its end can be shown. */
  #shown(question: PermissionQuestion): PermissionQuestion {
    const title = `${this.#title}: ${question.title}`;
    const { subject } = question;
    if (subject?.type !== "tool_call" || !("toolCall" in subject)) return { ...question, title };
    const { toolCallId } = subject.toolCall;
    const toolCall = { ...subject.toolCall, toolCallId: this.#idOf(toolCallId), title };
    this.#asked.add(toolCallId);
    this.#parent.output.say({ type: "tool_call_update", ...toolCall });
    return { ...question, title, subject: { type: "tool_call", toolCall } };
  }

  /** Returns the id of a tool call of the child session among the tool calls of the parent. */
  #idOf(toolCallId: string): string {
    return `${this.#id}/${toolCallId}`;
  }

  #showStatus({ toolCallId, status }: ToolCallPatch): void {
    if (status == null || !this.#asked.has(toolCallId)) return;
    if (isFinalStatus(status)) this.#asked.delete(toolCallId);
    try {
      this.#parent.output.say({ type: "tool_call_update", toolCallId: this.#idOf(toolCallId), status });
    } catch (error) {
      // The event of the child session is stored, and its end must not fail.
      this.#parent.output.onFault("The status of a tool call of a subagent could not be sent.", error);
    }
  }

  #show(event: WireEvent): void {
    if (event.type === "agent_message_chunk" && event.content.type === "text" && "text" in event.content) {
      this.#text += event.content.text;
      if (this.#text.length >= PART || this.#text.endsWith("\n")) this.#flush();
    } else if (event.type === "tool_call_update") {
      this.#showStatus(event);
      if (typeof event.title !== "string") return;
      this.#flush();
      this.#append(`- ${event.title}`);
    }
  }

  #flush(): void {
    const text = this.#text;
    this.#text = "";
    if (text.trim()) this.#append(text);
  }

  #open(): ToolCall {
    this.#isFull = false;
    return this.#parent.toolCall({ title: this.#title, kind: "think" });
  }

  /** Adds text. Text that the tool call cannot hold is left out. Other clients still get the whole text. */
  #append(text: string): void {
    if (this.#isFull) return;
    try {
      this.#call?.append({ type: "content", content: { type: "text", text } });
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      this.#isFull = true;
      const what = `Text of the subagent ${JSON.stringify(this.#title)} was left out`;
      this.#parent.output.onFault(`${what}, because the tool call that shows it is full.`, error);
    }
  }
}
