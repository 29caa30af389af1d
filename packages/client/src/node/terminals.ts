import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import { checkOptions, isAcpError, type OptionTypes, RpcError, withinGrace } from "@turnkit/transport";
import {
  childEnvironment,
  openRealFolder,
  type ProcessGroup,
  resolveRootedFolder,
  startProcess,
} from "@turnkit/transport/node";
import {
  type CreateTerminal,
  createTerminalHandlers,
  type HostTerminal,
  type TerminalExit,
  type TerminalHandlers,
  type TerminalHost,
} from "../host/terminals.js";
import { type Environment, overlay } from "./environment.js";
import { TerminalText } from "./terminal-text.js";

/** Options of {@link createLocalTerminalHost}. */
export type TerminalHostOptions = {
  /**
   * Maximum size of the held output of one command, in bytes. The agent may ask for a smaller size.
   * @defaultValue 1 MiB
   */
  readonly maxOutputBytes?: number;
  /**
   * Environment of commands. The agent's entries are added to it.
   * @defaultValue `childEnvironment()`, which contains paths and locale and no secrets
   */
  readonly env?: Environment;
  /**
   * Time in milliseconds between SIGTERM and SIGKILL.
   * @defaultValue 2 000
   */
  readonly graceMs?: number;
};

/**
 * Longest wait for output after the exit of a command, in milliseconds. A process that the command started may hold the
 * pipe open.
 */
const afterExitMs = 250;

const NAMES: OptionTypes<TerminalHostOptions> = {
  ...{ maxOutputBytes: "number", env: "any", graceMs: "number" },
};

/**
 * Makes a host that runs commands as processes. Each command has its own process group and an empty stdin.
 *
 * - A command starts in `session.cwd` or in another folder inside `session.roots`. The command itself may access files
 *   outside of them.
 * - No command outlives this process.
 * - With arguments, `command` is a program that runs without a shell.
 * - Most agents send a whole command line as `command`, without arguments. If it contains spaces or other shell characters,
 *   it runs in `/bin/sh -c` (on Windows in `cmd.exe`). The full path of an existing file runs without a shell.
 * - stdout and stderr are mixed in the order of arrival. The order is exact for a command line. A program without a shell
 *   has two pipes, so the order is approximate.
 * - Bytes that are not UTF-8 are replaced.
 */
export function createLocalTerminalHost(options: TerminalHostOptions = {}): TerminalHost & TerminalHandlers {
  checkOptions("createLocalTerminalHost", options, NAMES);
  const { maxOutputBytes = 1024 * 1024, graceMs = 2000 } = options;
  const host: TerminalHost = {
    async create(request, session) {
      const cwd = await resolveRootedFolder(request.cwd ?? session.cwd, session.roots);
      const env = overlay(options.env ?? childEnvironment(), request.env ?? [], (name) =>
        RpcError.invalidParams(`the environment variable ${JSON.stringify(name)} cannot be set`),
      );
      if (session.signal.aborted) throw RpcError.requestCancelled();
      const group = await start(commandOf(request), cwd, env);
      if (session.signal.aborted) {
        void group.terminate(graceMs);
        throw RpcError.requestCancelled();
      }
      return new ProcessTerminal(group, ringSize(request, maxOutputBytes), graceMs);
    },
  };
  return createTerminalHandlers(host);
}

class ProcessTerminal implements HostTerminal {
  readonly exited: Promise<TerminalExit>;
  readonly #group: ProcessGroup;
  readonly #text: TerminalText;
  readonly #graceMs: number;
  #exit: TerminalExit | undefined;

  constructor(group: ProcessGroup, limit: number, graceMs: number) {
    this.#group = group;
    this.#graceMs = graceMs;
    this.#text = new TerminalText(limit);
    const { stdout, stderr } = group.child;
    const complete = Promise.all([this.#collect(stdout as Readable), this.#collect(stderr as Readable)]);
    this.exited = group.exited.then(async (exit) => {
      await withinGrace(complete, afterExitMs);
      this.#exit = exit;
      return exit;
    });
  }

  output(): { output: string; truncated: boolean; exitStatus?: TerminalExit } {
    const state = { output: this.#text.text, truncated: this.#text.truncated };
    return this.#exit ? { ...state, exitStatus: this.#exit } : state;
  }

  async kill(): Promise<void> {
    await this.#group.terminate(this.#graceMs);
    await this.exited;
  }

  async release(): Promise<void> {
    this.#text.close();
    await this.kill();
    this.#group.child.stdout?.destroy();
    this.#group.child.stderr?.destroy();
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    return this.#text.onData(listener);
  }

  #collect(stream: Readable): Promise<void> {
    const text = this.#text.open();
    stream.on("data", (chunk: Buffer) => text.write(chunk));
    stream.on("error", () => {});
    return new Promise((resolve) => {
      stream.once("end", () => text.end());
      stream.once("close", resolve);
    });
  }
}

/** Starts a command in a folder. If a link replaces the folder, the command does not start at the target of the link. */
async function start(command: Command, cwd: string, env: Environment): Promise<ProcessGroup> {
  const folder = await openRealFolder(cwd);
  try {
    return await startProcess(command.parts, { cwd: folder.prefix, env, stdin: false, shell: command.shell });
  } catch (error) {
    throw isAcpError(error, "spawn") ? RpcError.internalError(error.message) : error;
  } finally {
    // A short command loses its output if the caller gets it later than its exit.
    void folder.close();
  }
}

type Command = { readonly parts: readonly [string, ...string[]]; readonly shell: boolean };

function commandOf({ command, args = [] }: CreateTerminal): Command {
  for (const text of [command, ...args]) {
    if (text.includes("\0")) throw RpcError.invalidParams("the command holds a NUL character");
  }
  if (command.trim() === "") throw RpcError.invalidParams("the command is empty");
  const isLine =
    args.length === 0 && /[\s|&;<>()$`"'*?~]/.test(command) && !(isAbsolute(command) && existsSync(command));
  if (!isLine) return { parts: [command, ...args], shell: false };
  // Both streams share one pipe, so their order is exact. After the line break, the shell redirects before it parses the
  // command.
  const line = process.platform === "win32" ? command : `exec 2>&1\n${command}`;
  return { parts: [line], shell: true };
}

function ringSize(request: CreateTerminal, maxOutputBytes: number): number {
  return Math.min(request.outputByteLimit ?? maxOutputBytes, maxOutputBytes);
}
