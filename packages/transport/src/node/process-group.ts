import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { delimiter, resolve } from "node:path";
import { asSentence, SpawnError, textOf } from "../errors.js";
import { redactSecrets, redactText } from "../trace/redact.js";
import type { Environment, ProgramOptions } from "./child-environment.js";
import { endGroups, groupsStartedBy, reaches, taskkill, taskkillPath } from "./group-end.js";
import { inheritedDescriptors } from "./inherited-descriptors.js";
import { guardGroup } from "./watchdog.js";
import { variable, windowsCommand } from "./windows-command.js";

/** Exit of a process: by a code, or by a signal. */
export type ProcessExit = { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };

/** Options of a process. */
export type ProcessOptions = ProgramOptions & {
  /** `true` if the caller writes to the process's stdin. Otherwise stdin is empty. */
  readonly stdin: boolean;
  /** `true` if the command is a line for the shell of the platform (`/bin/sh` or `cmd.exe`). */
  readonly shell?: boolean;
};

/** A running process and all processes that it starts. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Settles when the process itself has exited. Its last output may arrive later. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Settles when the group is empty. On Windows, settles when the process has exited. Never rejects. */
  readonly gone: Promise<void>;
  /**
   * Records the process groups that members of this group have made. Call it before the process has to end, because
   * these groups cannot be found later.
   */
  note(): void;
  /**
   * Ends the process, its group, the groups that members made for their commands, and the recorded groups. They get
   * SIGTERM, and SIGKILL after `graceMs`. On Windows, the process tree is ended immediately.
   *
   * Settles when the process has exited and these groups are empty. This takes at most `graceMs` and about one second.
   * Daemons are not found. A daemon has left the group, and its parent ended before {@link note}.
   */
  terminate(graceMs: number): Promise<void>;
}

/**
 * Starts a program in its own process group. The program never outlives this process. If this process exits normally,
 * the program gets SIGTERM, and SIGKILL half a second later. If this process is killed, a watchdog ends the program
 * within 5 s.
 *
 * @throws SpawnError if the program cannot be started. The message contains a remedy.
 */
export async function startProcess(
  command: readonly [string, ...string[]],
  options: ProcessOptions,
): Promise<ProcessGroup> {
  // A caller in JavaScript may pass a string, whose first letter would become the program.
  if (!Array.isArray(command) || !command[0]) {
    if (typeof command === "object" && command !== null && !Array.isArray(command))
      throw new SpawnError(`Could not start a program: it is an object. To start one, ${asArray("my-agent --acp")}.`);
    const line = redactText(String(command ?? ""));
    throw new SpawnError(`Could not start ${line || "a program"}: ${asArray(line || "my-agent --acp")}.`);
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
      stdio: [options.stdin ? "pipe" : "ignore", "pipe", "pipe", ...inheritedDescriptors()],
      // On POSIX this creates a group, so that the whole tree can be ended. On Windows it would open a console window.
      detached: process.platform !== "win32",
      windowsHide: true,
      shell: options.shell ?? false,
      windowsVerbatimArguments: verbatim,
    });
  } catch (cause) {
    throw await spawnError(command[0], options.cwd, env, cause as NodeJS.ErrnoException);
  }
  // The listeners are added before the first `await`, because a short process may exit during the wait.
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", async (cause) => reject(await spawnError(command[0], options.cwd, env, cause)));
  });
  // A later error, such as a signal that failed, must not be an uncaught exception.
  child.on("error", () => {});
  return new RunningProcess(child, child.pid as number, exited);
}

/** Longest pause between two polls of a group whose process has exited, in milliseconds. */
const LOOK_MS = 1000;

class RunningProcess implements ProcessGroup {
  #ending: Promise<void> | undefined;
  #hasExited = false;
  /** `true` if the group is empty. Another group may then get its number. */
  #gone = false;
  /** The known groups of the process. */
  #groups: Promise<Set<number>>;
  readonly gone: Promise<void>;

  constructor(
    readonly child: ChildProcess,
    readonly pid: number,
    readonly exited: Promise<ProcessExit>,
  ) {
    this.#groups = Promise.resolve(new Set([pid]));
    const release = guardGroup(pid);
    // The watchdog guards the group until it is empty, because processes may outlive their leader.
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

  /** Polls until the group is empty, because Node has no event for the end of a grandchild. */
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
    const killer = spawn(taskkillPath, taskkill(pid), { stdio: "ignore", windowsHide: true });
    killer.once("error", () => resolve());
    killer.once("exit", () => resolve());
  });
}

/** Creates the error for a program that did not start, with the cause and a remedy. */
export async function spawnError(
  command: string,
  cwd: string | undefined,
  env: Environment,
  cause: NodeJS.ErrnoException,
): Promise<SpawnError> {
  // Node adds the arguments to the cause, which logs of the error contain.
  if ("spawnargs" in cause) cause.spawnargs = redactSecrets(cause.spawnargs);
  return new SpawnError(`Could not start ${redactText(command)}: ${await advice(command, cwd, env, cause)}`, { cause });
}

/** Characters that only a shell understands. */
const ofShell = /[|&;<>$`*?"'(){}\\]/;

/** Returns advice for a caller that passed the program and its arguments as one text, or a line of a shell. */
function asArray(line: string): string {
  if (ofShell.test(line))
    return `only a shell reads such a line: run sh with the arguments ${JSON.stringify(["-c", redactText(line)])}`;
  return `name the program and each argument apart, as in ${JSON.stringify(line.trim().split(/\s+/))}`;
}

async function advice(
  command: string,
  cwd: string | undefined,
  env: Environment,
  cause: NodeJS.ErrnoException,
): Promise<string> {
  if (cwd !== undefined) {
    // If the folder is missing, the system reports that the program is missing.
    const folder = await stat(cwd).catch(() => undefined);
    if (folder === undefined) return `its folder ${cwd} does not exist.`;
    if (!folder.isDirectory()) return `${cwd} is not a folder.`;
  }
  const split = /\s/.test(command.trim()) && asArray(redactText(command));
  if (cause.code === "ENOENT" && /[\\/]/.test(command)) {
    const file = await stat(resolve(cwd ?? "", command)).catch(() => undefined);
    if (file === undefined && split) return `there is no such file; check the path, or ${split}.`;
    if (file === undefined) return "there is no such file; check the path.";
    return "the program that its first line names (#!) is missing, or that line has a Windows line end.";
  }
  if (cause.code === "ENOENT" && split) return `there is no such program; ${split}.`;
  if (cause.code === "ENOENT") {
    const places = (variable(env, "PATH") ?? "").split(delimiter).filter(Boolean).length;
    return `it was not found in the ${places} folders on PATH; install it or name it by its full path.`;
  }
  if (cause.code === "EACCES" && (await isFolder(resolve(cwd ?? "", command))))
    return "it is a folder; name a program.";
  if (cause.code === "EACCES") return "the file may not be executed; check its permissions (chmod +x).";
  if (cause.code === "ENOEXEC") return "it is not a program; a script needs a first line like #!/usr/bin/env node.";
  if (cause.code === "E2BIG") return "its arguments and environment are too large.";
  return asSentence(textOf(cause));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
