import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { delimiter, resolve } from "node:path";
import { SpawnError } from "../errors.js";
import { redactSecrets } from "../redact.js";
import { withGroupsBelow } from "./process-tree.js";
import { guardGroup } from "./watchdog.js";
import { variable, windowsCommand } from "./windows-command.js";

/** How a process ended: with a code, or by a signal. */
export type ProcessExit = { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };

/** How to start a process. */
export type ProcessOptions = {
  /** The folder of this process unless said otherwise. */
  readonly cwd?: string;
  /** The whole environment; that of this process unless said otherwise. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the caller writes to it. Otherwise its stdin is at its end from the beginning. */
  readonly stdin: boolean;
  /** The command is one line for the platform's shell (`/bin/sh`, `cmd.exe`) instead of a program and its arguments. */
  readonly shell?: boolean;
};

/** A running process and everything that it starts. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Settles when the process itself has exited; never rejects. Its output may not be complete yet. */
  readonly exited: Promise<ProcessExit>;
  /** Settles when nobody is left in its group either; never rejects. On Windows that is when the process has exited. */
  readonly gone: Promise<void>;
  /**
   * Ends the process and what it started: SIGTERM, and SIGKILL after `graceMs`, to the group and to the groups that its
   * members made for what they run. On Windows the tree is ended at once. Settles when the process has exited; what is
   * left is ended in the background. Not found is what left the group and lost the one who started it: a daemon.
   */
  terminate(graceMs: number): Promise<void>;
}

/**
 * Starts a program in a process group of its own. It never outlives this process: on a normal exit
 * it is sent SIGTERM, and a watchdog ends it when this process is killed.
 *
 * @throws SpawnError if it cannot be started; the message says what to do.
 */
export async function startProcess(
  command: readonly [string, ...string[]],
  options: ProcessOptions,
): Promise<ProcessGroup> {
  // Who has no types may pass a line, which would be taken for its first letter.
  if (!Array.isArray(command) || !command[0]) {
    const told = 'name the program and its arguments as an array, such as ["my-agent", "--acp"]';
    throw new SpawnError(`Could not start a program: ${told}.`);
  }
  const env = options.env ?? process.env;
  const { file, args, verbatim } = options.shell
    ? { file: command.join(" "), args: [], verbatim: false }
    : windowsCommand(command, env);
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: env as NodeJS.ProcessEnv,
      stdio: [options.stdin ? "pipe" : "ignore", "pipe", "pipe"],
      // POSIX: a group of its own, so that the whole tree can be ended. On Windows it would open a console window.
      detached: process.platform !== "win32",
      windowsHide: true,
      shell: options.shell ?? false,
      windowsVerbatimArguments: verbatim,
    });
  } catch (cause) {
    throw await spawnError(command[0], options.cwd, env, cause as NodeJS.ErrnoException);
  }
  // Attached before anything is awaited: a short process may have exited by then.
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", async (cause) => reject(await spawnError(command[0], options.cwd, env, cause)));
  });
  // A later error (a signal that could not be sent) must not be an uncaught exception.
  child.on("error", () => {});
  return new RunningProcess(child, child.pid as number, exited);
}

class RunningProcess implements ProcessGroup {
  #ending: Promise<void> | undefined;
  /** From then on the number may belong to somebody else. */
  #gone = false;
  readonly gone: Promise<void>;

  constructor(
    readonly child: ChildProcess,
    readonly pid: number,
    readonly exited: Promise<ProcessExit>,
  ) {
    const release = guardGroup(pid);
    // What the process leaves behind stays guarded: it may only be forgotten when the whole group is gone.
    this.gone = exited
      .then(() => this.#whenGone(Number.POSITIVE_INFINITY))
      .then(() => {
        this.#gone = true;
        release();
      });
  }

  async terminate(graceMs: number): Promise<void> {
    this.#ending ??= this.#end(graceMs);
    await this.exited;
  }

  async #end(graceMs: number): Promise<void> {
    if (process.platform === "win32") {
      await endTree(this.pid);
      return;
    }
    if (!this.#reaches(0)) return;
    // Looked up before the first signal: who has lost its parent cannot be told any more.
    const groups = await withGroupsBelow([this.pid]);
    for (const group of groups) this.#reaches("SIGTERM", group);
    if (await this.#whenGone(graceMs, groups)) return;
    for (const group of await withGroupsBelow(groups)) this.#reaches("SIGKILL", group);
  }

  /** Polls, because nothing tells when a grandchild ends; answers whether the groups went in time. */
  async #whenGone(limitMs: number, groups = new Set([this.pid])): Promise<boolean> {
    let pause = 10;
    for (let waited = 0; ; waited += pause) {
      for (const group of groups) if (!this.#reaches(0, group)) groups.delete(group);
      if (groups.size === 0) return true;
      if (waited >= limitMs) return false;
      pause = Math.min(pause * 2, 1000, limitMs - waited);
      await new Promise<void>((resolve) => setTimeout(resolve, pause).unref());
    }
  }

  /** Sends a signal to a group, or with 0 none; answers whether there is somebody in it. */
  #reaches(signal: NodeJS.Signals | 0, group = this.pid): boolean {
    if ((this.#gone && group === this.pid) || process.platform === "win32") return false;
    try {
      return process.kill(-group, signal);
    } catch (error) {
      // ESRCH: nobody is left. EPERM: somebody is, who changed its user.
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  }
}

/** Windows has neither groups nor SIGTERM for console programs; taskkill walks the tree. */
function endTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    killer.once("error", () => resolve());
    killer.once("exit", () => resolve());
  });
}

/** Why a program did not start, and what to do about it. */
export async function spawnError(
  command: string,
  cwd: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  cause: NodeJS.ErrnoException,
): Promise<SpawnError> {
  // Node keeps the arguments in it, and who logs an error logs its cause.
  if ("spawnargs" in cause) cause.spawnargs = redactSecrets(cause.spawnargs);
  return new SpawnError(`Could not start ${command}: ${await advice(command, cwd, env, cause)}`, { cause });
}

async function advice(
  command: string,
  cwd: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  cause: NodeJS.ErrnoException,
): Promise<string> {
  if (cwd !== undefined) {
    // The system reports a missing folder as if the program were missing.
    const folder = await stat(cwd).catch(() => undefined);
    if (folder === undefined) return `its folder ${cwd} does not exist.`;
    if (!folder.isDirectory()) return `${cwd} is no folder.`;
  }
  if (cause.code === "ENOENT" && /[\\/]/.test(command)) {
    const file = await stat(resolve(cwd ?? "", command)).catch(() => undefined);
    if (file === undefined) return "there is no such file; check the path.";
    return "the program that its first line names (#!) is missing, or that line has a Windows line end.";
  }
  if (cause.code === "ENOENT") {
    const places = (variable(env, "PATH") ?? "").split(delimiter).filter(Boolean).length;
    return `it was not found in the ${places} folders on PATH; install it or name it by its full path.`;
  }
  if (cause.code === "EACCES" && (await isFolder(resolve(cwd ?? "", command))))
    return "it is a folder; name a program.";
  if (cause.code === "EACCES") return "the file may not be executed; check its permissions (chmod +x).";
  if (cause.code === "ENOEXEC") return "it is no program; a script needs a first line like #!/usr/bin/env node.";
  if (cause.code === "E2BIG") return "its arguments and environment are too large.";
  return `${messageOf(cause)}.`;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
