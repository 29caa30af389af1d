import type { SessionLog } from "@turnkit/agent";
import type { FileHost, TerminalHandlers } from "@turnkit/client";
import type { PermissionOutcome, PermissionQuestion } from "@turnkit/session";
import type { Channel, Diagnostic } from "@turnkit/transport";
import type { Engine } from "./engine.js";
import { createFigures, type Figures } from "./figures.js";
import type { Principal } from "./principal.js";

/** Bounds of a gateway. */
export type GatewayLimits = {
  /**
   * Maximum number of updates that wait for one attachment. At this bound the updates are dropped. The attachment gets
   * the newest state when its channel has room.
   *
   * @defaultValue 1 000
   */
  readonly attachmentUpdates: number;
  /**
   * Maximum size of these updates in memory, in bytes.
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
   * Returns the log of the sessions of one group. Each group needs a log of its own, because a shared log would show
   * the sessions of one group to another. The gateway calls it once for each group that is in use.
   *
   * With an {@link Engine}, several gateways share the sessions of a group, and clients of all of them can use one session. Give
   * the engine only to gateways that you trust: they act for all principals of the group.
   *
   * @defaultValue a log in memory, which ends with the gateway
   */
  readonly log?: (group: string) => SessionLog | Engine;
  /**
   * Attachments that get the questions of the agent. Observers never get questions.
   *
   * - `first`: all attachments. The first answer counts.
   * - `prompter`: the attachment that sent the prompt. If it has left, all attachments.
   * - a function: the attachments for whose principal it returns true.
   *
   * @defaultValue `"first"`
   */
  readonly answers?: "first" | "prompter" | ((principal: Principal) => boolean);
  /**
   * Time that a question waits while no attachment can answer it, in milliseconds. After this time, {@link unattended}
   * decides.
   *
   * @defaultValue 600 000 (10 minutes)
   */
  readonly unattendedMs?: number;
  /**
   * Decides a permission question that no attachment could answer in time. Other questions are cancelled.
   *
   * @defaultValue selects the only option of kind `reject_once`, or else cancels
   */
  readonly unattended?: (question: PermissionQuestion) => PermissionOutcome;
  /**
   * Time after the last detach until a session without work is closed in its agent, in milliseconds. The log stays, and
   * the next prompt restores the session in the agent.
   *
   * @defaultValue 300 000 (5 minutes)
   */
  readonly idleMs?: number;
  /**
   * Files of the gateway's own machine for agents of version 1. Without them, the agent can use no files. With them,
   * requests go first to the client that sent the running prompt, if it offers files, because it has the unsaved
   * changes of its editor. Other clients get no requests.
   */
  readonly files?: FileHost;
  /** Terminals of the gateway's own machine for agents of version 1. Without them, the agent can use no terminals. */
  readonly terminals?: TerminalHandlers;
  /** Bounds that replace their defaults. */
  readonly limits?: Partial<GatewayLimits>;
  /** Figures to which the gateway adds, for monitoring. Several gateways and engines may add to the same figures. */
  readonly figures?: Figures;
  /** Receives faults that no answer reports. They contain no content of sessions. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};

/** Options with their defaults. */
export type Settings = {
  readonly options: GatewayOptions;
  readonly limits: GatewayLimits;
  readonly unattendedMs: number;
  readonly idleMs: number;
  readonly figures: Figures;
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
  const { unattendedMs = 600_000, idleMs = 300_000, limits, figures = createFigures() } = options;
  return { options, limits: { ...LIMITS, ...limits }, unattendedMs, idleMs, figures, report };
}
