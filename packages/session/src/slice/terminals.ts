import { noted } from "../change.js";
import type { EventOf, TerminalPatch } from "../event.js";
import { patchKind, TERMINAL_KIND, upserted } from "../kind.js";
import { kept } from "../patch.js";
import type { SessionState, TerminalState } from "../state.js";
import { bytesOfBase64, decodeUtf8, utf8Length, withoutFirstBytes } from "../terminal-bytes.js";

/** Patches a terminal. The first patch with an id creates the terminal. */
// V2-TERM-03
export function foldTerminal(state: SessionState, { output, ...patch }: TerminalPatch): SessionState {
  const next = patchKind(state, patch, TERMINAL_KIND);
  if (output === undefined) return next;
  const data = output === null ? "" : output.data;
  return withOutput(next, patch, data, (before) => ({ ...before, ...TERMINAL_KIND.fresh }));
}

/** Adds output to a terminal. */
// V2-TERM-05
export function foldTerminalOutput(state: SessionState, event: EventOf<"terminal_output_chunk">): SessionState {
  return withOutput(state, event, event.data, (before) => before);
}

/** Adds bytes to the terminal that `begin` returns. A text that is not base64 is left out and becomes an anomaly. */
// V2-TERM-09
function withOutput(
  state: SessionState,
  event: { readonly terminalId: string },
  data: unknown,
  begin: (before: TerminalState) => TerminalState,
): SessionState {
  let isSound = true;
  const next = upserted<TerminalState>(state, event, TERMINAL_KIND, (before) => {
    const terminal = begin(before);
    const bytes = typeof data === "string" ? bytesOfBase64(data, terminal.pendingBytes) : undefined;
    isSound = bytes !== undefined;
    return bytes === undefined ? before : kept(before, grown(terminal, bytes, state.limits.terminalBytes));
  });
  return isSound ? next : noted(next, "terminal output is not base64", event.terminalId);
}

/** Returns the terminal with the text of more bytes. At most `most` bytes of the newest text are stored. */
function grown(terminal: TerminalState, bytes: Uint8Array, most: number): TerminalState {
  const { text: added, pending: pendingBytes } = decodeUtf8(bytes);
  const whole = terminal.text + added;
  const size = terminal.textBytes + utf8Length(added);
  const excess = size - keptOf(terminal.droppedBytes + size, most);
  const { text, dropped } = excess > 0 ? withoutFirstBytes(whole, excess) : { text: whole, dropped: 0 };
  return {
    ...terminal,
    text,
    textBytes: size - dropped,
    droppedBytes: terminal.droppedBytes + dropped,
    pendingBytes,
  };
}

/**
 * Returns how many bytes of a terminal's output are stored: the last three quarters of `most`, and up to a quarter
 * more. Only whole quarters are dropped. The result therefore depends on the output and not on its chunks, and most
 * chunks do not copy the whole text.
 */
function keptOf(bytes: number, most: number): number {
  const quarter = Math.max(1, Math.floor(most / 4));
  return bytes > most ? bytes - Math.ceil((bytes - most) / quarter) * quarter : bytes;
}
