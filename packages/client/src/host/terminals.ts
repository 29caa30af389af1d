import type { HostSession } from "./files.js";

type Awaitable<T> = T | Promise<T>;

/** A command that an agent wants to run in the client's environment. */
export type CreateTerminal = {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  /** Absolute; the session's folder unless said otherwise. */
  readonly cwd?: string | null;
  /** The agent's wish for how much output to keep, in bytes; the host may keep less. */
  readonly outputByteLimit?: number | null;
};

/** How a command ended: a code, or the signal that killed it. */
export type TerminalExit = { readonly exitCode: number | null; readonly signal: string | null };

/** A command that was started. */
export interface HostTerminal {
  /** The newest output, stdout and stderr as they came, cut at a character border. */
  output(): { readonly output: string; readonly truncated: boolean; readonly exitStatus?: TerminalExit };
  /** Settles when the command has ended and its output is complete; never rejects. */
  readonly exited: Promise<TerminalExit>;
  /** Ends the command and everything it started; output stays readable. */
  kill(): Awaitable<void>;
  /** Kills, and frees everything. Called once. */
  release(): Awaitable<void>;
  /** Bytes as they come, for live display. Returns the unsubscribe function. */
  onData(listener: (bytes: Uint8Array) => void): () => void;
}

/** Runs commands for an agent (version 1 only). Present means advertised. */
export interface TerminalHost {
  /** Answers as soon as the command runs. Throws an `RpcError` if it cannot start. */
  create(request: CreateTerminal, session: HostSession): Awaitable<HostTerminal>;
}
