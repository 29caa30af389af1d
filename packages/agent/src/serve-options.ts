import type { StateLimits } from "@turnkit/session";
import type { Loss } from "@turnkit/session/codec";
import { type ConnectionLimits, type Diagnostic, reporter, textOf } from "@turnkit/transport";
import type { CallLimits } from "./call-order.js";
import type { OutgoingContracts } from "./outgoing-contracts.js";

/** Options of one connection. */
export type ServeOptions = {
  /** Bounds of the connection, of calls that wait for their session, and of the state of each session. */
  readonly limits?: Partial<ConnectionLimits> & Partial<CallLimits> & Partial<StateLimits>;
  /**
   * Time for a cancelled turn to clean up, in ms; then it is ended and muted. `Infinity` sets no limit.
   *
   * @defaultValue 10_000
   */
  readonly cancelGraceMs?: number;
  /**
   * Schemas that everything sent is checked against, such as `outgoingContracts`. A message that does not fit throws at its
   * sender. For tests and debugging.
   */
  readonly validateOutgoing?: OutgoingContracts;
  /**
   * Handling of arrays of messages, which older clients may send. `refuse` answers the whole array with `-32600`; `unpack`
   * handles its entries in order, as if each had come alone.
   *
   * @defaultValue "refuse"
   */
  readonly batches?: "refuse" | "unpack";
  /**
   * Receives failures that fail no call, for a log. They never hold params, results or prompts.
   *
   * @defaultValue `console.error` for mistakes of the program, each message once, with its stack: handlers that failed,
   *   unfinished work. All others are dropped.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /**
   * Receives what the client's dialect cannot express; `losses` lists all cases. `sessionId` is set if the loss is about
   * one session.
   */
  readonly onLoss?: (loss: Loss, sessionId: string | undefined) => void;
};

/** Hooks of one connection. An exception of a hook has no other effect. */
export type Hooks = {
  report(diagnostic: Diagnostic): void;
  /** Reports a loss; `sessionId` is set if it is about one session. */
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
