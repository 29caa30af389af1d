import { agentContract as contract } from "@turnkit/schema/v1";
import { type Connection, RequestAbortedError } from "@turnkit/transport";
import type { Lifetime } from "../cancellation.js";

/** Command that runs in the client's environment. */
export type TerminalCommand = {
  /** Program. Pass its arguments as `args`: not every client takes a whole command line. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables in addition to the client's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute path. @defaultValue the session's folder */
  readonly cwd?: string;
  /** Most output that the client keeps, in bytes. The newest stays. */
  readonly outputByteLimit?: number;
};

/** Exit of a command: a code or a signal. */
export type TerminalExit = { readonly exitCode?: number | null; readonly signal?: string | null };

/**
 * Terminal of the client. It is released at the latest when its turn is cancelled or ends; tool calls still show its output.
 * From then on `output` and `waitForExit` reject with `AcpError` `aborted`. Every method rejects with the client's `RpcError`.
 */
export interface ClientTerminal extends AsyncDisposable {
  /** Id for the content of a tool call: `{ type: "terminal", terminalId }`. */
  readonly terminalId: string;
  /** Returns the output so far, without waiting. `exitStatus` is set once the command has ended. */
  output(): Promise<{
    readonly output: string;
    readonly truncated: boolean;
    readonly exitStatus?: TerminalExit | null;
  }>;
  /** Settles when the command has ended. */
  waitForExit(): Promise<TerminalExit>;
  /** Kills the command. Its output stays readable. */
  kill(): Promise<void>;
  /** Kills the command and releases the terminal. A repeated call does nothing. */
  release(): Promise<void>;
}

/** Terminals of the client, in which commands run. */
export interface ClientTerminals {
  /**
   * Starts a command. Settles when it runs. A cancel of the turn kills it and releases the terminal.
   *
   * @throws RpcError if the client cannot start it
   * @throws AcpError `aborted` if the turn was cancelled or ended meanwhile; nothing runs on then
   */
  create(command: TerminalCommand): Promise<ClientTerminal>;
}

// V1-TERM-15
/** Returns terminals over `terminal/*` of version 1. All are released at the end of `lifetime`. */
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
      // The request could not be cancelled in time: the command must not run on.
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

  /** Releases the terminal without waiting. */
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
