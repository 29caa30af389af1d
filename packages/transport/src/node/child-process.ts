import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Channel, CloseReason, Message, Receiver, Room } from "../channel.js";
import { allLimits, checkLimits } from "../channels/message-size.js";
import { checkOptions, type OptionTypes } from "../check-options.js";
import { isSecretName, redactText } from "../trace/redact.js";
import { MAX_TIMER_MS, withinGrace } from "../waiting.js";
import { ByteRing } from "./byte-ring.js";
import { childEnvironment, type Environment, type ProgramOptions } from "./child-environment.js";
import { type ProcessExit, type ProcessGroup, startProcess } from "./process-group.js";
import { createStdioChannel, type StdioChannel, type StdioLimits } from "./stdio.js";

/** Options of a launched process. */
export type SpawnChannelOptions = Omit<ProgramOptions, "env"> & {
  /**
   * Complete environment of the process.
   *
   * @defaultValue `childEnvironment()`: locations and settings, without the secrets of this process
   */
  readonly env?: Environment;
  /**
   * Number of bytes of stderr that are stored. The oldest bytes are dropped first.
   *
   * @defaultValue 16 KiB
   */
  readonly stderrBytes?: number;
  /**
   * Receives the raw text that the process writes to stderr. Remove control sequences before the text goes to a
   * terminal.
   */
  readonly onStderr?: (text: string) => void;
  /**
   * Time that the process has to exit, in milliseconds: first after the end of its stdin, then again after SIGTERM.
   *
   * @defaultValue 2 000
   */
  readonly graceMs?: number;
  readonly limits?: StdioLimits;
};

/** Channel to a process that this side has launched. `await using` closes the channel, and ends the process. */
export interface ChildChannel extends Channel, AsyncDisposable {
  readonly pid: number;
  /** Returns the last lines of stderr, without control sequences and without secrets. */
  stderr(): string;
}

/** Time to read output after the process has exited, in milliseconds. A child of the process may keep the pipe open. */
const afterExitMs = 250;

/** Longest wait after SIGTERM for processes that remain after the launched process has ended, in milliseconds. */
const restMs = 2000;

/**
 * Launches a program, and opens a channel over its stdin and stdout. The program runs without a shell, in its own
 * process group.
 *
 * - `close` ends stdin. It then sends SIGTERM, and at last SIGKILL, to the process, its group, and the groups that it
 *   made for its commands. It settles when these groups are empty, at the latest after about `3 * graceMs + 1 s`.
 * - `closed` settles after the exit of the process. The reason contains the exit code or the signal, and the last lines
 *   of stderr.
 * - If the process ends by itself, all its output is delivered, and then the rest of its group is ended.
 * - The process never outlives this process, even if this process is killed.
 *
 * @throws SpawnError if the program cannot be started. The message contains a remedy.
 * @throws TypeError for an option of another type
 *
 * @example
 * const channel = await spawnChannel(["my-agent", "--acp"], { cwd: "/work" });
 * channel.start({ message: (message) => handle(message), invalidLine: (line) => report(line) });
 */
export async function spawnChannel(
  command: readonly [string, ...string[]],
  options: SpawnChannelOptions = {},
): Promise<ChildChannel> {
  checkOptions("spawnChannel", options, NAMES);
  checkLimits("spawnChannel", options.limits);
  const { cwd, env = childEnvironment(), ...rest } = options;
  const group = await startProcess(command, { cwd, env, stdin: true });
  return new ProcessChannel(command[0], group, { ...rest, env: { ...env } });
}

const NAMES: OptionTypes<SpawnChannelOptions> = {
  ...{ cwd: "string", env: "any", stderrBytes: "number", onStderr: "function", graceMs: "number", limits: "any" },
};

type ProcessOptions = Omit<SpawnChannelOptions, "cwd" | "env"> & {
  /** Environment of the process, whose secrets are removed from its stderr. */
  readonly env: Environment;
};

/** The {@link ChildChannel} of a running process. */
export class ProcessChannel implements ChildChannel {
  readonly closed: Promise<CloseReason>;
  readonly pid: number;
  readonly #name: string;
  readonly #group: ProcessGroup;
  readonly #pipe: StdioChannel;
  readonly #graceMs: number;
  readonly #stderr: ByteRing;
  readonly #stderrEnded: Promise<unknown>;
  readonly #env: Environment;

  constructor(name: string, group: ProcessGroup, options: ProcessOptions) {
    this.#name = name;
    this.#env = options.env;
    this.#group = group;
    this.pid = group.pid;
    this.#graceMs = Math.min(options.graceMs ?? 2000, MAX_TIMER_MS);
    this.#stderr = new ByteRing(options.stderrBytes ?? 16 * 1024);
    const { stdin, stdout, stderr } = group.child;
    this.#pipe = createStdioChannel({
      input: stdout as Readable,
      output: stdin as Writable,
      limits: allLimits(options.limits),
      flushMs: this.#graceMs,
    });
    this.#stderrEnded = this.#drain(stderr as Readable, options.onStderr);
    void group.exited.then((exit) => this.#pipe.expectEnd(this.#died(exit), afterExitMs));
    this.closed = this.#pipe.closed.then((reason) => this.#ended(reason));
  }

  start(receiver: Receiver): void {
    this.#pipe.start(receiver);
  }

  send(message: Message): Room {
    return this.#pipe.send(message);
  }

  pause(): void {
    this.#pipe.pause();
  }

  resume(): void {
    this.#pipe.resume();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(reason?: CloseReason): Promise<void> {
    const message = `This side closed the connection to the process ${this.#name} (pid ${this.pid}).`;
    this.#group.note();
    void this.#pipe.close(reason ?? { kind: "local", message });
    await this.closed;
    await this.#endRest();
  }

  stderr(): string {
    const text = this.#stderr.text();
    // Most processes write nothing. The names of an environment take some milliseconds to check.
    if (text === "") return "";
    return redactText(printable(this.#stderr.truncated ? withoutCutLine(text) : text), secretsIn(this.#env));
  }

  #drain(stream: Readable, onText: ((text: string) => void) | undefined): Promise<unknown> {
    const decoder = new StringDecoder("utf8");
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => {
      const text = decoder.write(chunk);
      this.#stderr.append(Buffer.from(text));
      if (text !== "") onText?.(text);
    });
    return new Promise((resolve) => stream.once("close", resolve));
  }

  /** Ends the process after its pipe has ended. Returns the reason, with the exit of the process. */
  async #ended(reason: CloseReason): Promise<CloseReason> {
    if (reason.kind !== "local") this.#group.note();
    // After a local close, the process gets `graceMs` to react to the end of its stdin. In all other cases, it has
    // closed its stdout, broken the framing or stopped reading, so it is about to exit or faulty.
    const exited = await withinGrace(this.#group.exited, reason.kind === "local" ? this.#graceMs : afterExitMs);
    if (!exited) await this.#group.terminate(this.#graceMs);
    const status = await this.#group.exited;
    await withinGrace(this.#stderrEnded, afterExitMs);
    void this.#endRest();
    const byItself = reason.kind === "remote" || reason.kind === "failed" || reason.kind === "exit";
    return { ...(byItself ? this.#died(status) : { ...reason, ...status }), ...this.#lastLines() };
  }

  /** Ends the remaining processes of the group. */
  #endRest(): Promise<void> {
    return this.#group.terminate(Math.min(this.#graceMs, restMs));
  }

  #died(exit: ProcessExit): CloseReason {
    const how = exit.signal ? `was ended by ${exit.signal}` : `exited with code ${exit.exitCode}`;
    return { kind: "exit", message: `${this.#name} ${how}.`, ...exit };
  }

  #lastLines(): { stderr?: string } {
    const stderr = this.stderr();
    return stderr === "" ? {} : { stderr };
  }
}

/**
 * Returns the secret values of an environment. The process may print them on stderr, which is part of error messages.
 */
function secretsIn(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= 8 && isSecretName(name) ? value : [],
  );
}

/**
 * Returns a text without its first line. If there is only one line, the first word is removed instead. The beginning of
 * a secret may have been cut off, and the rest of a secret cannot be recognised.
 */
function withoutCutLine(text: string): string {
  return text.replace(/^(?:[^\n]*\n|\S*\s)(?=[\s\S])/, "");
}

/**
 * Control sequences of terminals: those with parameters, those with a text up to its end, and short ones.
 * `stripVTControlCharacters` would do the same, but the import of `node:util` takes up to 14 ms.
 */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

/** Returns a text without control sequences. Such sequences could control the terminal that shows an error. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here
  return text.replace(SEQUENCES, "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
