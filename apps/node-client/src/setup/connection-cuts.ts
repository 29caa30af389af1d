import type { RemoteState } from "@turnkit/remote/client";
import { AcpError, isAcpError } from "@turnkit/transport";

/**
 * Listener for cuts of a connection. It gets a sentence before each attempt to connect again, and `undefined` when the
 * connection works again.
 */
export type CutListener = (cut: string | undefined) => void;

/**
 * Returns a listener for the states of a connection. The final loss of a connection is not a cut. It is reported
 * separately, with a reason.
 */
export function cutsIn(onCut: CutListener): (state: RemoteState) => void {
  return (state) => {
    if (state.status === "connected") onCut(undefined);
    if (state.status === "reconnecting") onCut(`Attempt ${state.attempt} to connect again: ${state.message}`);
  };
}

/** Returns a listener that notes the beginning and the end of a cut. */
export function notesOfCuts(note: (text: string) => void): CutListener {
  let isCut = false;
  return (cut) => {
    if (isCut === (cut !== undefined)) return;
    isCut = cut !== undefined;
    note(isCut ? `The connection is cut. ${cut}` : "The connection is back.");
  };
}

/** Answer of a server that runs, but no longer has the connection. */
const UNKNOWN_CONNECTION = /Unexpected server response: 404|\(unknown_connection\)/;

/** Returns the reason for the end of a connection, for a person. Advice for programmers is removed. */
export function lostText(reason: string): string {
  if (UNKNOWN_CONNECTION.test(reason))
    return "The server does not know the connection any more. It was started again, or another server has answered.";
  return reason.replace(/ Open a new connection, and restore .*$/s, "");
}

/**
 * Returns the error for a person after a run has lost its connection to a remote agent. The error contains the reason,
 * and the command that continues the session. Other errors are returned unchanged.
 */
export function lostError(error: unknown, url: URL | undefined, sessionId: string | undefined): unknown {
  if (url === undefined || sessionId === undefined || !isAcpError(error, "connection_closed")) return error;
  const words = `${lostText(error.message)}\nThe session may go on. To see it: turnkit --url ${url.href} --session ${sessionId}`;
  return new AcpError("connection_closed", words, { cause: error });
}
