import { agentContract as contract } from "@turnkit/schema/v1";
import { type Connection, RequestAbortedError } from "@turnkit/transport";
import type { Lifetime } from "../driver/driver.js";

/** A command to run in the client's environment. */
export type TerminalCommand = {
  /** A program. Whether a whole command line is understood depends on the client: give `args`. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the client's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute; the session's folder unless said otherwise. */
  readonly cwd?: string;
  /** How much output the client is to keep, in bytes; the newest stays. */
  readonly outputByteLimit?: number;
};

/** How a command ended: with a code, or by a signal. */
export type TerminalExit = { readonly exitCode?: number | null; readonly signal?: string | null };

/**
 * A terminal of the client. It is released when its turn is cancelled or ends, at the latest; what a tool call shows of it
 * stays visible. Every method rejects with the client's `RpcError`, or with `AcpError` `aborted` after that moment.
 */
export interface ClientTerminal extends AsyncDisposable {
  /** For a tool call's content: `{ type: "terminal", terminalId }`. */
  readonly terminalId: string;
  /** What it wrote so far, at once. `exitStatus` is there when the command has ended. */
  output(): Promise<{
    readonly output: string;
    readonly truncated: boolean;
    readonly exitStatus?: TerminalExit | null;
  }>;
  /** Settles when the command ended; several may wait. */
  waitForExit(): Promise<TerminalExit>;
  /** Ends the command; its output stays readable. */
  kill(): Promise<void>;
  /** Ends the command and gives the terminal back; calling it again does nothing. */
  release(): Promise<void>;
}

/** Runs commands through the client. */
export interface ClientTerminals {
  /**
   * Settles when the command was started. A cancelled turn kills and releases what it created.
   *
   * @throws RpcError if the client cannot start it
   * @throws AcpError `aborted` if the turn was cancelled or ended meanwhile; nothing is left running then
   */
  create(command: TerminalCommand): Promise<ClientTerminal>;
}

/** Terminals through `terminal/*` of version 1. What was created is released at the end of its time (V1-TERM-15). */
export function createClientTerminals(connection: Connection, sessionId: string, lifetime: Lifetime): ClientTerminals {
  const open = new Set<RemoteTerminal>();
  const letGo = (): void => {
    for (const terminal of open) terminal.letGo();
  };
  let watched = false;
  return {
    async create(command) {
      const { signal } = lifetime;
      if (!watched) signal.addEventListener("abort", letGo, { once: true });
      watched = true;
      const params = { ...wireCommand(command), sessionId };
      const { terminalId } = await connection.request("terminal/create", params, {
        result: contract["terminal/create"].result,
        signal,
      });
      const terminal = new RemoteTerminal(connection, { sessionId, terminalId }, { signal, open });
      if (!signal.aborted) return terminal;
      // It was too late to call it off: nobody must be left with a command that runs on.
      terminal.letGo();
      throw new RequestAbortedError("terminal/create", signal.reason);
    },
  };
}

class RemoteTerminal implements ClientTerminal {
  readonly terminalId: string;
  readonly #connection: Connection;
  readonly #names: { readonly sessionId: string; readonly terminalId: string };
  readonly #signal: AbortSignal;
  readonly #open: Set<RemoteTerminal>;
  #released: Promise<void> | undefined;

  constructor(
    connection: Connection,
    names: { readonly sessionId: string; readonly terminalId: string },
    { signal, open }: { readonly signal: AbortSignal; readonly open: Set<RemoteTerminal> },
  ) {
    this.#connection = connection;
    this.#names = names;
    this.#signal = signal;
    this.#open = open;
    this.terminalId = names.terminalId;
    open.add(this);
  }

  output() {
    return this.#connection.request("terminal/output", this.#names, {
      result: contract["terminal/output"].result,
      signal: this.#signal,
      onAbort: "abandon",
    });
  }

  waitForExit() {
    return this.#connection.request("terminal/wait_for_exit", this.#names, {
      result: contract["terminal/wait_for_exit"].result,
      signal: this.#signal,
      onAbort: "abandon",
    });
  }

  async kill(): Promise<void> {
    await this.#connection.request("terminal/kill", this.#names);
  }

  release(): Promise<void> {
    this.#open.delete(this);
    this.#released ??= this.#connection.request("terminal/release", this.#names).then(() => undefined);
    return this.#released;
  }

  /** Released by the runtime: nobody waits for it. */
  letGo(): void {
    this.release().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }
}

function wireCommand({ env, ...command }: TerminalCommand): object {
  return env === undefined
    ? command
    : { ...command, env: Object.entries(env).map(([name, value]) => ({ name, value })) };
}
