import type { StateLimits } from "@turnkit/session";
import type { Loss } from "@turnkit/session/codec";
import { type ConnectionLimits, type Diagnostic, reporter, textOf } from "@turnkit/transport";
import type { CallLimits } from "./call-order.js";
import type { OutgoingContracts } from "./outgoing-contracts.js";
import type { SessionLimits } from "./session-limits.js";

/** Options of one connection. */
export type ServeOptions = {
  /** Bounds of the connection, of its sessions and waiting calls, and of the state of each session. */
  readonly limits?: Partial<ConnectionLimits> & Partial<SessionLimits> & Partial<CallLimits> & Partial<StateLimits>;
  /**
   * Time for the handler of a cancelled turn to clean up, in ms. After this time the turn is ended, and later updates of
   * the handler are dropped. `Infinity` sets no limit.
   *
   * @defaultValue 10_000
   */
  readonly cancelGraceMs?: number;
  /**
   * Schemas for all messages that the agent sends, such as `outgoingContracts`. A call throws if its message does not fit
   * the schema. For tests and debugging.
   */
  readonly validateOutgoing?: OutgoingContracts;
  /**
   * Handling of JSON arrays of messages, which older clients may send:
   *
   * - `refuse` answers the whole array with `-32600`.
   * - `unpack` handles the messages of the array in order, as separate messages.
   *
   * @defaultValue "refuse"
   */
  readonly batches?: "refuse" | "unpack";
  /**
   * Receives failures that no caller gets as an error. A diagnostic never contains params, results or prompts.
   *
   * @defaultValue A function that writes mistakes of the program to `console.error`, each message once, with its stack.
   *   Such mistakes are failed handlers and unfinished work. It also writes the first message of each kind that is lost by
   *   a fault of the client.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /**
   * Receives each loss: a feature that the client's dialect cannot express. `losses` lists all cases. `sessionId` is set if
   * the loss belongs to one session.
   */
  readonly onLoss?: (loss: Loss, sessionId: string | undefined) => void;
};

/**
 * Hooks of one connection. They never throw: exceptions of `onLoss` are reported, and exceptions of `onDiagnostic` are
 * printed with `console.error`.
 */
export type Hooks = {
  report(diagnostic: Diagnostic): void;
  /** Reports a loss. `sessionId` is set if the loss belongs to one session. */
  lost(loss: Loss, sessionId?: string): void;
};

/** Returns the hooks of a connection. */
export function hooksOf(options: ServeOptions): Hooks {
  const report = reporter(options.onDiagnostic);
  return {
    report,
    lost(loss, sessionId) {
      try {
        options.onLoss?.(loss, sessionId);
      } catch (error) {
        const about = sessionId === undefined ? {} : { sessionId };
        report({ code: "listener_failed", message: `onLoss failed: ${textOf(error)}`, ...about, error });
      }
    },
  };
}
