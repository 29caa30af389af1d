import { bytesOfBase64 } from "../base64.js";
import { merge, patchedBy, type Rules, replace } from "../entity.js";
import type { SessionEvent, TerminalPatch } from "../event.js";
import type { Naming } from "../keyed.js";
import { changed } from "../patch.js";
import type { SessionState, TerminalState } from "../state.js";
import { withAnomaly } from "../timeline.js";
import { decodeUtf8, utf8Length, withoutFirstBytes } from "../utf8.js";
import { withListed } from "./listed.js";

/** Terminals are found by their id. */
export const terminalNaming: Naming<TerminalState> = { key: (terminal) => terminal.terminalId };

const RULES: Rules = {
  command: replace,
  cwd: replace,
  exitStatus: replace,
  size: replace,
  capabilities: replace,
  _meta: merge,
};
const NO_OUTPUT = { text: "", textBytes: 0, droppedBytes: 0, pendingBytes: [] as readonly number[] };

/** Patches a terminal; the first patch for an id makes it (V2-TERM-03). */
export function foldTerminal(state: SessionState, event: TerminalPatch): SessionState {
  const before = state.terminals.get(event.terminalId) ?? { terminalId: event.terminalId, ...NO_OUTPUT };
  const after = patchedBy(before, RULES, event);
  if (event.output === undefined) return withListed(state, "terminals", event.terminalId, after);
  return withOutput(state, before, { ...after, ...NO_OUTPUT }, event.output === null ? "" : event.output.data);
}

/** Appends bytes (V2-TERM-05). */
export function foldTerminalOutput(
  state: SessionState,
  { terminalId, data }: SessionEvent & { type: "terminal_output_chunk" },
): SessionState {
  const before = state.terminals.get(terminalId) ?? { terminalId, ...NO_OUTPUT };
  return withOutput(state, before, before, data);
}

/** Adds bytes to a terminal. What is not base64 is left out and noted (V2-TERM-09). */
function withOutput(state: SessionState, before: TerminalState, terminal: TerminalState, data: unknown): SessionState {
  const bytes = typeof data === "string" ? bytesOfBase64(data, terminal.pendingBytes) : undefined;
  if (bytes === undefined) {
    const known = withListed(state, "terminals", terminal.terminalId, before);
    return withAnomaly(known, "terminal output is not base64", terminal.terminalId);
  }
  const { terminalBytes } = state.limits;
  const { text: added, pending: pendingBytes } = decodeUtf8(bytes);
  const text = terminal.text + added;
  const textBytes = terminal.textBytes + utf8Length(added);
  // To three quarters: cutting a little off at every chunk would copy the whole text each time.
  const excess = textBytes <= terminalBytes ? 0 : textBytes - Math.floor((terminalBytes * 3) / 4);
  const cut = excess > 0 ? withoutFirstBytes(text, excess) : { text, dropped: 0 };
  const after = changed(before, {
    ...terminal,
    text: cut.text,
    textBytes: textBytes - cut.dropped,
    droppedBytes: terminal.droppedBytes + cut.dropped,
    pendingBytes,
  });
  return withListed(state, "terminals", terminal.terminalId, after);
}
