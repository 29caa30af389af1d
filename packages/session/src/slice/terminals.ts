import { bytesOfBase64 } from "../base64.js";
import { bytesOf } from "../bytes.js";
import type { SessionEvent, TerminalPatch } from "../event.js";
import { addTo, filtered, type Naming, replaceIn } from "../keyed.js";
import { changed, patched, patchedMeta } from "../patch.js";
import type { SessionState, TerminalState } from "../state.js";
import { withAnomaly } from "../timeline.js";
import { decodeUtf8, utf8Length, withoutFirstBytes } from "../utf8.js";
import { foldUnknown } from "./notices.js";

/** Terminals are found by their id. */
export const terminalNaming: Naming<TerminalState> = { key: (terminal) => terminal.terminalId };

const TERMINALS = 1000;
const NONE: readonly number[] = Object.freeze([]);
const TERMINAL_BYTES = 200;

/** Patches a terminal; the first patch for an id makes it (V2-TERM-03). */
export function foldTerminal(state: SessionState, event: TerminalPatch & { readonly at?: number }): SessionState {
  if (typeof event.terminalId !== "string") return foldUnknown(state, event, "a terminal needs an id", event.at);
  const { state: known, position, terminal } = found(state, event.terminalId);
  let next = changed(terminal, {
    command: patched(terminal.command, event.command),
    cwd: patched(terminal.cwd, event.cwd),
    exitStatus: patched(terminal.exitStatus, event.exitStatus),
    size: patched(terminal.size, event.size),
    capabilities: patched(terminal.capabilities, event.capabilities),
    _meta: patchedMeta(terminal._meta, event._meta),
  });
  if (event.output !== undefined) {
    const empty = { ...next, text: "", textBytes: 0, droppedBytes: 0, pendingBytes: NONE };
    const data = event.output === null ? "" : event.output.data;
    const output = withOutput(empty, data, state.limits.terminalBytes);
    if (output === undefined) return withAnomaly(known, "terminal output is not base64", event.terminalId);
    next = changed(next, output);
  }
  return withTerminal(known, position, terminal, next);
}

/** Appends bytes (V2-TERM-05). What is not base64 is left out and noted (V2-TERM-09). */
export function foldTerminalOutput(
  state: SessionState,
  event: SessionEvent & { type: "terminal_output_chunk" },
): SessionState {
  if (typeof event.terminalId !== "string") return foldUnknown(state, event, "a terminal needs an id", event.at);
  const { state: known, position, terminal } = found(state, event.terminalId);
  const next = withOutput(terminal, event.data, state.limits.terminalBytes);
  if (next === undefined) return withAnomaly(known, "terminal output is not base64", event.terminalId);
  return withTerminal(known, position, terminal, next);
}

/** What a terminal adds to {@link SessionState.bytes}. */
export function terminalBytes(terminal: TerminalState, most: number): number {
  return (
    TERMINAL_BYTES +
    terminal.terminalId.length +
    terminal.textBytes +
    bytesOf(terminal.command, most) +
    bytesOf(terminal.cwd, most) +
    bytesOf(terminal.exitStatus, most) +
    bytesOf(terminal.size, most) +
    bytesOf(terminal.capabilities, most) +
    bytesOf(terminal._meta, most)
  );
}

function withOutput(terminal: TerminalState, data: unknown, most: number): TerminalState | undefined {
  const bytes = typeof data === "string" ? bytesOfBase64(data, terminal.pendingBytes) : undefined;
  if (bytes === undefined) return undefined;
  if (bytes.length === terminal.pendingBytes.length) return terminal;
  const { text, pending } = decodeUtf8(bytes);
  const textBytes = terminal.textBytes + utf8Length(text);
  const whole = terminal.text + text;
  const pendingBytes = pending.length === 0 ? NONE : pending;
  if (textBytes <= most) return { ...terminal, text: whole, textBytes, pendingBytes };
  // To three quarters: cutting a little off at every chunk would copy the whole text each time.
  const cut = withoutFirstBytes(whole, textBytes - Math.floor((most * 3) / 4));
  return {
    ...terminal,
    text: cut.text,
    textBytes: textBytes - cut.dropped,
    droppedBytes: terminal.droppedBytes + cut.dropped,
    pendingBytes,
  };
}

type Found = { readonly state: SessionState; readonly position: number; readonly terminal: TerminalState };

function found(state: SessionState, terminalId: string): Found {
  const position = state.terminals.indexOf(terminalId);
  const known = position < 0 ? undefined : state.terminals.at(position);
  if (known !== undefined) return { state, position, terminal: known };
  const terminal: TerminalState = { terminalId, text: "", textBytes: 0, droppedBytes: 0, pendingBytes: NONE };
  const bytes = state.bytes + terminalBytes(terminal, state.limits.stateBytes);
  const next = withFewTerminals({ ...state, terminals: addTo(state.terminals, terminal), bytes });
  return { state: next, position: next.terminals.length - 1, terminal };
}

function withTerminal(
  state: SessionState,
  position: number,
  before: TerminalState,
  after: TerminalState,
): SessionState {
  if (before === after) return state;
  const most = state.limits.stateBytes;
  const bytes = state.bytes + terminalBytes(after, most) - terminalBytes(before, most);
  return { ...state, terminals: replaceIn(state.terminals, position, after), bytes };
}

/** Forgets the oldest quarter when there are too many, so that forgetting stays cheap. */
function withFewTerminals(state: SessionState): SessionState {
  if (state.terminals.length <= TERMINALS) return state;
  const most = state.limits.stateBytes;
  let { bytes } = state;
  const terminals = filtered(state.terminals, (terminal, position) => {
    const keep = position >= TERMINALS / 4;
    if (!keep) bytes -= terminalBytes(terminal, most);
    return keep;
  });
  return withAnomaly({ ...state, terminals, bytes }, `more than ${TERMINALS} terminals`);
}
