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
  /** Functions that release the open terminals, without waiting. */
  const open = new Set<() => void>();
  const letGo = (): void => {
    for (const release of open) release();
  };
  let watched = false;

  function openTerminal(terminalId: string): ClientTerminal {
    const names = { sessionId, terminalId };
    const options = { signal: lifetime.signal, onAbort: "abandon" } as const;
    let released: Promise<void> | undefined;
    const release = (): Promise<void> => {
      open.delete(releaseSoon);
      released ??= connection.request("terminal/release", names).then(() => undefined);
      return released;
    };
    const releaseSoon = (): void => void release().catch(() => undefined);
    open.add(releaseSoon);
    return {
      terminalId,
      output: () =>
        connection.request("terminal/output", names, { result: contract["terminal/output"].result, ...options }),
      waitForExit: () =>
        connection.request("terminal/wait_for_exit", names, {
          result: contract["terminal/wait_for_exit"].result,
          ...options,
        }),
      kill: async () => void (await connection.request("terminal/kill", names)),
      release,
      [Symbol.asyncDispose]: release,
    };
  }

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
      const terminal = openTerminal(terminalId);
      if (!signal.aborted) return terminal;
      // The request could not be cancelled in time: the command must not run on.
      letGo();
      throw new RequestAbortedError("terminal/create", signal.reason);
    },
  };
}

function wireCommand({ env, ...command }: TerminalCommand): object {
  return env === undefined
    ? command
    : { ...command, env: Object.entries(env).map(([name, value]) => ({ name, value })) };
}
