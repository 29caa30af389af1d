import { execFile, execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Number of rounds of SIGKILL. One round may miss processes that fork at the same time. */
const KILL_ROUNDS = 5;
const KILL_MS = 200;

/** Time that this process blocks after SIGTERM when it exits, in milliseconds. */
const EXIT_MS = 500;

/** Longest pause between two polls, in milliseconds. */
const MAX_PAUSE_MS = 250;

/**
 * Sends a signal to a process group. With `0`, only checks that the group exists. Returns `true` if the group has a
 * member.
 */
export function reaches(signal: NodeJS.Signals | 0, group: number): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // ESRCH means that the group is empty. EPERM means that a member has changed its user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Ends process groups, and the groups that their members made. They get SIGTERM, and SIGKILL after `graceMs`
 * milliseconds. Settles when the groups are empty, or one second after the first SIGKILL.
 */
export async function endGroups(groups: Iterable<number>, graceMs: number): Promise<void> {
  // The groups are read before the first signal, because a process cannot be found after its parent has ended.
  let all = await withGroupsBelow(groups);
  for (const group of all) reaches("SIGTERM", group);
  if (await areEmpty(all, graceMs)) return;
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    all = await withGroupsBelow(all);
    for (const group of all) reaches("SIGKILL", group);
    if (await areEmpty(all, KILL_MS)) return;
  }
}

/**
 * Polls until the groups are empty, because the end of a grandchild causes no event. Removes empty groups from
 * `groups`.
 */
async function areEmpty(groups: Set<number>, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (let pause = 10; ; pause *= 2) {
    for (const group of groups) if (!reaches(0, group)) groups.delete(group);
    if (groups.size === 0 || !(await anyLives(groups))) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    pause = Math.min(pause, MAX_PAUSE_MS, left);
    await new Promise<void>((resolve) => setTimeout(resolve, pause));
  }
}

/**
 * Ends process groups synchronously while this process exits. They get SIGTERM, and SIGKILL after 0.5 s. The wait after
 * SIGKILL is at most 0.2 s. On Windows, the process trees are killed immediately.
 */
export function endGroupsNow(groups: readonly number[]): void {
  if (process.platform === "win32") {
    for (const pid of groups) spawnSync(taskkillPath, taskkill(pid), { stdio: "ignore", windowsHide: true });
    return;
  }
  const all = groupsBelow(groups, tableNow());
  for (const group of all) reaches("SIGTERM", group);
  if (areEmptyNow(all, EXIT_MS)) return;
  const rest = groupsBelow(all, tableNow());
  for (const group of rest) reaches("SIGKILL", group);
  areEmptyNow(rest, KILL_MS);
}

function areEmptyNow(groups: Set<number>, limitMs: number): boolean {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + limitMs;
  for (let pause = 10; livesIn(groups, tableNow()); pause *= 2) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    pause = Math.min(pause, 50, left);
    Atomics.wait(clock, 0, 0, pause);
  }
  return true;
}

/**
 * Path of `taskkill`. Windows searches for a name without a path in the current folder first, and a repository may
 * contain a program with this name.
 */
export const taskkillPath = `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\taskkill.exe`;

/**
 * Returns the arguments of `taskkill` for a process tree. Windows has no process groups, and no SIGTERM for console
 * programs.
 */
export function taskkill(pid: number): readonly string[] {
  return ["/pid", String(pid), "/T", "/F"];
}

type Row = { readonly pid: number; readonly parent: number; readonly group: number; readonly isDead: boolean };

/** Current read of the process table. All groups that end at the same time share it. */
let looking: Promise<readonly Row[]> | undefined;

/**
 * Returns process groups, with the groups of all descendants of their members. Agents run commands in other groups,
 * which signals to the agent's group do not reach. A process whose parent has ended, such as a daemon, is not found. If
 * there is no process table, only the given groups are returned.
 */
async function withGroupsBelow(groups: Iterable<number>): Promise<Set<number>> {
  return groupsBelow(groups, await table());
}

/**
 * Returns the group of a leader, and the groups of its descendants whose parents are alive. On Linux, only younger
 * processes are read, and synchronously. This function is called right before agents exit, and a process takes 3 ms
 * longer to exit if its files in /proc were opened.
 */
export async function groupsStartedBy(leader: number): Promise<Set<number>> {
  if (process.platform !== "linux") return withGroupsBelow([leader]);
  const newest = Number(textOf("/proc/loadavg").trim().split(" ").at(-1));
  // Otherwise, the numbers of processes have started again from the lowest.
  const isYounger = newest >= leader ? (pid: number) => pid > leader : undefined;
  return groupsBelow([leader], fromProc(isYounger));
}

/** Returns `true` if a process of these groups is alive. Zombie processes do not count. */
async function anyLives(groups: Iterable<number>): Promise<boolean> {
  return livesIn(groups, await table());
}

function groupsBelow(groups: Iterable<number>, rows: readonly Row[]): Set<number> {
  const found = new Set(groups);
  // The number of a group is the number of its leader.
  const members = new Set(found);
  for (let before = -1; before < members.size; ) {
    before = members.size;
    for (const { pid, parent, group } of rows) {
      if (members.has(parent)) found.add(group);
      if (found.has(group)) members.add(pid);
    }
  }
  return found;
}

/** Returns `true` if a process of the groups is alive. If there is no process table, every group counts as alive. */
function livesIn(groups: Iterable<number>, rows: readonly Row[]): boolean {
  const asked = new Set(groups);
  if (rows.length === 0) return asked.size > 0;
  return rows.some(({ group, isDead }) => !isDead && asked.has(group));
}

function table(): Promise<readonly Row[]> {
  looking ??= processes().finally(() => {
    looking = undefined;
  });
  return looking.catch(() => []);
}

/** Reads the process table. On Linux this is synchronous. */
async function processes(): Promise<readonly Row[]> {
  if (process.platform === "linux") return fromProc();
  return new Promise((resolve, reject) => {
    execFile("/bin/ps", columns, (error, stdout) => (error === null ? resolve(rowsOf(stdout)) : reject(error)));
  });
}

function tableNow(): readonly Row[] {
  try {
    if (process.platform === "linux") return fromProc();
    return rowsOf(
      execFileSync("/bin/ps", columns, { encoding: "utf8", timeout: 1000, stdio: ["ignore", "pipe", "ignore"] }),
    );
  } catch {
    return [];
  }
}

/** Reads /proc synchronously. Each process takes 30 µs, a third of the time for an asynchronous read. */
function fromProc(isAsked: (pid: number) => boolean = () => true): readonly Row[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isAsked(Number(name)));
  return pids.flatMap((pid) => rowFromProc(pid) ?? []);
}

function rowFromProc(pid: string): Row | undefined {
  // The name of the process is in brackets and may contain any character. After the name come a letter, the parent and
  // the group.
  const stat = textOf(`/proc/${pid}/stat`);
  const [state = "", parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group === undefined ? undefined : rowOf([pid, parent, group], state);
}

/** Returns the text of a file, or `""` if its process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

const columns = ["-A", "-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat="];

function rowsOf(text: string): readonly Row[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [pid, parent, group, state = ""] = line.trim().split(/\s+/);
      return rowOf([pid, parent, group], state);
    });
}

function rowOf(numbers: readonly (string | undefined)[], state: string): Row {
  const [pid, parent, group] = numbers.map(Number) as [number, number, number];
  return { pid, parent, group, isDead: /^[ZX]/.test(state) };
}
