import type { ExitStatus, WireEvent } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import type { CancelOffers } from "./cancel-offers.js";

/** What a terminal shows from its beginning. */
export type AgentTerminalStart = {
  /** What runs in it, for people. */
  readonly command?: string;
  /** Absolute. */
  readonly cwd?: string;
  readonly size?: { readonly cols: number; readonly rows: number };
  /** Lets the user stop it; called at most once. Stop the process, then report its {@link AgentTerminal.exit}. */
  readonly onCancel?: () => void;
};

/**
 * A process of the agent, as a terminal that the client draws. Show it in a tool call:
 * `call.append({ type: "terminal", terminalId })`. It belongs to the session, so it may outlive its turn; its exit ends
 * no tool call. Version 1 and seed show its newest text in the tool calls that refer to it.
 */
export interface AgentTerminal {
  /** Unique in the session. */
  readonly terminalId: string;
  /** Adds output as it came, cut anywhere: bytes, or text. */
  write(output: Uint8Array | string): Room;
  /** It ended; nothing is written afterwards. */
  exit(status?: ExitStatus): Room;
}

/** What a terminal needs of its session. */
export type TerminalOwner = {
  newId(what: string): string;
  readonly cancels: CancelOffers;
  emit(event: WireEvent): Room;
};

/** Output of one update at most, in bytes. */
const CHUNK_BYTES = 64 * 1024;

/** Opens a terminal: from here on the client knows it. */
export function openAgentTerminal(owner: TerminalOwner, { onCancel, ...start }: AgentTerminalStart): AgentTerminal {
  const terminalId = owner.newId("terminal");
  if (onCancel !== undefined) owner.cancels.offer("terminal", terminalId, onCancel);
  const capabilities = onCancel === undefined ? {} : { capabilities: { cancel: {} } };
  owner.emit({ type: "terminal_update", terminalId, ...start, ...capabilities });
  let exited = false;
  return {
    terminalId,
    write(output) {
      if (exited) return undefined;
      const bytes = typeof output === "string" ? new TextEncoder().encode(output) : output;
      let room: Room;
      for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
        const data = base64(bytes.subarray(from, from + CHUNK_BYTES));
        room = owner.emit({ type: "terminal_output_chunk", terminalId, data }) ?? room;
      }
      return room;
    },
    exit(exitStatus = {}) {
      if (exited) return undefined;
      exited = true;
      const withdrawn = owner.cancels.withdraw("terminal", terminalId) ? { capabilities: null } : {};
      return owner.emit({ type: "terminal_update", terminalId, exitStatus, ...withdrawn });
    },
  };
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
