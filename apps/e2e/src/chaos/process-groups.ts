import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The processes of these groups that live; those that are dead and only wait for their parent to look do not. Linux. */
export function membersOf(groups: ReadonlySet<number>): readonly number[] {
  if (groups.size === 0) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => groups.has(groupOf(pid) ?? 0));
}

/** Returns the processes with a word in their environment, in any process group. Linux only. */
export function startedWith(word: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && textOf(`/proc/${name}/environ`).includes(word))
    .map(Number);
}

/** Waits until no process is left. Returns those that were left at the end of the time. */
export async function whenGone(find: () => readonly number[], limitMs: number): Promise<readonly number[]> {
  const end = performance.now() + limitMs;
  for (;;) {
    const left = find();
    if (left.length === 0 || performance.now() > end) return left;
    await delay(100);
  }
}

function groupOf(pid: number): number | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  // The name of the program is the second field, in brackets, and may hold anything.
  const [state, , group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return state === "Z" || state === "X" || text === "" ? undefined : Number(group);
}

/** Empty for a process that ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
