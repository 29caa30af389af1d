import type { ContentBlock, PermissionQuestion, PlanEntry, WireEvent } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { ClientFiles } from "./client-tools/files.js";
import type { ClientTerminals } from "./client-tools/terminals.js";
import type { PermissionAnswer } from "./permission.js";
import type { AgentSession } from "./session.js";
import type { ToolCall, ToolCallFields } from "./tool-call.js";

/**
 * One prompt being answered. Everything said through it reaches the client before the turn's end; after the end, and
 * after a cancel's grace ran out, it says nothing any more and does not throw.
 *
 * What returns {@link Room} is sent already: the promise, if there is one, asks to wait before saying more.
 */
export interface Turn<S = undefined> {
  /** What outlives the turn: title, usage, commands, options. */
  readonly session: AgentSession<S>;
  /** What the user sent: at least one block, of the types that the agent accepts. */
  readonly prompt: readonly ContentBlock[];
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
  toolCall(start: { readonly title: string } & ToolCallFields): ToolCall;
  /**
   * Asks the user. Never rejects: a cancel, a refusal and a failure are all "not granted". A question that is open when
   * the turn is cancelled or ends is withdrawn.
   */
  ask(question: PermissionQuestion): Promise<PermissionAnswer>;
  /**
   * Sends everything else that the protocol can say.
   *
   * @see AgentSession.emit for updates that are not part of the turn
   */
  emit(event: WireEvent): Room;
  /** Absent when the client, or its dialect (version 2), has none: use your own then. */
  readonly files?: ClientFiles;
  /** Absent when the client, or its dialect (version 2), has none: start processes yourself then. */
  readonly terminals?: ClientTerminals;
}
