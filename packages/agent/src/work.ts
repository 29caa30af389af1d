import type { ContentBlock, ElicitationAnswer, ElicitationQuestion, PlanEntry, WireEvent } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import type { AskedQuestion, PermissionAnswer } from "./questions.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

/** Output and questions of work that the agent shows: a turn, or the work of a child session. */
export interface Work {
  /**
   * Answers the user. Consecutive pieces form one message. Anything else that is shown between two pieces ends the message.
   *
   * A stream is sent at the client's pace:
   *
   * - The promise settles when the stream has ended, or after a cancel. Await it before the next call; otherwise pieces are
   *   mixed.
   * - The turn does not end before its streams, even if the handler does not await them. `idle` of a child session ends
   *   its streams immediately.
   * - An error of the stream rejects the promise. If the handler does not handle the rejection, the turn fails. In a child
   *   session, the error is reported.
   */
  say(text: string | ContentBlock | AsyncIterable<string>): Room;
  /** Shows reasoning, in a message apart from the answer. Takes the same arguments as {@link say}. */
  think(text: string | ContentBlock | AsyncIterable<string>): Room;
  /**
   * Ends the open message, so the next piece begins a new message. Call it between two answers of a model if nothing else
   * is shown between them.
   */
  endMessage(): void;
  /** Replaces the plan. Version 1 has only one plan. */
  plan(entries: readonly PlanEntry[], planId?: string): Room;
  /** Opens a tool call. Its status is `pending` by default. */
  toolCall(start: ToolCallStart): ToolCall;
  /**
   * Asks the user for permission. Never rejects: after a cancel, a refusal or a failure, `allowed` is false. The question
   * is withdrawn when the turn is cancelled or ends. In version 2, the session's state shows that the turn waits for the
   * user.
   */
  requestPermission(question: AskedQuestion): Promise<PermissionAnswer>;
  /** Returns true only if the user selects an option that allows. Asks like {@link requestPermission}. */
  ask(question: AskedQuestion): Promise<boolean>;
  /**
   * Asks a person to fill in a form, or to do something at a URL. The result is `cancel` after a cancel or a failure, for
   * an unknown answer, and for content that the form does not allow.
   *
   * - Never ask for secrets in a form or in the chat. A person can enter secrets at a URL.
   * - `accept` of a URL is only the consent to open the URL. When the work there is done, call `completeElicitation` of the
   *   session, or of the child session that asked.
   * - A URL should be `https`, and should let the person log in there. It must not contain personal data or an access
   *   token.
   *
   * @param about the tool call that needs the answer
   * @throws AcpError `capability` if `session.client.capabilities.elicitation` lacks the mode, as in seed; check the
   *   capability first
   * @throws AcpError `invalid_message` for a URL with a name or a password
   * @throws AcpError `state` for an `elicitationId` that another open request of this connection has
   */
  elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer>;
  /**
   * Sends any other update of the protocol.
   *
   * `session.emit` sends updates outside of a turn.
   */
  emit(event: WireEvent): Room;
  /**
   * Files of the client. Absent if the client offers no files, and always in version 2 and seed. `createLocalFiles` of
   * `@turnkit/agent/node` is the alternative.
   */
  readonly files?: ClientFiles;
  /**
   * Terminals of the client. Absent if the client offers no terminals, and always in version 2 and seed.
   * `createLocalTerminals` of `@turnkit/agent/node` is the alternative.
   */
  readonly terminals?: ClientTerminals;
}
