import type { BackgroundWork, ErrorObject, SessionState, StopReason } from "@turnkit/session";
import type { AgentTerminal, AgentTerminalStart } from "./agent-terminal.js";
import type { Work } from "./work.js";

/** Options of a new child session. */
export type ChildOptions = {
  /** Task of the subagent, for the user. */
  readonly description?: string;
  /**
   * Absolute path of the child session's folder.
   * @defaultValue the folder of the parent
   */
  readonly cwd?: string;
  /**
   * True if the user may cancel the work of this child session alone. Has no effect for a client without support for
   * subagents.
   */
  readonly cancel?: boolean;
};

/** End of the work of a child session. */
export type ChildEnd = StopReason | { readonly stopReason: StopReason; readonly error?: ErrorObject };

/**
 * Session of a subagent. It takes no prompts. Its methods show the work of the subagent, as the methods of a `Turn` show
 * the work of a turn.
 *
 * - The work begins with the child session, and again with the first call after {@link ChildSession.idle} that shows or asks.
 *   `emit` and `setBackground` begin no work.
 * - Work that begins while the parent's work is cancelled is cancelled too, except background work. Its signal has fired.
 * - The runtime ends cancelled work when the cancelled work of the parent ends, at the latest after `cancelGraceMs`. Later
 *   calls do nothing until {@link ChildSession.idle}. Only `child` throws.
 * - A client without support for subagents gets a tool call of the parent, with the text of the child session.
 */
export interface ChildSession extends Work {
  /** Id of the child session. The runtime makes it. */
  readonly id: string;
  readonly title: string;
  readonly state: SessionState;
  /**
   * Signal of the current work. It fires when the user cancels this work or the work of the parent, at
   * {@link ChildSession.forget}, and at the end of the session.
   */
  readonly signal: AbortSignal;
  /** Opens a terminal that shows a process of the subagent. Call it like `session.terminal`. */
  terminal(start?: AgentTerminalStart): AgentTerminal;
  /** Opens a child session of this child session. Call it like `session.child`. */
  child(title: string, options?: ChildOptions): ChildSession;
  /** Replaces the list of background work of this child session. Call it like `session.setBackground`. */
  setBackground(work: readonly BackgroundWork[]): void;
  /** Reports once that a person finished the work at the URL of an `elicit` of this child session. */
  completeElicitation(elicitationId: string): void;
  /**
   * Ends the current work. Open streams, tool calls and questions end too, so await `say` first. After a cancel, the reason
   * is always `cancelled`.
   * @defaultValue `end_turn`
   */
  idle(reason?: ChildEnd): void;
  /** Frees the memory of this child session in the agent. Current work ends as `cancelled` first. Later calls do nothing. */
  forget(): void;
}
