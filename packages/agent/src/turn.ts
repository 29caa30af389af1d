import type { ContentBlock, Meta } from "@turnkit/session";
import type { AgentSession } from "./session.js";
import type { Work } from "./work.js";

/** Slash command of the user. `input` is the text after the name and the space. */
export type SlashCommand = { readonly name: string; readonly input: string };

/**
 * Prompt that is being answered. The turn's updates reach the client before the turn's end.
 *
 * - After the end of the turn, or after the grace time of a cancel, methods do nothing and do not throw.
 * - Methods with the result {@link Room} send their update before they return. If a method returns a promise, await it
 *   before the next call.
 * - Arguments are copied, so the caller may change and reuse them.
 * - Objects that the turn returns, such as `session.state`, must not be changed.
 */
export interface Turn<S = undefined> extends Work {
  /** Session of the turn. Title, usage, commands and options belong to the session. */
  readonly session: AgentSession<S>;
  /** Blocks of the user's prompt. There is at least one block. The runtime refuses types that the agent does not offer. */
  readonly prompt: readonly ContentBlock[];
  /**
   * Metadata of the prompt. `traceparent`, `tracestate` and `baggage` are W3C trace context: copy them to requests and
   * reports of this turn. Other keys have a meaning only if client and agent agreed on them.
   */
  readonly _meta?: Meta;
  /**
   * Slash command at the beginning of the prompt's text (`/name input`). Set only if the session offers the command at this
   * moment; otherwise the text is ordinary. Other blocks of the prompt may belong to the command.
   */
  readonly command?: SlashCommand;
  /**
   * Signal that fires when the turn is cancelled, the session closes, or the connection ends. Pass the signal to slow work.
   */
  readonly signal: AbortSignal;
}
