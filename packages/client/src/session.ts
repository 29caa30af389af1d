import type { ContentBlock, ElicitationAnswer, Meta, SessionEvent, SessionState } from "@turnkit/session";
import type { PermissionDecision } from "./permission-decision.js";
import type { Turn } from "./turn.js";

type Awaitable<T> = T | Promise<T>;

/**
 * Told what happens in a session, in the order of the wire, each event after the one before was handled: what it
 * returns is awaited. Listeners of one session are called for an event in the order in which they were added, without
 * waiting for each other; other sessions do not wait for them. What a listener throws is reported and stops nothing.
 *
 * An event is part of the state and of what other listeners are told: change nothing in it.
 *
 * It may await any request that it makes. It must not await what it is part of: the end of its own turn, or the
 * restore that it is being told about; after 5 s `onDiagnostic` names it as `listener_stuck`.
 */
export type EventListener = (event: SessionEvent, session: Session) => Awaitable<void>;

/**
 * What happens to a prompt of a session that has an open turn. `queue`: it waits for its turn, on whichever side.
 * `reject`: `prompt` throws. `replace`: what is open is cancelled, and the prompt follows.
 */
export type WhilePrompting = "queue" | "reject" | "replace";

/** What goes with a prompt. */
export type PromptOptions = {
  /** Sent as it is: `traceparent`, `tracestate` and `baggage` are W3C trace context, other keys a private agreement. */
  readonly _meta?: Meta;
};

/** One conversation with an agent: what is known of it, and the one door for commands. */
export interface Session {
  /** Chosen by the agent. */
  readonly id: string;
  /** Absolute; the session's folder. */
  readonly cwd: string;
  /** `cwd` and the additional directories. */
  readonly roots: readonly string[];
  /**
   * What is known now: a plain, immutable value, and a new one after every change. Folded at receipt, so it may be
   * ahead of what listeners were told. It stays readable after the session's end.
   */
  readonly state: SessionState;
  /**
   * Called after every change of `state`; with `state` it fits `useSyncExternalStore`. A subscriber must not wait for
   * anything; listeners hear of what it commands after what it was called for. Returns the unsubscribe, after which it is
   * not called any more, not even in the round that is running.
   */
  subscribe(listener: () => void): () => void;
  /** Adds a listener for what is received from now on. Returns the unsubscribe, which works at once. */
  onEvent(listener: EventListener): () => void;
  /**
   * Sends a prompt. Version 2 agents hold a prompt that comes while they work, or take it into that work. Version 1 and
   * seed know no queue: there it waits on this side while another one is answered. 100 may wait, wherever they do.
   * `whilePrompting` may say otherwise. A prompt to a session that is over gets a turn whose `ended` rejects.
   *
   * @throws CapabilityError for a kind of content that the agent does not take
   * @throws InvalidMessageError for a prompt without any content, which version 2 does not allow
   * @throws AcpError `too_many_requests` where too many wait already, `state` where none may (`whilePrompting: "reject"`)
   */
  prompt(content: string | readonly ContentBlock[], options?: PromptOptions): Turn;
  /**
   * Cancels every open turn, those that still wait included, dismisses the questions that belong to them, and marks
   * unfinished tool calls as cancelled in the state at once. Settles when all have ended; a listener must not await it.
   * In version 2 work that the agent lists as background goes on, and its questions stay open.
   */
  cancel(): Promise<void>;
  /**
   * Decides a question of `state.pendingPermissions` or `state.pendingElicitations`; it leaves the state at once (a URL
   * that was accepted stays until the thing is done there). The first decision counts, later ones are ignored.
   *
   * @throws AcpError `state` for an option that was not offered, and for a decision of the other kind
   * @throws InvalidMessageError for answers that do not conform to the form: `issues` has a path per field, and the
   *   question stays open
   */
  answer(requestId: string, decision: PermissionDecision | ElicitationAnswer): void;
  /**
   * Asks the agent to stop one tool call. Settles when it has accepted; a final status of the call says that it stopped.
   *
   * @throws CapabilityError unless the call's `capabilities` offer it at this moment, as only version 2 agents do
   * @throws RpcError `-32602` if it came too late
   */
  cancelToolCall(toolCallId: string): Promise<void>;
  /**
   * Asks the agent to stop the process of one of its terminals. Settles when it has accepted; an exit status in
   * `state.terminals` says that it stopped. Its tool call goes on.
   *
   * @throws CapabilityError unless the terminal's `capabilities` offer it at this moment, as only version 2 agents do
   * @throws RpcError `-32602` if it came too late
   */
  cancelTerminal(terminalId: string): Promise<void>;
  /**
   * Chooses a value of one of `state.configOptions`, at any time. In version 1 modes and models are options too. The
   * state shows the new value when the agent has confirmed it.
   *
   * @throws AcpError `state` for an option or a value that does not exist
   * @throws RpcError if the agent refuses
   */
  setConfigOption(configId: string, value: string | boolean): Promise<void>;
  /**
   * Ends the session on this connection, and what it is doing, in version 2 also in the background. Its questions are
   * dismissed and its terminals released. An agent that cannot close sessions is told to cancel, and the session ends on
   * this side only, as it does when the agent is silent for `cancelGraceMs`; a turn that was open then ends as `cancelled`
   * without confirmation. A session that is over already is no error, on either side.
   *
   * @throws RpcError if the agent refuses for another reason; the session goes on
   */
  close(): Promise<void>;
}
