import type { Diagnostic } from "@turnkit/transport";
import { Backoff } from "./backoff.js";
import type { ReconnectLimits, RemoteOptions } from "./remote-options.js";
import type { Secrets } from "./secrets.js";
import type { Status } from "./status.js";

/** Longest time for `initialize`, and for the opening of a WebSocket, in milliseconds. */
// REM-53
export const INITIALIZE_MS = 30_000;

/** Longest time that a closing connection waits for the server, in milliseconds. */
export const CLOSE_MS = 5_000;

/** Advice for a connection that ended and cannot continue. */
// REM-42
export const RESTORE_ADVICE =
  "Open a new connection, and restore the session there: client.restore sends session/resume or session/load";

/** Settings of one connection. */
export type Settings = {
  readonly options: RemoteOptions;
  /** `false` if the client does not ask for resumption. */
  readonly asksResumption: boolean;
  readonly limits: ReconnectLimits;
  readonly status: Status;
  /** Values that no error may contain. */
  readonly secrets: Secrets;
  readonly report: (diagnostic: Diagnostic) => void;
};

/**
 * Returns `true` in a page or a worker of a browser. Browsers cannot set headers of a WebSocket, and store cookies
 * themselves.
 */
export function isBrowser(): boolean {
  return "document" in globalThis || "importScripts" in globalThis;
}

/** Creates the delays of one stream. */
export const createBackoff = ({ limits, status }: Settings): Backoff => new Backoff(limits, status);
