import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { RequestAbortedError } from "@turnkit/transport";
import {
  ByteRing,
  childEnvironment,
  type ProcessGroup,
  resolveRootedFolder,
  startProcess,
} from "@turnkit/transport/node";
import type { AgentTerminal } from "../agent-terminal.js";
import type { ClientTerminal, ClientTerminals, TerminalCommand, TerminalExit } from "../client-tools/terminals.js";
import type { AgentSession } from "../session.js";

/** How {@link createLocalTerminals} runs commands. */
export type LocalTerminalsOptions = {
  /** Ends every command that is still running; the session's own signal does so in any case. Give the turn's. */
  readonly signal?: AbortSignal;
  /**
   * What a command's own `env` is laid over. Unless given, `childEnvironment()`: where things are, and no secrets, such as
   * the keys of models.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The most output that is kept for `output()`, in bytes, whatever the command asks for; 1 MiB unless said otherwise. */
  readonly maxOutputBytes?: number;
  /** How long SIGTERM may take to work before SIGKILL, in milliseconds; 2 000 unless said otherwise. */
  readonly graceMs?: number;
};

/** How long output may outlive its command, in milliseconds: something that it left running may hold the pipe. */
const AFTER_EXIT_MS = 250;

/**
 * Commands of this machine behind the interface of `turn.terminals`, for clients that offer none: the client sees them as
 * terminals of the agent, with their output as it comes, and can stop each where its dialect has a way to say so.
 *
 * A command runs directly, without a shell, in a process group of its own, with stdin at its end; `cwd` must be inside the
 * session's roots, but what runs there is not confined. `kill` ends the whole group, `release` too; none outlives the
 * signal, the session or this process. Bytes that are no UTF-8 are replaced in `output()`.
 *
 * `create` rejects with `AcpError` `spawn` for what cannot be started, `RpcError` `-32602` for a folder outside, and
 * `AcpError` `aborted` after the signal.
 *
 * @example
 * const terminals = turn.terminals ?? createLocalTerminals(turn.session, { signal: turn.signal });
 */
export function createLocalTerminals(
  session: Pick<AgentSession<unknown>, "cwd" | "roots" | "signal" | "terminal">,
  options: LocalTerminalsOptions = {},
): ClientTerminals {
  const { maxOutputBytes = 1024 * 1024, graceMs = 2000 } = options;
  const signal = options.signal ? AbortSignal.any([session.signal, options.signal]) : session.signal;
  return {
    async create(command) {
      const { command: program, args = [], env, outputByteLimit = maxOutputBytes } = command;
      const cwd = await resolveRootedFolder(command.cwd ?? session.cwd, session.roots);
      if (signal.aborted) throw new RequestAbortedError(program, signal.reason);
      const group = await startProcess([program, ...args], {
        cwd,
        env: { ...(options.env ?? childEnvironment()), ...env },
        stdin: false,
      });
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
    // Not at the exit: what it left running in its group must not outlive the signal.
    void group.gone.then(() => signal.removeEventListener("abort", stop));
    this.#ended = group.exited.then(async (exit) => {
      await within(complete, AFTER_EXIT_MS);
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
    // One decoder for each stream: a character that is cut in one must not swallow bytes of the other.
    const decoder = new StringDecoder("utf8");
    const keep = (text: string) => this.#ring.append(Buffer.from(text));
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => {
      keep(decoder.write(chunk));
      // Not awaited: a client that does not read gets the newest output later, and the command is not held up.
      void this.#shown.write(chunk);
    });
    return new Promise((resolve) => {
      stream.once("end", () => keep(decoder.end()));
      stream.once("close", resolve);
    });
  }
}

/** The command for people; words that a shell would read otherwise are quoted. */
function lineOf({ command, args = [] }: TerminalCommand): string {
  const quote = (word: string) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  return [command, ...args].map(quote).join(" ");
}

async function within(event: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([event, late]);
  clearTimeout(timer);
}
