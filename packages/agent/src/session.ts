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
import type { ClientInfo } from "./client-info.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

/** Slash command that an agent offers. `type` is `command` by default. */
export type CommandOffer = Omit<AvailableCommand, "type"> & Partial<Pick<AvailableCommand, "type">>;

/**
 * Conversation on the agent's side. Updates may be sent at any time, also outside turns. They reach the client in the order
 * of the calls. Inside `newSession` they are held, and follow the answer that names the session.
 *
 * A call that returns {@link Room} has sent its update already. The promise, if there is one, asks to wait before the next
 * call. There is none while updates are held: nothing makes room before the handler returns.
 */
export interface AgentSession<S = undefined> {
  /** Id of the session. The runtime makes that of a new session: unique, also across processes. */
  readonly id: string;
  /** Absolute path, the base of relative ones. Never changes. */
  readonly cwd: string;
  /** `cwd` and the additional directories: the bounds for tools. */
  readonly roots: readonly string[];
  /** MCP servers of the client; may be empty. The agent connects to them. */
  readonly mcpServers: readonly McpServer[];
  /** `data` of the result of `newSession` or `restoreSession`; not set while they run. */
  readonly data: S;
  /** Conversation so far, as a client draws it. Old states stay valid. */
  readonly state: SessionState;
  /** Client and its capabilities. */
  readonly client: ClientInfo;
  /**
   * Signal that fires when the session is closed (after its turns), when opening it failed, and at once when the connection
   * ends. Nothing is sent from then on.
   */
  readonly signal: AbortSignal;
  /**
   * Sends any update of the protocol. Parts that the client's dialect cannot express are reported to `onLoss`.
   *
   * @throws AcpError `state` inside `newSession` above {@link MAX_HELD_UPDATES} updates or {@link MAX_HELD_BYTES}, and inside
   *   `restoreSession` above 64 MiB where there is a log
   * @throws AcpError `too_large` for an update that no client would read, above 32 MiB
   */
  emit(event: WireEvent): Room;
  /** Sets the title, cut to {@link MAX_TITLE_LENGTH}; `null` removes it. */
  setTitle(title: string | null): Room;
  /** Replaces the list of slash commands. */
  setCommands(commands: readonly CommandOffer[]): Room;
  /** Replaces the list of options, current values included. In version 1 a change of mode is also sent as such. */
  setConfigOptions(options: readonly ConfigOption[]): Room;
  /** Returns the value of an option, or `undefined` for one that does not exist. */
  configValue(configId: string): string | boolean | undefined;
  /** Reports the tokens in the context, its size, and the cost so far. An absent cost stays as it was. */
  reportUsage(usage: { readonly used: number; readonly size: number; readonly cost?: Cost | null }): Room;
  /**
   * Opens a tool call that belongs to no turn, such as a watcher. It lives as long as the session and is not cancelled with a
   * turn. List it with {@link setBackground} while it runs.
   */
  toolCall(start: ToolCallStart): ToolCall;
  /** Opens a terminal that shows a process of the agent. */
  terminal(start?: AgentTerminalStart): AgentTerminal;
  /**
   * Replaces the list of work besides turns. Report each item before it is listed, and its end before it is removed. Without a
   * list clients do not know of such work. `session/cancel` does not stop it; stop all of it when `signal` fires. Version 1
   * and seed have no such list.
   *
   * @throws AcpError `too_large` for a list that leaves an update no room for the end of a turn: 128 KiB
   */
  setBackground(work: readonly BackgroundWork[]): void;
  /** Reports, once, that the person did what `turn.elicit` asked for at a URL. */
  completeElicitation(elicitationId: string): void;
}

/** Most updates that wait for the answer of `session/new`; one more throws. */
export const MAX_HELD_UPDATES = 1_000;

/** Bytes of updates, about, that may wait for the answer of `session/new`; the update above it throws. */
export const MAX_HELD_BYTES = 4 * 1024 * 1024;

// V1-UPD-28
/** Most characters of a title. Longer ones are cut: lists of sessions show them in one line. */
export const MAX_TITLE_LENGTH = 500;
