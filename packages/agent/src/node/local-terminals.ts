import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { checkArgument, checkOptions, type OptionTypes, RequestAbortedError, withinGrace } from "@turnkit/transport";
import {
  ByteRing,
  childEnvironment,
  openRealFolder,
  type ProcessGroup,
  resolveRootedFolder,
  startProcess,
} from "@turnkit/transport/node";
import type { AgentTerminal } from "../agent-terminal.js";
import {
  type ClientTerminal,
  type ClientTerminals,
  checkCommand,
  type TerminalCommand,
  type TerminalExit,
} from "../client-tools/terminals.js";
import type { AgentSession } from "../session.js";

/** Options of {@link createLocalTerminals}. */
export type LocalTerminalsOptions = {
  /** Signal that ends every running command, usually the turn's signal. The session's signal always ends every command. */
  readonly signal?: AbortSignal;
  /**
   * Environment of every command. The `env` of a command overrides it. The default contains variables such as paths, and no
   * secrets such as API keys.
   *
   * @defaultValue `childEnvironment()`
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Maximum size of the output for `output()`, in bytes. A command's own limit cannot exceed this maximum. @defaultValue 1
   * MiB
   */
  readonly maxOutputBytes?: number;
  /** Time between SIGTERM and SIGKILL, in ms. @defaultValue 2_000 */
  readonly graceMs?: number;
};

/**
 * Longest wait for output after the exit of the command, in ms. A process that the command started may hold the pipe open.
 */
const AFTER_EXIT_MS = 250;

/**
 * Returns terminals of this machine with the methods of `turn.terminals`, for clients that offer no terminals. The client
 * shows them as terminals of the agent, with their output. The user can stop each terminal if the dialect allows that.
 *
 * - A command runs without a shell, in its own process group, with an empty stdin.
 * - `cwd` must be inside the session's roots. The command itself may access files outside of the roots.
 * - `kill` and `release` end the whole process group. Every command ends at the signal, with the session, and with this
 *   process.
 * - Bytes that are not UTF-8 are replaced in `output()`.
 *
 * `create` rejects with:
 *
 * - `AcpError` `spawn` for a command that does not start;
 * - `RpcError` `-32602` for a folder outside of the roots;
 * - `AcpError` `aborted` after the signal.
 *
 * @example
 * const terminals = turn.terminals ?? createLocalTerminals(turn.session, { signal: turn.signal });
 */
export function createLocalTerminals(
  session: Pick<AgentSession<unknown>, "cwd" | "roots" | "signal" | "terminal">,
  options: LocalTerminalsOptions = {},
): ClientTerminals {
  checkArgument(typeof session?.terminal === "function", "createLocalTerminals", {
    ...{ got: session, remedy: "pass turn.session" },
  });
  checkOptions("createLocalTerminals", options, NAMES);
  const { signal: stopping } = options as { readonly signal?: Partial<AbortSignal> };
  checkArgument(
    stopping === undefined || typeof stopping?.addEventListener === "function",
    "createLocalTerminals signal",
    {
      ...{ got: stopping, remedy: "pass turn.signal" },
    },
  );
  const { maxOutputBytes = 1024 * 1024, graceMs = 2000 } = options;
  const signal = options.signal ? AbortSignal.any([session.signal, options.signal]) : session.signal;
  return {
    async create(command) {
      checkCommand(command);
      const { command: program, args = [], env, outputByteLimit = maxOutputBytes } = command;
      const cwd = await resolveRootedFolder(command.cwd ?? session.cwd, session.roots);
      if (signal.aborted) throw new RequestAbortedError(program, signal.reason);
      // If a link replaces the folder, the command does not start at the target of the link. A short command loses its
      // output if its streams are read later than its exit, so nothing waits for the close.
      const folder = await openRealFolder(cwd);
      const group = await startProcess([program, ...args], {
        cwd: folder.prefix,
        env: { ...(options.env ?? childEnvironment()), ...env },
        stdin: false,
      }).finally(() => void folder.close());
      if (signal.aborted) {
        void group.terminate(graceMs);
        throw new RequestAbortedError(program, signal.reason);
      }
      const shown = session.terminal({
        command: lineOf(command),
        cwd,
        onCancel: () => void group.terminate(graceMs),
      });
      const limit = Math.min(outputByteLimit, maxOutputBytes);
      return new LocalTerminal(group, shown, { ring: new ByteRing(limit), graceMs, signal });
    },
  };
}

const NAMES: OptionTypes<LocalTerminalsOptions> = {
  ...{ signal: "any", env: "any", maxOutputBytes: "number", graceMs: "number" },
};

type LocalParts = { readonly ring: ByteRing; readonly graceMs: number; readonly signal: AbortSignal };

class LocalTerminal implements ClientTerminal {
  readonly #group: ProcessGroup;
  readonly #shown: AgentTerminal;
  readonly #ring: ByteRing;
  readonly #graceMs: number;
  readonly #ended: Promise<TerminalExit>;
  #exit: TerminalExit | undefined;

  constructor(group: ProcessGroup, shown: AgentTerminal, { ring, graceMs, signal }: LocalParts) {
    this.#group = group;
    this.#shown = shown;
    this.#ring = ring;
    this.#graceMs = graceMs;
    const { stdout, stderr } = group.child;
    const complete = Promise.all([this.#collect(stdout as Readable), this.#collect(stderr as Readable)]);
    const stop = () => void this.release();
    signal.addEventListener("abort", stop, { once: true });
    // The listener stays after the exit of the command, because other processes of its group must end at the signal.
    void group.gone.then(() => signal.removeEventListener("abort", stop));
    this.#ended = group.exited.then(async (exit) => {
      await withinGrace(complete, AFTER_EXIT_MS);
      this.#exit = exit;
      shown.exit(exit);
      return exit;
    });
  }

  get terminalId(): string {
    return this.#shown.terminalId;
  }

  async output() {
    const exit = this.#exit;
    return {
      output: this.#ring.text(),
      truncated: this.#ring.truncated,
      ...(exit === undefined ? {} : { exitStatus: exit }),
    };
  }

  waitForExit(): Promise<TerminalExit> {
    return this.#ended;
  }

  async kill(): Promise<void> {
    await this.#group.terminate(this.#graceMs);
    await this.#ended;
  }

  async release(): Promise<void> {
    await this.kill();
    this.#group.child.stdout?.destroy();
    this.#group.child.stderr?.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  #collect(stream: Readable): Promise<void> {
    // Each stream has its own decoder, because a cut character of one stream must not absorb bytes of the other.
    const decoder = new StringDecoder("utf8");
    const keep = (text: string) => this.#ring.append(Buffer.from(text));
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => {
      keep(decoder.write(chunk));
      // The promise is not awaited, because a slow client must not block the command. This client gets the newest
      // output later.
      void this.#shown.write(chunk);
    });
    return new Promise((resolve) => {
      stream.once("end", () => keep(decoder.end()));
      stream.once("close", resolve);
    });
  }
}

/** Returns a command line to show to people, with quotes where a shell needs them. */
function lineOf({ command, args = [] }: TerminalCommand): string {
  const quote = (word: string) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  return [command, ...args].map(quote).join(" ");
}
