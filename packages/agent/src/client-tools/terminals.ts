import { createTerminalResponse, terminalOutputResponse, waitForTerminalExitResponse } from "@turnkit/schema/v1";
import type { Connection } from "@turnkit/transport";

/** A command to run in the client's environment. */
export type TerminalCommand = {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute; the session's folder unless said otherwise. */
  readonly cwd?: string;
  /** How much output the client is to keep, in bytes; the newest stays. */
  readonly outputByteLimit?: number;
};

/** How a command ended. */
export type TerminalExit = { readonly exitCode?: number | null; readonly signal?: string | null };

/** A terminal of the client. It is released at the end of its turn at the latest. */
export interface ClientTerminal extends AsyncDisposable {
  /** For a tool call's content: `{ type: "terminal", terminalId }`. */
  readonly terminalId: string;
  output(): Promise<{ readonly output: string; readonly truncated: boolean; readonly exitStatus?: TerminalExit | null }>;
  waitForExit(): Promise<TerminalExit>;
  /** Ends the command; its output stays readable. */
  kill(): Promise<void>;
  /** Ends the command and gives the terminal back; calling it again does nothing. */
  release(): Promise<void>;
}

/** Runs commands through the client. */
export interface ClientTerminals {
  /** Settles when the command was started. A cancelled turn kills and releases what it created. */
  create(command: TerminalCommand): Promise<ClientTerminal>;
}

/** Terminals through `terminal/*` of version 1. What was created is released when `over` fires (V1-TERM-15). */
export function createClientTerminals(
  connection: Connection,
  sessionId: string,
  signal: AbortSignal,
  over: AbortSignal,
): ClientTerminals {
  return {
    async create(command) {
      const { terminalId } = await connection.request(
        "terminal/create",
        { ...wireCommand(command), sessionId },
        { result: createTerminalResponse, signal },
      );
      const terminal = new RemoteTerminal(connection, { sessionId, terminalId }, signal);
      const release = () => void terminal.release().catch(() => undefined);
      if (over.aborted) release();
      else over.addEventListener("abort", release, { once: true });
      signal.addEventListener("abort", release, { once: true });
      return terminal;
    },
  };
}

class RemoteTerminal implements ClientTerminal {
  readonly terminalId: string;
  readonly #connection: Connection;
  readonly #names: { readonly sessionId: string; readonly terminalId: string };
  readonly #signal: AbortSignal;
  #released: Promise<void> | undefined;

  constructor(
    connection: Connection,
    names: { readonly sessionId: string; readonly terminalId: string },
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#names = names;
    this.#signal = signal;
    this.terminalId = names.terminalId;
  }

  output() {
    return this.#connection.request("terminal/output", this.#names, {
      result: terminalOutputResponse,
      signal: this.#signal,
      onAbort: "abandon",
    });
  }

  waitForExit() {
    return this.#connection.request("terminal/wait_for_exit", this.#names, {
      result: waitForTerminalExitResponse,
      signal: this.#signal,
      onAbort: "abandon",
    });
  }

  async kill(): Promise<void> {
    await this.#connection.request("terminal/kill", this.#names);
  }

  release(): Promise<void> {
    this.#released ??= this.#connection.request("terminal/release", this.#names).then(() => undefined);
    return this.#released;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }
}

function wireCommand({ env, ...command }: TerminalCommand): object {
  return env === undefined ? command : { ...command, env: Object.entries(env).map(([name, value]) => ({ name, value })) };
}
