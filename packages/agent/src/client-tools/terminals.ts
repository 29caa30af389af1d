import { agentContract as contract } from "@turnkit/schema/v1";
import {
  type Connection,
  checkArgument,
  checkOptions,
  type OptionTypes,
  RequestAbortedError,
  refuseOption,
} from "@turnkit/transport";
import type { Lifetime } from "../cancellation.js";

/** Command that runs in the client's environment. */
export type TerminalCommand = {
  /** Program to run. Pass the program's arguments in `args`, because not every client accepts a whole command line here. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables that are added to the client's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute path of the folder in which the command runs. @defaultValue the session's folder */
  readonly cwd?: string;
  /** Maximum size of the output that the client holds, in bytes. The client drops the oldest output first. */
  readonly outputByteLimit?: number;
};

/** Exit of a command. Either the code or the signal is set. */
export type TerminalExit = { readonly exitCode?: number | null; readonly signal?: string | null };

/**
 * Terminal of the client. A cancel or the end of the turn releases the terminal.
 *
 * - Tool calls show the output of a released terminal.
 * - After the release by the turn, `output` and `waitForExit` reject with `AcpError` `aborted`.
 * - If the client refuses a request, the method rejects with the client's `RpcError`.
 */
export interface ClientTerminal extends AsyncDisposable {
  /** Id of the terminal. A tool call shows it with the content `{ type: "terminal", terminalId }`. */
  readonly terminalId: string;
  /** Returns the output so far, without waiting for the command. `exitStatus` is set once the command has ended. */
  output(): Promise<{
    readonly output: string;
    readonly truncated: boolean;
    readonly exitStatus?: TerminalExit | null;
  }>;
  /** Settles when the command has ended. */
  waitForExit(): Promise<TerminalExit>;
  /** Kills the command. The output can still be read. */
  kill(): Promise<void>;
  /** Kills the command and releases the terminal. Later calls do nothing. */
  release(): Promise<void>;
}

/** Terminals of the client, in which commands run. */
export interface ClientTerminals {
  /**
   * Starts a command and settles when the command runs. A cancel of the turn kills the command and releases the terminal.
   *
   * @throws TypeError for an unknown or misspelled member, and for arguments or variables of another type
   * @throws RpcError if the client cannot start the command
   * @throws AcpError `aborted` if the turn was cancelled or ended before the command ran; the command does not go on
   *   running
   */
  create(command: TerminalCommand): Promise<ClientTerminal>;
}

// V1-TERM-15
/** Returns terminals over `terminal/*` of version 1. All are released at the end of `lifetime`. */
export function createClientTerminals(connection: Connection, sessionId: string, lifetime: Lifetime): ClientTerminals {
  /** Functions that release the open terminals. They do not wait for the client. */
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
      checkCommand(command);
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
      // The turn ended before this request could be cancelled. The command must not go on running.
      letGo();
      throw new RequestAbortedError("terminal/create", signal.reason);
    },
  };
}

const COMMAND: OptionTypes<TerminalCommand> = {
  ...{ command: "string", args: "any", env: "any", cwd: "string", outputByteLimit: "number", _meta: "any" },
};

/**
 * @throws TypeError for a command with a member of the wrong type. The client could run another command, or run it in
 * another folder
 */
export function checkCommand(command: TerminalCommand): void {
  const { args = [], env = {} } = command ?? {};
  const check = (name: string, isSound: boolean, got: unknown, remedy: string): void =>
    checkArgument(isSound, `terminals.create${name}`, { got, remedy });
  check("", typeof command?.command === "string", command, 'pass a command such as { command: "npm", args: ["test"] }');
  const areTexts = Array.isArray(args) && args.every((one) => typeof one === "string");
  check(" args", areTexts, args, 'pass a list of texts such as ["-n", "hello"]');
  const isObject = typeof env === "object" && env !== null && !Array.isArray(env);
  check(" env", isObject, env, 'pass an object such as { CI: "1" }');
  checkOptions("terminals.create", command, COMMAND, { unknown: refuseOption });
}

function wireCommand({ env, ...command }: TerminalCommand): object {
  return env === undefined
    ? command
    : { ...command, env: Object.entries(env).map(([name, value]) => ({ name, value })) };
}
