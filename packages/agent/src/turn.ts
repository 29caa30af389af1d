import type {
  ContentBlock,
  ElicitationAnswer,
  ElicitationQuestion,
  Meta,
  PermissionQuestion,
  PlanEntry,
  WireEvent,
} from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import type { PermissionAnswer } from "./permission.js";
import type { AgentSession } from "./session.js";
import type { SlashCommand } from "./slash-command.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

/**
 * One prompt being answered. Everything said through it reaches the client before the turn's end; after the end, and
 * after a cancel's grace ran out, it says nothing any more and does not throw.
 *
 * Calls that return {@link Room} have sent already: the promise, if there is one, asks to wait before saying more.
 * Objects that are passed in are copied: change them, and use them again. Those that come out (`session.state`) are not
 * yours to change.
 */
export interface Turn<S = undefined> {
  /** What outlives the turn: title, usage, commands, options. */
  readonly session: AgentSession<S>;
  /** What the user sent: at least one block, of the types that the agent accepts. */
  readonly prompt: readonly ContentBlock[];
  /**
   * What the client attached to its prompt, whole. `traceparent`, `tracestate` and `baggage` are W3C trace context: attach
   * them to what you ask and report for this turn. Other keys mean nothing unless both sides agreed on them.
   */
  readonly _meta?: Meta;
  /**
   * The slash command with which the prompt's text begins, if the session offers it at this moment: `/name input`. What
   * nobody offered is ordinary text. Other blocks of the prompt may belong to it.
   */
  readonly command?: SlashCommand;
  /** Fires when the turn is cancelled, its session closes, or the connection ends. Hand it to everything slow. */
  readonly signal: AbortSignal;
  /**
   * Answers the user. Pieces that follow each other are one message; anything else that is shown in between begins a
   * new one.
   *
   * A stream is said at the client's pace, piece by piece, until its end or a cancel; the promise settles then. Await
   * it before saying more, or the pieces mix. One that is not awaited is waited for before the turn ends. Its error
   * rejects the promise, and fails the turn if nobody listens to that.
   */
  say(text: string | ContentBlock | AsyncIterable<string>): Room;
  /** Shows reasoning, apart from the answer; otherwise like {@link say}. */
  think(text: string | ContentBlock | AsyncIterable<string>): Room;
  /** Shows the plan as a whole, replacing the one before. Version 1 knows one plan. */
  plan(entries: readonly PlanEntry[], planId?: string): Room;
  /** Reports that a tool is about to run; `pending` unless said otherwise. */
  toolCall(start: ToolCallStart): ToolCall;
  /**
   * Asks the user. Never rejects: a cancel, a refusal and a failure are all "not granted". A question that is open when
   * the turn is cancelled or ends is withdrawn. In version 2 the session is shown as waiting for the user meanwhile.
   */
  ask(question: PermissionQuestion): Promise<PermissionAnswer>;
  /**
   * Asks the person to fill in a form, or to do something at a URL; never for secrets in a form. `accept` of a URL is
   * only the consent to open it: say {@link AgentSession.completeElicitation} when it was done there. A cancel, a failure,
   * an answer that nobody understands and content that the form does not allow are all `cancel`.
   *
   * A URL should be `https`, and let the person log in there: it holds nothing that is personal or opens a door.
   *
   * @param about the tool call that needs the answer
   * @throws AcpError `capability` if `session.client.capabilities.elicitation` lacks the mode (seed has none): ask first,
   * and have another way, but neither a form nor the chat for secrets
   * @throws AcpError `invalid_message` for a URL with a name or a password in it
   * @throws AcpError `state` for an `elicitationId` that was used before on this connection and is not over
   */
  elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer>;
  /**
   * Sends everything else that the protocol can say.
   *
   * @see AgentSession.emit for updates that are not part of the turn
   */
  emit(event: WireEvent): Room;
  /**
   * Absent when the client, or its dialect (version 2, seed), has none: `createLocalFiles` of `@turnkit/agent/node`
   * then.
   */
  readonly files?: ClientFiles;
  /**
   * Absent when the client, or its dialect (version 2, seed), has none: `createLocalTerminals` of `@turnkit/agent/node`
   * then.
   */
  readonly terminals?: ClientTerminals;
}
