import type { ExitStatus } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { CancellableWork } from "./cancellable-work.js";
import { CutText } from "./cut-text.js";
import { type OutputOwner, TerminalOutput } from "./terminal-output.js";

/** Start of a terminal. */
export type AgentTerminalStart = {
  /** Command line to show to the user. */
  readonly command?: string;
  /** Absolute path. */
  readonly cwd?: string;
  readonly size?: { readonly cols: number; readonly rows: number };
  /**
   * Called at most once, when the user stops the process. Stop the process, then report the end with {@link
   * AgentTerminal.exit}.
   */
  readonly onCancel?: () => void;
};

/**
 * Process of the agent that the client draws as a terminal.
 *
 * - `call.append({ type: "terminal", terminalId })` shows the terminal in a tool call.
 * - The terminal belongs to the session, so it may outlive its turn. The exit of the process ends no tool call.
 * - Version 1 and seed have no such terminals. Their clients see the newest output as text in the tool calls that show the
 *   terminal.
 */
export interface AgentTerminal {
  /** Id of the terminal, unique in the session. */
  readonly terminalId: string;
  /**
   * Adds output as bytes or text. The output may be cut at any byte. Never throws: output that cannot be stored is
   * dropped and reported.
   *
   * - Output is sent when 64 KiB are collected, after 50 ms, or before the next update of the session.
   * - While the client does not read, only the newest 256 KiB wait. A snapshot of these bytes is sent later. To lose no
   *   output, wait for the returned promise before the next call.
   * - While the client does not know the session yet, the newest 256 KiB wait, and no promise is returned.
   */
  write(output: Uint8Array | string): Room;
  /** Reports the exit of the process. Later calls do nothing. */
  exit(status?: ExitStatus): Room;
}

/** Members of a session that its terminals use. */
export type TerminalOwner = {
  readonly output: OutputOwner & { newId(what: string): string };
  readonly cancellable: CancellableWork;
  /** True if new terminals send nothing. */
  readonly isOver?: boolean;
};

/** Opens a terminal and reports it to the client. */
export function openAgentTerminal(
  { output: owner, cancellable, isOver = false }: TerminalOwner,
  { onCancel, ...start }: AgentTerminalStart,
): AgentTerminal {
  const terminalId = owner.newId("terminal");
  if (!isOver) {
    if (onCancel !== undefined) cancellable.add("terminal", terminalId, onCancel);
    const capabilities = onCancel === undefined ? {} : { capabilities: { cancel: {} } };
    owner.emit({ type: "terminal_update", terminalId, ...start, ...capabilities });
  }
  const waiting = new TerminalOutput(owner, terminalId);
  const text = new CutText();
  const encode = (piece: string): Uint8Array => new TextEncoder().encode(piece);
  let exited = isOver;
  return {
    terminalId,
    write(output) {
      if (exited) return undefined;
      if (typeof output === "string") return waiting.write(encode(text.take(output)));
      if (text.isCut) waiting.write(encode(text.end()));
      return waiting.write(output);
    },
    exit(exitStatus = {}) {
      if (exited) return undefined;
      exited = true;
      if (text.isCut) waiting.write(encode(text.end()));
      const withdrawn = cancellable.remove("terminal", terminalId) ? { capabilities: null } : {};
      return waiting.end({ type: "terminal_update", exitStatus, ...withdrawn });
    },
  };
}
