import { spawnSync } from "node:child_process";
import { anyLives, anyLivesNow, withGroupsBelow, withGroupsBelowNow } from "./process-tree.js";

/** Rounds of SIGKILL, for processes that fork faster than they die, and the wait after each in milliseconds. */
const KILL_ROUNDS = 5;
const KILL_MS = 200;

/** Blocking wait after SIGTERM at the exit of this process, in milliseconds. */
const EXIT_MS = 500;

/** Longest pause between two polls, in milliseconds. */
const MAX_PAUSE_MS = 250;

/** Sends a signal, or with 0 none, to a process group. Returns true if the group has a member. */
export function reaches(signal: NodeJS.Signals | 0, group: number): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // ESRCH: the group is empty. EPERM: a member has changed its user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Ends process groups and the groups that their members made: SIGTERM, and SIGKILL after `graceMs`. Settles when the
 * groups are empty, or a second after the first SIGKILL.
 */
export async function endGroups(groups: Iterable<number>, graceMs: number): Promise<void> {
  // Before the first signal: a process that has lost its parent cannot be found.
  let all = await withGroupsBelow(groups);
  for (const group of all) reaches("SIGTERM", group);
  if (await areEmpty(all, graceMs)) return;
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    all = await withGroupsBelow(all);
    for (const group of all) reaches("SIGKILL", group);
    if (await areEmpty(all, KILL_MS)) return;
  }
}

/** Polls at growing intervals: the end of a grandchild is no event. Removes empty groups from `groups`. */
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
 * Ends process groups synchronously during process exit: SIGTERM, after 0.5 s SIGKILL, then up to 0.2 s. On Windows it
 * kills the process trees at once.
 */
export function endGroupsNow(groups: readonly number[]): void {
  if (process.platform === "win32") {
    for (const pid of groups) spawnSync("taskkill", taskkill(pid), { stdio: "ignore", windowsHide: true });
    return;
  }
  const all = withGroupsBelowNow(groups);
  for (const group of all) reaches("SIGTERM", group);
  if (areEmptyNow(all, EXIT_MS)) return;
  const rest = withGroupsBelowNow(all);
  for (const group of rest) reaches("SIGKILL", group);
  areEmptyNow(rest, KILL_MS);
}

function areEmptyNow(groups: Set<number>, limitMs: number): boolean {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + limitMs;
  for (let pause = 10; anyLivesNow(groups); pause *= 2) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    pause = Math.min(pause, 50, left);
    Atomics.wait(clock, 0, 0, pause);
  }
  return true;
}

/** Returns the arguments of `taskkill` for a process tree. Windows has no groups, and no SIGTERM for console programs. */
export function taskkill(pid: number): readonly string[] {
  return ["/pid", String(pid), "/T", "/F"];
}
