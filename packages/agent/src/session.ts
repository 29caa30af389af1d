import type {
  AvailableCommand,
  BackgroundWork,
  ConfigOption,
  Cost,
  McpServer,
  SessionState,
  WireEvent,
} from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { AgentTerminal, AgentTerminalStart } from "./agent-terminal.js";
import type { ChildOptions, ChildSession } from "./child-session.js";
import type { ClientInfo } from "./client-info.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

type Input = NonNullable<AvailableCommand["input"]>;

/** Slash command that an agent offers. The default `type` is `command`, and that of its `input` is `text`. */
export type CommandOffer = Omit<AvailableCommand, "type" | "input"> &
  Partial<Pick<AvailableCommand, "type">> & {
    readonly input?: (Omit<Input, "type"> & Partial<Pick<Input, "type">>) | null;
  };

/**
 * Conversation on the agent's side.
 *
 * - An agent may send updates at any time, also between turns. Updates reach the client in the order of the calls.
 * - Updates that are emitted inside `newSession` are held until the client has the answer with the session's id.
 * - Methods with the result {@link Room} send their update before they return. If a method returns a promise, await it
 *   before the next call. While updates are held, methods return no promise.
 */
export interface AgentSession<S = undefined> {
  /** Id of the session. The runtime makes the id of a new session, unique across processes. */
  readonly id: string;
  /** Absolute path of the session's folder. Relative paths start there. The folder never changes. */
  readonly cwd: string;
  /** Folders that tools may use: `cwd` and the additional directories. */
  readonly roots: readonly string[];
  /** MCP servers of the client, often none. The agent connects to these servers. */
  readonly mcpServers: readonly McpServer[];
  /** `data` of the result of `newSession` or `restoreSession`. Not set while these handlers run. */
  readonly data: S;
  /**
   * State of the conversation, as a client shows it. A state object never changes; read `state` again for the newest state.
   */
  readonly state: SessionState;
  /** Client of the session, with its capabilities. */
  readonly client: ClientInfo;
  /**
   * Signal for the end of the session. Nothing is sent after the signal. The signal fires:
   *
   * - after the last turn, when the session is closed;
   * - when the session fails to open;
   * - immediately, when the connection ends.
   */
  readonly signal: AbortSignal;
  /**
   * Sends any update of the protocol. A part that the client's dialect cannot express is reported to `onLoss`.
   *
   * @throws AcpError `state` inside `newSession`, above {@link MAX_HELD_UPDATES} updates or {@link MAX_HELD_BYTES}
   * @throws AcpError `state` inside `restoreSession` of an agent with a log, above 64 MiB
   * @throws AcpError `too_large` for an update above 32 MiB, because no client would read the update
   * @throws TypeError for a value that is not an update
   */
  emit(event: WireEvent): Room;
  /** Sets the title. A title above {@link MAX_TITLE_LENGTH} characters is cut. `null` removes the title. */
  setTitle(title: string | null): Room;
  /** Replaces the list of slash commands. */
  setCommands(commands: readonly CommandOffer[]): Room;
  /**
   * Replaces the list of options, including their current values. In version 1, a changed mode is also sent as a change of
   * the mode.
   */
  setConfigOptions(options: readonly ConfigOption[]): Room;
  /**
   * Changes the value of one option for the agent. The runtime does not call `setConfigOption`.
   *
   * @throws TypeError for an option that the session does not have, and for a value that the option does not list
   */
  setConfigValue(configId: string, value: string | boolean): Room;
  /** Returns the value of an option, or `undefined` if the option does not exist. */
  configValue(configId: string): string | boolean | undefined;
  /**
   * Reports the number of tokens in the context, the size of the context, and the cost so far. Without `cost`, the earlier
   * cost stays.
   */
  reportUsage(usage: { readonly used: number; readonly size: number; readonly cost?: Cost | null }): Room;
  /**
   * Opens a tool call that belongs to no turn, such as a file watcher. The call may stay open until the session ends, and a
   * cancel of a turn does not affect it. While the call runs, list it with {@link setBackground}. The end of a turn reports
   * a call that is not listed, as `unfinished`.
   */
  toolCall(start: ToolCallStart): ToolCall;
  /** Opens a terminal that shows a process of the agent. List it like {@link toolCall} while the process runs. */
  terminal(start?: AgentTerminalStart): AgentTerminal;
  /**
   * Replaces the list of background work, which is work outside of turns. Clients know only the work on this list. A child
   * session that still works stays listed.
   *
   * - Report a tool call, terminal or other item before the list contains it. Report its end before the list drops it.
   * - `session/cancel` does not stop background work. Stop it when `signal` fires.
   * - Open a child session before the list contains it. Its item is `{ type: "subagent", sessionId: child.id }`.
   * - Version 1 and seed have no such list.
   *
   * @throws AcpError `state` for a child session that was not opened
   * @throws AcpError `too_large` for a list that leaves less than 128 KiB of an update for the end of a turn
   * @throws TypeError for an item of another form
   */
  setBackground(work: readonly BackgroundWork[]): void;
  /**
   * Opens a child session for a subagent, and announces it to the client. The work of the child session begins
   * immediately.
   *
   * - A cancel of this session also cancels child sessions, unless {@link setBackground} lists them.
   * - The end of this session ends its child sessions.
   *
   * @throws AcpError `state` inside `newSession`, after the end of the session, above 1 024 child sessions of the
   *   session, at all levels, and above 16 levels of child sessions
   */
  child(title: string, options?: ChildOptions): ChildSession;
  /** Reports once that a person finished the work at the URL of a `turn.elicit`. */
  completeElicitation(elicitationId: string): void;
}

/** Maximum number of updates that wait for the answer of `session/new`. A further update throws. */
export const MAX_HELD_UPDATES = 1_000;

/**
 * Approximate maximum size of the updates that wait for the answer of `session/new`, in bytes. An update above the maximum
 * throws.
 */
export const MAX_HELD_BYTES = 4 * 1024 * 1024;

// V1-UPD-28
/** Maximum length of a title, in characters. A longer title is cut, because lists of sessions show a title in one line. */
export const MAX_TITLE_LENGTH = 500;
