import type { RemoteState } from "@turnkit/remote/client";

/**
 * Listener for cuts of a connection. It gets a sentence before each attempt to connect again, and `undefined` when the
 * connection works again.
 */
export type CutListener = (cut: string | undefined) => void;

/** Returns a listener for the states of a connection. A lost connection is not a cut: its end has a reason of its own. */
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

/** Returns the reason for the end of a connection without advice for programs, because a person reads it. */
export function lostText(reason: string): string {
  return reason.replace(/ Open a new connection, and restore .*$/s, "");
}
