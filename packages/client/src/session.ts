import type {
  ContentBlock,
  ElicitationAnswer,
  Meta,
  PermissionOutcome,
  SessionEvent,
  SessionState,
} from "@turnkit/session";
import type { Turn } from "./turn.js";

type Awaitable<T> = T | Promise<T>;

/**
 * Listener of the events of a session, in the order of the wire.
 *
 * - For each event, the session calls all listeners in the order in which they were added. Then it awaits their promises.
 * - The next event follows when all these promises have settled. Other sessions do not wait.
 * - Exceptions are reported. The session and its other listeners continue.
 * - Do not change events. They are parts of the state, and other listeners get the same objects.
 *
 * A listener may await its own requests. A listener must not await the end of the turn or restore whose events it gets. If
 * it does, `onDiagnostic` reports it as `listener_stuck` after 5 s.
 */
export type EventListener = (event: SessionEvent, session: Session) => Awaitable<void>;

/**
 * Handling of a new prompt during an open turn of the session.
 *
 * - `queue`: the prompt waits, either in the agent or in the client.
 * - `reject`: `prompt` throws.
 * - `replace`: open turns are cancelled, then the prompt is sent.
 */
export type WhilePrompting = "queue" | "reject" | "replace";

/** Options of a prompt. */
export type PromptOptions = {
  /**
   * Signal that cancels the turn, like `turn.cancel()`. If the signal has already aborted, the prompt is never sent. It does not
   * cancel a turn that an earlier call with the same `idempotencyKey` opened.
   */
  readonly signal?: AbortSignal;
  /**
   * Key of this prompt in version 2, 1 to 255 characters. Pass the key of an earlier prompt to send that prompt again after
   * its answer was lost. An open turn with this key and content is returned unchanged. After an error answer of the agent, the
   * key may belong to another content.
   *
   * @defaultValue a random key
   */
  readonly idempotencyKey?: string;
  /**
   * Metadata of the prompt, sent unchanged. `traceparent`, `tracestate` and `baggage` are W3C trace context. Other keys
   * need an agreement with the agent.
   */
  readonly _meta?: Meta;
};

/**
 * Answer to a permission question, in the form of the protocol: one of the offered options, or a dismissal. Its `_meta`
 * needs an agreement with the agent.
 */
export type PermissionDecision = PermissionOutcome;

/**
 * Conversation with an agent: its state, and the methods that change it. `await using` closes the session at the end of the
 * block, with the errors of {@link Session.close}.
 *
 * A child session belongs to a subagent. The agent announces it, and works in it by itself. A child session takes no
 * prompts. It ends with its parent.
 */
export interface Session extends AsyncDisposable {
  /** Id that the agent chose. */
  readonly id: string;
  /** Absolute path of the session's folder. */
  readonly cwd: string;
  /**
   * Session's folder and its additional directories. The agent announces the folders of a child session. File and
   * terminal handlers get the roots of the outermost parent instead, because the client chose these.
   */
  readonly roots: readonly string[];
  /** Session that announced this child session. `undefined` if this session is not a child session. */
  readonly parent: Session | undefined;
  /** Child sessions in the order of their announcements. `state.subagents` has their titles and capabilities. */
  readonly children: readonly Session[];
  /** Metadata of the answer that opened this session. `undefined` if the answer has none, and for a child session. */
  readonly _meta: Meta | undefined;
  /** Titles of the ancestors and of this session, the first ancestor first. Sessions without a title are left out. */
  readonly titles: readonly string[];
  /**
   * Current state. Every change makes a new state; a state object never changes.
   *
   * - The state contains every received event, including events that listeners have not handled yet.
   * - After the end of the session, the state can still be read.
   */
  readonly state: SessionState;
  /**
   * Adds a subscriber to changes of `state`. `subscribe` and `state` fit React's `useSyncExternalStore`. Returns a
   * function that removes the subscriber immediately.
   *
   * The session does not await subscribers. A subscriber may call methods of the session. Listeners get the events of these
   * methods after the event that called the subscriber.
   */
  subscribe(listener: () => void): () => void;
  /** Adds a listener for later events. Returns a function that removes the listener immediately. */
  onEvent(listener: EventListener): () => void;
  /**
   * Calls a listener for each later child session, before the child session has an event. For the children of a child
   * session, call its `onChild`. Returns a function that removes the listener.
   */
  onChild(listener: (child: Session) => void): () => void;
  /**
   * Sends a prompt. During an open turn, `whilePrompting` decides. By default the prompt waits:
   *
   * - In version 2, the client sends the prompt immediately. The agent queues it, or adds it to the work in progress.
   * - In version 1 and seed, the prompt waits in the client.
   *
   * Up to 100 prompts may wait. After the end of the session, `prompt` returns a turn whose `ended` rejects.
   *
   * @throws CapabilityError for a type of content that the agent does not accept
   * @throws InvalidMessageError for a prompt without content in version 2
   * @throws AcpError `too_many_requests` if 100 prompts wait
   * @throws AcpError `state` if `whilePrompting` is `"reject"` and a turn is open
   * @throws AcpError `state` if an open prompt has the same key and another content
   * @throws AcpError `state` for a child session
   */
  prompt(content: string | readonly ContentBlock[], options?: PromptOptions): Turn;
  /**
   * Cancels every turn, including turns whose prompts wait. The questions of this work are dismissed, and the state
   * shows its unfinished tool calls as cancelled immediately. In version 2, background work continues, and its
   * questions stay open.
   *
   * The promise settles when all turns have ended. A listener must not await it. For a child session, the promise
   * settles immediately, and the state shows the end of the work later.
   *
   * @throws CapabilityError for a child session whose `capabilities` in `parent.state.subagents` lack `cancel`
   */
  cancel(): Promise<void>;
  /**
   * Answers a question of `state.pendingPermissions` or `state.pendingElicitations` of this session. Ids of questions
   * are unique on a connection. The question leaves the state immediately. Only an accepted URL stays until the agent
   * reports its completion. Later answers to the same question are ignored.
   *
   * @throws AcpError `state` for an id that no question of this session had, for an option that was not offered, and for an
   *   answer of the other kind
   * @throws InvalidMessageError for answers that do not conform to the form; `issues` has a path for each field, and the
   *   question stays open
   */
  answer(requestId: string, decision: PermissionDecision | ElicitationAnswer): void;
  /**
   * Asks an agent of version 2 to cancel one tool call. Settles when the agent has accepted the request. A final status of
   * the call follows.
   *
   * @throws CapabilityError unless the current `capabilities` of the tool call contain `cancel`
   * @throws RpcError `-32602` if the tool call has already ended
   */
  cancelToolCall(toolCallId: string): Promise<void>;
  /**
   * Asks an agent of version 2 to stop the process of one of its terminals. Settles when the agent has accepted the
   * request. An exit status in `state.terminals` follows. The tool call that shows the terminal continues.
   *
   * @throws CapabilityError unless the current `capabilities` of the terminal contain `cancel`
   * @throws RpcError `-32602` if the process has already ended
   */
  cancelTerminal(terminalId: string): Promise<void>;
  /**
   * Sets one of `state.configOptions`. It may be called at any time. In version 1, modes and models are options too. The
   * state shows the new value after the agent has confirmed it.
   *
   * @throws AcpError `state` for an option or a value that does not exist, and for a child session
   * @throws RpcError if the agent refuses
   */
  setConfigOption(configId: string, value: string | boolean): Promise<void>;
  /**
   * Ends the session on this connection, with all of its work, its questions and its terminals. Background work ends too.
   * Succeeds if the session has already ended.
   *
   * - If the agent cannot close sessions, the client cancels the work and ends the session only in the client.
   * - If the agent does not answer within `cancelGraceMs`, the session also ends only in the client. An open turn then ends
   *   as `cancelled`, without confirmation.
   *
   * @throws RpcError if the agent refuses for another reason; the session continues
   * @throws AcpError `state` for a child session
   */
  close(): Promise<void>;
}
