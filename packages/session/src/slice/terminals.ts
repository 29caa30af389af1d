import { bytesOfBase64 } from "../base64.js";
import { type Draft, note } from "../draft.js";
import { patchedBy } from "../entity.js";
import type { SessionEvent, TerminalPatch } from "../event.js";
import type { Naming } from "../keyed.js";
import { kept } from "../patch.js";
import type { TerminalState } from "../state.js";
import { decodeUtf8, utf8Length, withoutFirstBytes } from "../utf8.js";
import { putListed } from "./listed.js";

/** Terminals are found by their id. */
export const terminalNaming: Naming<TerminalState> = { names: (terminal) => [terminal.terminalId] };

const NO_OUTPUT = { text: "", textBytes: 0, droppedBytes: 0, pendingBytes: [] as readonly number[] };

/** Patches a terminal; the first patch for an id makes it (V2-TERM-03). */
export function foldTerminal(draft: Draft, { output, ...patch }: TerminalPatch): void {
  const before = terminalOf(draft, patch.terminalId);
  const after = patchedBy(before, patch);
  if (output === undefined) putListed(draft, "terminals", patch.terminalId, after);
  else putOutput(draft, before, { ...after, ...NO_OUTPUT }, output === null ? "" : output.data);
}

/** Appends bytes (V2-TERM-05). */
export function foldTerminalOutput(
  draft: Draft,
  { terminalId, data }: SessionEvent & { type: "terminal_output_chunk" },
): void {
  const before = terminalOf(draft, terminalId);
  putOutput(draft, before, before, data);
}

const terminalOf = (draft: Draft, terminalId: string): TerminalState =>
  draft.terminals.get(terminalId) ?? { terminalId, ...NO_OUTPUT };

/** Adds bytes to a terminal. What is not base64 is left out and noted (V2-TERM-09). */
function putOutput(draft: Draft, before: TerminalState, terminal: TerminalState, data: unknown): void {
  const { terminalId } = terminal;
  const bytes = typeof data === "string" ? bytesOfBase64(data, terminal.pendingBytes) : undefined;
  if (bytes === undefined) {
    putListed(draft, "terminals", terminalId, before);
    note(draft, "terminal output is not base64", terminalId);
    return;
  }
  const { terminalBytes } = draft.limits;
  const { text: added, pending: pendingBytes } = decodeUtf8(bytes);
  const text = terminal.text + added;
  const textBytes = terminal.textBytes + utf8Length(added);
  // To three quarters: cutting a little off at every chunk would copy the whole text each time.
  const excess = textBytes <= terminalBytes ? 0 : textBytes - Math.floor((terminalBytes * 3) / 4);
  const cut = excess > 0 ? withoutFirstBytes(text, excess) : { text, dropped: 0 };
  const after = {
    ...terminal,
    text: cut.text,
    textBytes: textBytes - cut.dropped,
    droppedBytes: terminal.droppedBytes + cut.dropped,
    pendingBytes,
  };
  putListed(draft, "terminals", terminalId, kept(before, after));
}
