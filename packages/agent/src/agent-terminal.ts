import type { ExitStatus } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { CancellableWork } from "./cancellable-work.js";
import { CutText } from "./cut-text.js";
import { type OutputOwner, TerminalOutput } from "./terminal-output.js";

/** Start of a terminal. */
export type AgentTerminalStart = {
  /** Command line, for people. */
  readonly command?: string;
  /** Absolute path. */
  readonly cwd?: string;
  readonly size?: { readonly cols: number; readonly rows: number };
  /** Stops the process for the user, who may do so at most once. Then report its {@link AgentTerminal.exit}. */
  readonly onCancel?: () => void;
};

/**
 * Process of the agent, as a terminal that the client draws. Show it in a tool call by
 * `call.append({ type: "terminal", terminalId })`. It belongs to the session and may outlive its turn; its exit ends no tool
 * call. Version 1 and seed show its newest text in the tool calls that refer to it.
 */
export interface AgentTerminal {
  /** Unique in the session. */
  readonly terminalId: string;
  /**
   * Adds output: bytes or text, cut anywhere. It is sent at 64 KiB, after 50 ms, or before the next update of the session. A
   * client that does not read, or does not know the session yet, gets the newest 256 KiB as a snapshot later, unless you wait
   * for room. Never throws: output that cannot be stored is dropped and reported.
   */
  write(output: Uint8Array | string): Room;
  /** Reports the exit. Later calls do nothing. */
  exit(status?: ExitStatus): Room;
}

/** Members of a session that its terminals use. */
export type TerminalOwner = {
  readonly output: OutputOwner & { newId(what: string): string };
  readonly cancellable: CancellableWork;
};

/** Opens a terminal and reports it to the client. */
export function openAgentTerminal(
  { output: owner, cancellable }: TerminalOwner,
  { onCancel, ...start }: AgentTerminalStart,
): AgentTerminal {
  const terminalId = owner.newId("terminal");
  if (onCancel !== undefined) cancellable.add("terminal", terminalId, onCancel);
  const capabilities = onCancel === undefined ? {} : { capabilities: { cancel: {} } };
  owner.emit({ type: "terminal_update", terminalId, ...start, ...capabilities });
  const waiting = new TerminalOutput(owner, terminalId);
  const text = new CutText();
  const encode = (piece: string): Uint8Array => new TextEncoder().encode(piece);
  let exited = false;
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
