import type { SessionLog } from "@turnkit/agent";
import type { FileHost, TerminalHandlers } from "@turnkit/client";
import type { PermissionOutcome, PermissionQuestion } from "@turnkit/session";
import type { Channel, Diagnostic } from "@turnkit/transport";
import type { Principal } from "./principal.js";

/** Bounds of a gateway. */
export type GatewayLimits = {
  /**
   * Number of updates that wait for one attachment. At this bound they are dropped, and the attachment gets the newest
   * state when it has room.
   *
   * @defaultValue 1 000
   */
  readonly attachmentUpdates: number;
  /**
   * The same for the size of these updates in memory, in bytes.
   *
   * @defaultValue 4 MiB
   */
  readonly attachmentBytes: number;
  /**
   * Number of attachments of one session. A further one is refused with `-32600`.
   *
   * @defaultValue 10 000
   */
  readonly attachments: number;
  /**
   * Number of open sessions of a group. A further one is refused with `-32600`.
   *
   * @defaultValue 1 000
   */
  readonly sessions: number;
  /**
   * Size of the state of one session in memory, in bytes. The oldest entries are dropped first. The log keeps them.
   *
   * @defaultValue 64 MiB
   */
  readonly stateBytes: number;
};

/** Options of a gateway. */
export type GatewayOptions = {
  /**
   * Opens a channel to an agent for the sessions of one group. The gateway calls it for the first connection of the group,
   * and again when a session needs an agent that has ended. It closes the channel after {@link idleMs} without use.
   *
   * `group` is `group:` with the group of the principal, or `id:` with its id.
   */
  readonly agent: (group: string) => Channel | Promise<Channel>;
  /**
   * Returns the log of the sessions of one group. Each group has a log of its own: a shared log would show the sessions of
   * one group to another. The gateway calls it once for each group that is in use.
   *
   * @defaultValue a log in memory, which ends with the gateway
   */
  readonly log?: (group: string) => SessionLog;
  /**
   * Attachments that are asked the questions of the agent. Observers are never asked.
   *
   * - `first`: all of them. The first answer counts.
   * - `prompter`: the one that sent the prompt. If it has gone, all of them.
   * - a function: those whose principal it accepts.
   *
   * @defaultValue `"first"`
   */
  readonly answers?: "first" | "prompter" | ((principal: Principal) => boolean);
  /**
   * Time that a question waits while nobody is attached who can answer it, in milliseconds. Then {@link unattended} decides.
   *
   * @defaultValue 600 000 (10 minutes)
   */
  readonly unattendedMs?: number;
  /**
   * Decides a permission question for which nobody came. Other questions are cancelled.
   *
   * @defaultValue selects the only option of kind `reject_once`, or else cancels
   */
  readonly unattended?: (question: PermissionQuestion) => PermissionOutcome;
  /**
   * Time after the last detach until a session without work leaves its agent, in milliseconds. The log stays, and the next
   * prompt restores the session in the agent.
   *
   * @defaultValue 300 000 (5 minutes)
   */
  readonly idleMs?: number;
  /**
   * Files of the gateway's own machine for agents of version 1. Without them, the agent gets none. With them, the client that
   * sent the running prompt is asked first, if it offers files: it has the unsaved changes of its editor. No other client is
   * asked.
   */
  readonly files?: FileHost;
  /** Terminals of the gateway's own machine for agents of version 1. Without them, the agent gets none. */
  readonly terminals?: TerminalHandlers;
  /** Bounds that replace their defaults. */
  readonly limits?: Partial<GatewayLimits>;
  /** Receives faults that no answer reports. They contain no content of sessions. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

/** Options with their defaults. */
export type Settings = {
  readonly options: GatewayOptions;
  readonly limits: GatewayLimits;
  readonly unattendedMs: number;
  readonly idleMs: number;
  readonly report: (diagnostic: Diagnostic) => void;
};

const LIMITS: GatewayLimits = {
  attachmentUpdates: 1_000,
  attachmentBytes: 4 * 1024 * 1024,
  attachments: 10_000,
  sessions: 1_000,
  stateBytes: 64 * 1024 * 1024,
};

/** Returns the options with their defaults. */
export function settingsOf(options: GatewayOptions, report: Settings["report"]): Settings {
  const { unattendedMs = 600_000, idleMs = 300_000, limits } = options;
  return { options, limits: { ...LIMITS, ...limits }, unattendedMs, idleMs, report };
}
