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
import type { PermissionAnswer } from "./questions.js";
import type { AgentSession } from "./session.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

/** Slash command of the user. `input` is the text after the name, without the space between. */
export type SlashCommand = { readonly name: string; readonly input: string };

/**
 * Prompt that is being answered. Its updates reach the client before the turn's end. After the end, and after the grace of a
 * cancel, calls do nothing and do not throw.
 *
 * A call that returns {@link Room} has sent its update already. The promise, if there is one, asks to wait before the next
 * call. Arguments are copied: you may change and reuse them. Do not change objects that you get, such as `session.state`.
 */
export interface Turn<S = undefined> {
  /** Session of the turn, for everything that outlives it: title, usage, commands, options. */
  readonly session: AgentSession<S>;
  /** Blocks of the user: at least one, of the types that the agent offers. */
  readonly prompt: readonly ContentBlock[];
  /**
   * Metadata of the prompt, whole. `traceparent`, `tracestate` and `baggage` are W3C trace context: attach them to requests and
   * reports of this turn. Other keys mean nothing unless both sides agreed on them.
   */
  readonly _meta?: Meta;
  /**
   * Slash command with which the prompt's text begins (`/name input`), if the session offers it at this moment. Other names
   * are ordinary text. Other blocks of the prompt may belong to the command.
   */
  readonly command?: SlashCommand;
  /** Signal that fires when the turn is cancelled, its session closes, or the connection ends. Pass it to slow work. */
  readonly signal: AbortSignal;
  /**
   * Answers the user. Consecutive pieces are one message; anything else that is shown in between begins a new one.
   *
   * A stream is sent at the client's pace, piece by piece, until its end or a cancel. The promise settles then. Await it before
   * the next call, or the pieces mix. The turn does not end before a stream that is not awaited. Its error rejects the promise,
   * and fails the turn if the handler does not listen for it.
   */
  say(text: string | ContentBlock | AsyncIterable<string>): Room;
  /** Shows reasoning, apart from the answer; otherwise like {@link say}. */
  think(text: string | ContentBlock | AsyncIterable<string>): Room;
  /** Replaces the plan. Version 1 has one plan. */
  plan(entries: readonly PlanEntry[], planId?: string): Room;
  /** Opens a tool call. Its status is `pending` by default. */
  toolCall(start: ToolCallStart): ToolCall;
  /**
   * Asks the user for permission. Never rejects: a cancel, a refusal and a failure are all "not allowed". An open question is
   * withdrawn when the turn is cancelled or ends. In version 2 the session shows that it waits for the user.
   */
  ask(question: PermissionQuestion): Promise<PermissionAnswer>;
  /**
   * Asks the person to fill in a form, or to do something at a URL. Never ask for secrets in a form. `accept` of a URL is only
   * the consent to open it: call {@link AgentSession.completeElicitation} when the work there is done. A cancel, a failure, an
   * unknown answer and content that the form does not allow are all `cancel`.
   *
   * A URL should be `https`, and let the person log in there. It must hold no personal data and no access token.
   *
   * @param about the tool call that needs the answer
   * @throws AcpError `capability` if `session.client.capabilities.elicitation` lacks the mode (seed has none). Check first and
   * have another way; for secrets neither a form nor the chat
   * @throws AcpError `invalid_message` for a URL with a name or a password
   * @throws AcpError `state` for an `elicitationId` that is in use on this connection
   */
  elicit(question: ElicitationQuestion, about?: { readonly toolCallId?: string }): Promise<ElicitationAnswer>;
  /**
   * Sends any other update of the protocol.
   *
   * @see AgentSession.emit for updates that are not part of the turn
   */
  emit(event: WireEvent): Room;
  /**
   * Files of the client. Absent if the client, or its dialect (version 2, seed), has none: use `createLocalFiles` of
   * `@turnkit/agent/node` then.
   */
  readonly files?: ClientFiles;
  /**
   * Terminals of the client. Absent if the client, or its dialect (version 2, seed), has none: use `createLocalTerminals` of
   * `@turnkit/agent/node` then.
   */
  readonly terminals?: ClientTerminals;
}
