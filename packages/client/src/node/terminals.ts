import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import { isAcpError, RpcError } from "@turnkit/transport";
import { childEnvironment, type ProcessGroup, resolveRootedFolder, startProcess } from "@turnkit/transport/node";
import { createTerminalHandlers, type TerminalHandlers } from "../host/terminal-routes.js";
import type { CreateTerminal, HostTerminal, TerminalExit, TerminalHost } from "../host/terminals.js";
import { type Environment, overlay } from "./environment.js";
import { TerminalText } from "./terminal-text.js";

/** How a {@link createLocalTerminalHost} host runs commands. */
export type TerminalHostOptions = {
  /** The most output that is kept for one command, in bytes, whatever the agent wishes. 1 MiB unless said otherwise. */
  readonly maxOutputBytes?: number;
  /** What the agent's entries are laid over. Unless given, `childEnvironment()`: where things are, and no secrets. */
  readonly env?: Environment;
  /** How long SIGTERM may take to work before SIGKILL, in milliseconds. 2 000 unless said otherwise. */
  readonly graceMs?: number;
};

/** How long output may outlive its command, in milliseconds: something that it left running may hold the pipe. */
const afterExitMs = 250;

/**
 * Commands as real processes, each in a group of its own, with stdin at its end. They start in `session.cwd` or a
 * folder inside `session.roots`; what they do from there is not confined. None outlives this process.
 *
 * With arguments, `command` is a program and is run directly. A lone `command` that holds spaces or other signs that a
 * shell would act on is a command line and goes through `/bin/sh -c` (Windows: `cmd.exe`), because that is what most
 * agents mean by it, unless it is the full path of an existing file.
 *
 * stdout and stderr come interleaved as they arrive: exactly in a command line, nearly for a program run directly, whose
 * two pipes are read separately. Bytes that are no UTF-8 are replaced.
 */
export function createLocalTerminalHost(options: TerminalHostOptions = {}): TerminalHost & TerminalHandlers {
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
  return { ...host, ...createTerminalHandlers(host) };
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
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, afterExitMs);
      });
      await Promise.race([complete, late]);
      clearTimeout(timer);
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

async function start(command: Command, cwd: string, env: Environment): Promise<ProcessGroup> {
  try {
    return await startProcess(command.parts, { cwd, env, stdin: false, shell: command.shell });
  } catch (error) {
    throw isAcpError(error, "spawn") ? RpcError.internalError(error.message) : error;
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
  // Both streams into one pipe, which keeps their order. The line break lets the shell do this before it reads on.
  const line = process.platform === "win32" ? command : `exec 2>&1\n${command}`;
  return { parts: [line], shell: true };
}

function ringSize(request: CreateTerminal, maxOutputBytes: number): number {
  return Math.min(request.outputByteLimit ?? maxOutputBytes, maxOutputBytes);
}
