import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { delimiter, resolve } from "node:path";
import { SpawnError } from "../errors.js";
import { redactSecrets } from "../trace/redact.js";
import { endGroups, reaches, taskkill } from "./group-end.js";
import { groupsStartedBy } from "./process-tree.js";
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
   * Records the process groups created by members of this group. Call it before asking the process to end: afterwards
   * they cannot be found.
   */
  note(): void;
  /**
   * Ends the process and what it started: SIGTERM, and SIGKILL after `graceMs`, to the group, to the groups that its
   * members made for what they run, and to those that were noted. On Windows the tree is ended at once. Settles when the
   * process has exited and nobody lives in these groups: within `graceMs` and about a second. Not found is a process that
   * left the group and lost its parent unnoted: a daemon.
   */
  terminate(graceMs: number): Promise<void>;
}

/**
 * Starts a program in a process group of its own. It never outlives this process: on a normal exit it gets SIGTERM, and
 * SIGKILL half a second later, and a watchdog ends it within 5 s when this process is killed.
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

/** The longest pause between two looks at a group whose process has exited, in milliseconds. */
const LOOK_MS = 1000;

class RunningProcess implements ProcessGroup {
  #ending: Promise<void> | undefined;
  #hasExited = false;
  /** From then on the number may belong to somebody else. */
  #gone = false;
  /** The groups that are known to belong to it. */
  #groups: Promise<Set<number>>;
  readonly gone: Promise<void>;

  constructor(
    readonly child: ChildProcess,
    readonly pid: number,
    readonly exited: Promise<ProcessExit>,
  ) {
    this.#groups = Promise.resolve(new Set([pid]));
    const release = guardGroup(pid);
    // What the process leaves behind stays guarded: it may only be forgotten when the whole group is gone.
    this.gone = exited
      .then(() => {
        this.#hasExited = true;
        return this.#whenGone();
      })
      .then(() => {
        this.#gone = true;
        release();
      });
  }

  note(): void {
    if (this.#hasExited || this.#ending !== undefined || process.platform === "win32") return;
    this.#groups = groupsStartedBy(this.pid);
  }

  terminate(graceMs: number): Promise<void> {
    this.#ending ??= this.#end(graceMs);
    return this.#ending;
  }

  async #end(graceMs: number): Promise<void> {
    if (process.platform === "win32") {
      await endTree(this.pid);
    } else {
      const living = [...(await this.#groups)].filter((group) => this.#reaches(group));
      if (living.length > 0) await endGroups(living, graceMs);
    }
    await this.exited;
  }

  /** Polls, because nothing tells when a grandchild ends. */
  async #whenGone(): Promise<void> {
    for (let pause = 10; this.#reaches(this.pid); pause = Math.min(pause * 2, LOOK_MS)) {
      await new Promise<void>((resolve) => setTimeout(resolve, pause).unref());
    }
  }

  #reaches(group: number): boolean {
    return !(this.#gone && group === this.pid) && process.platform !== "win32" && reaches(0, group);
  }
}

function endTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn("taskkill", taskkill(pid), { stdio: "ignore", windowsHide: true });
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
