import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

type Row = { readonly pid: number; readonly parent: number; readonly group: number; readonly isDead: boolean };

/** Many groups may end at once, and one look is enough for all of them. */
let looking: Promise<readonly Row[]> | undefined;

/**
 * Returns these process groups and those of everything that their members started, however deep: agents run commands in
 * groups of their own, which no signal to the agent's group reaches. A process whose parent has ended is not found; that
 * is how a program becomes a daemon. Where the system has no table of processes, the answer is the groups as given.
 */
export async function withGroupsBelow(groups: Iterable<number>): Promise<Set<number>> {
  return groupsBelow(groups, await table());
}

/**
 * Returns the group of a process that leads one, and those of everything below it whose parents all live. On Linux only
 * younger processes are looked at, before this returns: a process whose files in /proc were opened takes 3 ms longer to
 * exit, and agents are asked this right before they exit.
 */
export async function groupsStartedBy(leader: number): Promise<Set<number>> {
  if (process.platform !== "linux") return withGroupsBelow([leader]);
  const newest = Number(textOf("/proc/loadavg").trim().split(" ").at(-1));
  // Otherwise the numbers have begun anew since.
  const isYounger = newest >= leader ? (pid: number) => pid > leader : undefined;
  return groupsBelow([leader], fromProc(isYounger));
}

/** Returns true if a process lives in one of these groups. Zombies do not count. */
export async function anyLives(groups: Iterable<number>): Promise<boolean> {
  return livesIn(groups, await table());
}

/** {@link withGroupsBelow} for the end of this process, when nothing can be awaited. */
export function withGroupsBelowNow(groups: Iterable<number>): Set<number> {
  return groupsBelow(groups, tableNow());
}

/** {@link anyLives} for the end of this process. */
export function anyLivesNow(groups: Iterable<number>): boolean {
  return livesIn(groups, tableNow());
}

function groupsBelow(groups: Iterable<number>, rows: readonly Row[]): Set<number> {
  const found = new Set(groups);
  // A group has the number of the process that leads it.
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

/** Returns true if a live process is in one of the groups. If there is no table, every group counts as alive. */
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

/** On Linux the look itself happens before this returns. */
async function processes(): Promise<readonly Row[]> {
  return process.platform === "linux" ? fromProc() : rowsOf((await promisify(execFile)("ps", columns)).stdout);
}

function tableNow(): readonly Row[] {
  try {
    if (process.platform === "linux") return fromProc();
    return rowsOf(
      execFileSync("ps", columns, { encoding: "utf8", timeout: 1000, stdio: ["ignore", "pipe", "ignore"] }),
    );
  } catch {
    return [];
  }
}

/** Not asynchronous: that takes three times the 30 µs for each process, and nobody starts one meanwhile. */
function fromProc(isAsked: (pid: number) => boolean = () => true): readonly Row[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isAsked(Number(name)));
  return pids.flatMap((pid) => rowFromProc(pid) ?? []);
}

function rowFromProc(pid: string): Row | undefined {
  // The name stands in brackets and may hold anything; behind it are a letter, the parent and the group.
  const stat = textOf(`/proc/${pid}/stat`);
  const [state = "", parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group === undefined ? undefined : rowOf([pid, parent, group], state);
}

/** Empty where the process ended meanwhile. */
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
