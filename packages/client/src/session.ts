import type { ContentBlock, ElicitationAnswer, Meta, SessionEvent, SessionState } from "@turnkit/session";
import type { Turn } from "./turn.js";

type Awaitable<T> = T | Promise<T>;

/**
 * Listener of the events of a session, in wire order. The promise of a call is awaited before the next event. All
 * listeners of a session are called for an event, in the order in which they were added, before the first is awaited.
 * Other sessions do not wait for them. Exceptions are reported and stop nothing.
 *
 * Events are part of the state and shared with other listeners: do not change them.
 *
 * A listener may await its own requests. It must not await the end of its own turn, or the restore whose events it
 * gets: after 5 s `onDiagnostic` reports it as `listener_stuck`.
 */
export type EventListener = (event: SessionEvent, session: Session) => Awaitable<void>;

/**
 * Treatment of a new prompt while the session has an open turn.
 *
 * - `queue`: the prompt waits, on either side.
 * - `reject`: `prompt` throws.
 * - `replace`: open turns are cancelled, and the prompt follows.
 */
export type WhilePrompting = "queue" | "reject" | "replace";

/** Options of a prompt. */
export type PromptOptions = {
  /** Cancels the turn when it aborts, like `turn.cancel()`. A prompt whose signal is aborted already is never sent. */
  readonly signal?: AbortSignal;
  /**
   * Metadata, sent unchanged. `traceparent`, `tracestate` and `baggage` are W3C trace context; other keys are private
   * agreements.
   */
  readonly _meta?: Meta;
};

/** Answer to a permission question: one of its options, or a dismissal. The words are the protocol's. */
export type PermissionDecision =
  | { readonly outcome: "selected"; readonly optionId: string }
  | { readonly outcome: "cancelled" };

/** Conversation with an agent: its state, and all commands. */
export interface Session {
  /** Id that the agent chose. */
  readonly id: string;
  /** Absolute folder of the session. */
  readonly cwd: string;
  /** Folder and additional directories. */
  readonly roots: readonly string[];
  /**
   * Current state: a plain, immutable value, and a new one after every change. It includes everything received, so it
   * may be ahead of listeners. It stays readable after the end of the session.
   */
  readonly state: SessionState;
  /**
   * Subscribes to changes of `state`; with `state` it fits `useSyncExternalStore`. Subscribers are not awaited. If one
   * gives a command, listeners get its events after the event that called the subscriber. Returns the unsubscribe,
   * which works at once.
   */
  subscribe(listener: () => void): () => void;
  /** Adds a listener for later events. Returns the unsubscribe, which works at once. */
  onEvent(listener: EventListener): () => void;
  /**
   * Sends a prompt. Agents of version 2 queue a prompt while they work, or add it to that work. Version 1 and seed have
   * no queue: the prompt waits on this side. Up to 100 prompts may wait. The option `whilePrompting` selects another
   * treatment. A prompt to a session that is over returns a turn whose `ended` rejects.
   *
   * @throws CapabilityError for a kind of content that the agent does not take
   * @throws InvalidMessageError for a prompt without content in version 2
   * @throws AcpError `too_many_requests` if 100 prompts wait, `state` if none may (`whilePrompting: "reject"`)
   */
  prompt(content: string | readonly ContentBlock[], options?: PromptOptions): Turn;
  /**
   * Cancels every turn, including those that wait. Dismisses the questions of their work, and marks unfinished tool
   * calls as cancelled in the state at once. Settles when all turns have ended; a listener must not await it. In
   * version 2, background work continues and its questions stay open.
   */
  cancel(): Promise<void>;
  /**
   * Answers a question of `state.pendingPermissions` or `state.pendingElicitations`. The question leaves the state at
   * once; an accepted URL stays until the agent reports its completion. Later decisions are ignored.
   *
   * @throws AcpError `state` for an option that was not offered, or a decision of the other kind
   * @throws InvalidMessageError for answers that do not conform to the form: `issues` has a path per field, and the
   *   question stays open
   */
  answer(requestId: string, decision: PermissionDecision | ElicitationAnswer): void;
  /**
   * Asks a version 2 agent to cancel one tool call. Settles when the agent accepted; a final status of the call
   * follows.
   *
   * @throws CapabilityError unless the current `capabilities` of the tool call offer it
   * @throws RpcError `-32602` if the tool call is over already
   */
  cancelToolCall(toolCallId: string): Promise<void>;
  /**
   * Asks a version 2 agent to stop the process of one of its terminals. Settles when the agent accepted; an exit status
   * in `state.terminals` follows. The tool call of the terminal continues.
   *
   * @throws CapabilityError unless the current `capabilities` of the terminal offer it
   * @throws RpcError `-32602` if the process is over already
   */
  cancelTerminal(terminalId: string): Promise<void>;
  /**
   * Sets one of `state.configOptions`, at any time. In version 1 modes and models are options too. The state shows the
   * new value after the agent confirmed it.
   *
   * @throws AcpError `state` for an option or a value that does not exist
   * @throws RpcError if the agent refuses
   */
  setConfigOption(configId: string, value: string | boolean): Promise<void>;
  /**
   * Ends the session on this connection and all of its work, background work included. Dismisses its questions and
   * releases its terminals. It is no error if the session is over already, on either side.
   *
   * If the agent cannot close sessions, its work is cancelled and the session ends on this side only. After
   * `cancelGraceMs` without an answer the session ends on this side too, and an open turn ends as `cancelled` without
   * confirmation.
   *
   * @throws RpcError if the agent refuses for another reason; the session continues
   */
  close(): Promise<void>;
}
