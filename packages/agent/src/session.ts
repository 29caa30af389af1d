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

/**
 * A conversation as its agent sees it. Updates may be sent at any time, also outside turns; they reach the client in
 * the order of the calls. Inside `newSession` they are held, and follow the answer that names the session.
 *
 * What returns {@link Room} is sent already: the promise, if there is one, asks to wait before sending more. While
 * updates are held there is none, since nothing could make room before the handler returned.
 */
export interface AgentSession<S = undefined> {
  /** Made by the runtime; unique, also across processes. */
  readonly id: string;
  /** Absolute; base of relative paths. Never changes. */
  readonly cwd: string;
  /** `cwd` and the additional directories: the bounds of what tools may touch. */
  readonly roots: readonly string[];
  /** Empty when the client gave none. Connecting to them is the agent's work. */
  readonly mcpServers: readonly McpServer[];
  /** What `newSession` or `restoreSession` returned as `data`; not there yet while they run. */
  readonly data: S;
  /** All that was said so far, as a client would draw it. Old states stay valid. */
  readonly state: SessionState;
  /** Who is on the other side, and what it can do. */
  readonly client: ClientInfo;
  /**
   * Fires when the session is closed (after its turns ended), when opening it failed, and at once when the connection
   * ends. From then on nothing is sent.
   */
  readonly signal: AbortSignal;
  /**
   * Sends anything that the protocol can say. What the client's dialect cannot say is reported to `onLoss`.
   *
   * @throws AcpError `state` inside `newSession`, above {@link MAX_HELD_UPDATES} updates or {@link MAX_HELD_BYTES}
   */
  emit(event: WireEvent): Room;
  /** What people call the session, cut to {@link MAX_TITLE_LENGTH}; `null` takes the title away. */
  setTitle(title: string | null): Room;
  /** Replaces the list of slash commands. */
  setCommands(commands: readonly AvailableCommand[]): Room;
  /** Replaces the list of options, current values included. In version 1 a change of mode is told as such too. */
  setConfigOptions(options: readonly ConfigOption[]): Room;
  /** Current value of an option; `undefined` for one that does not exist. */
  configValue(configId: string): string | boolean | undefined;
  /** Tokens in the context, its size, and what the session cost so far. An absent cost stays as it was. */
  reportUsage(usage: { readonly used: number; readonly size: number; readonly cost?: Cost | null }): Room;
  /**
   * Reports a tool call that belongs to no turn, such as a watcher: it lives as long as the session and is not cancelled
   * with a turn. List it with {@link setBackground} while it goes on.
   */
  toolCall(start: ToolCallStart): ToolCall;
  /** Shows a process that the agent runs. */
  terminal(start?: AgentTerminalStart): AgentTerminal;
  /**
   * Everything that goes on besides turns: announce each first, take it off the list after its end was reported. A list
   * replaces the one before; without any, clients do not know. `session/cancel` does not stop what is listed; when
   * `signal` fires, stop all of it. Version 1 and seed cannot say it.
   */
  setBackground(work: readonly BackgroundWork[]): void;
  /** What a person was asked to do at a URL in this session is done (`turn.elicit`); told once, to nobody else. */
  completeElicitation(elicitationId: string): void;
}

/** Updates that may wait for the answer of `session/new`; one more throws. */
export const MAX_HELD_UPDATES = 1_000;

/** About how many bytes of updates may wait for the answer of `session/new`; the update above it throws. */
export const MAX_HELD_BYTES = 4 * 1024 * 1024;

/** Longer titles are cut: lists of sessions show them in one line (V1-UPD-28). */
export const MAX_TITLE_LENGTH = 500;
