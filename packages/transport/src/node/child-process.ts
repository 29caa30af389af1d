import { Buffer } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import type { Channel, CloseReason, Receiver, Room } from "../channel.js";
import { MAX_TIMER_MS, withinGrace } from "../grace.js";
import type { Message } from "../message.js";
import { isSecretName, redactText } from "../trace/redact.js";
import { ByteRing } from "./byte-ring.js";
import { type ProcessExit, type ProcessGroup, startProcess } from "./process-group.js";
import { createStdioChannel, type StdioChannel, type StdioLimits } from "./stdio.js";

/** How to launch a peer. */
export type SpawnChannelOptions = {
  /** The folder of this process unless said otherwise. */
  readonly cwd?: string;
  /** The whole environment; that of this process unless said otherwise. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How many of the newest bytes of stderr to keep. 16 KiB unless said otherwise. */
  readonly stderrBytes?: number;
  /** Told what the peer writes to stderr, as it comes and as it is: clean it before it meets a terminal. */
  readonly onStderr?: (text: string) => void;
  /** How long the end of stdin, and then SIGTERM, may take to work, in milliseconds. 2 000 unless said otherwise. */
  readonly graceMs?: number;
  readonly limits?: StdioLimits;
};

/** A channel to a process that this side launched. */
export interface ChildChannel extends Channel {
  readonly pid: number;
  /** The last lines that the process wrote to stderr, without control sequences, and without what looks like a secret. */
  stderr(): string;
}

/** How long the output of a process may outlive it, in milliseconds: somebody that it started may hold the pipe. */
const afterExitMs = 250;

/** Longest time after SIGTERM for processes that an ended process left behind, in milliseconds. */
const restMs = 2000;

/**
 * Launches a program and talks to it over its stdin and stdout, without a shell and in a process group of its own.
 *
 * `close` ends its stdin, then sends SIGTERM and at last SIGKILL to the process, to its group and to the groups that it
 * made for what it runs. However the channel ends, it is `closed` only when the process has exited, and the reason then
 * holds its exit code, its signal and its last lines of stderr. `close` settles when nobody lives in these groups either:
 * about `3 * graceMs + 1 s` after the call at the latest. When the process dies by itself, everything that it wrote is
 * delivered first, and its group is ended. It never outlives this process, not even if this process is killed.
 *
 * @throws SpawnError if the program cannot be started; the message says what to do.
 *
 * @example
 * const channel = await spawnChannel(["my-agent", "--acp"], { cwd: "/work" });
 * channel.start({ message: (message) => handle(message), invalidLine: (line) => report(line) });
 */
export async function spawnChannel(
  command: readonly [string, ...string[]],
  options: SpawnChannelOptions = {},
): Promise<ChildChannel> {
  const { cwd, env, ...rest } = options;
  const group = await startProcess(command, { cwd, env, stdin: true });
  return new ProcessChannel(command[0], group, { ...rest, secrets: secretsIn(env ?? process.env) });
}

type ProcessOptions = Omit<SpawnChannelOptions, "cwd" | "env"> & { readonly secrets: readonly string[] };

/** {@link ChildChannel} over a process that runs. */
export class ProcessChannel implements ChildChannel {
  readonly closed: Promise<CloseReason>;
  readonly pid: number;
  readonly #name: string;
  readonly #group: ProcessGroup;
  readonly #pipe: StdioChannel;
  readonly #graceMs: number;
  readonly #stderr: ByteRing;
  readonly #stderrEnded: Promise<unknown>;
  readonly #secrets: readonly string[];

  constructor(name: string, group: ProcessGroup, options: ProcessOptions) {
    this.#name = name;
    this.#secrets = options.secrets;
    this.#group = group;
    this.pid = group.pid;
    this.#graceMs = Math.min(options.graceMs ?? 2000, MAX_TIMER_MS);
    this.#stderr = new ByteRing(options.stderrBytes ?? 16 * 1024);
    const { stdin, stdout, stderr } = group.child;
    this.#pipe = createStdioChannel({
      input: stdout as Readable,
      output: stdin as Writable,
      limits: options.limits,
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

  async close(reason: CloseReason = { kind: "local", message: `This side closed ${this.#name}.` }): Promise<void> {
    this.#group.note();
    void this.#pipe.close(reason);
    await this.closed;
    await this.#endRest();
  }

  stderr(): string {
    const text = this.#stderr.text();
    return redactText(printable(this.#stderr.truncated ? withoutCutLine(text) : text), this.#secrets);
  }

  #drain(stream: Readable, tell: ((text: string) => void) | undefined): Promise<unknown> {
    const decoder = new StringDecoder("utf8");
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => {
      const text = decoder.write(chunk);
      this.#stderr.append(Buffer.from(text));
      if (text !== "") tell?.(text);
    });
    return new Promise((resolve) => stream.once("close", resolve));
  }

  /** The pipe has ended; the process follows by itself or is made to. */
  async #ended(reason: CloseReason): Promise<CloseReason> {
    if (reason.kind !== "local") this.#group.note();
    // After a local close it has its stdin's end to act on. Otherwise it has closed its stdout, broken the framing or
    // stopped reading: it will hardly do anything sensible any more, so it gets only the time that an exit takes.
    const exited = await withinGrace(this.#group.exited, reason.kind === "local" ? this.#graceMs : afterExitMs);
    if (!exited) await this.#group.terminate(this.#graceMs);
    const status = await this.#group.exited;
    await withinGrace(this.#stderrEnded, afterExitMs);
    void this.#endRest();
    const byItself = reason.kind === "remote" || reason.kind === "failed" || reason.kind === "exit";
    return { ...(byItself ? this.#died(status) : { ...reason, ...status }), ...this.#lastLines() };
  }

  /** Ends the processes that the process left behind. */
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

/** What the process was told in confidence, and may repeat on stderr, which ends up in errors. */
function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= 8 && isSecretName(name) ? value : [],
  );
}

/**
 * The first line lost its beginning, and with it perhaps that of a secret, whose rest nobody would know for one. Where
 * there is only one line, its first word goes.
 */
function withoutCutLine(text: string): string {
  return text.replace(/^(?:[^\n]*\n|\S*\s)(?=[\s\S])/, "");
}

/** Error messages end up in terminals: a process must not be able to steer them by its last words. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to go
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
