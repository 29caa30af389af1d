import { openSync, readdirSync, readFileSync } from "node:fs";

/** Flag of a descriptor that closes at the start of another program. Node.js sets it for all its own descriptors. */
const CLOSED_ON_START = 0o2000000;

/** Largest number of a descriptor that is replaced. */
const MAX_DESCRIPTOR = 1_023;

type Replacement = "ignore" | number;

let known: readonly Replacement[] | undefined;

/**
 * Returns the fourth and further entries of `stdio` for a program that this process starts. They replace each
 * descriptor that this process got from its own parent. Otherwise the program could use files and pipes of the parent.
 *
 * On other systems than Linux, the result is empty.
 */
export function inheritedDescriptors(): readonly Replacement[] {
  known ??= replacements();
  return known;
}

function replacements(): readonly Replacement[] {
  const inherited = openDescriptors().filter((descriptor) => descriptor > 2 && descriptor <= MAX_DESCRIPTOR);
  if (inherited.length === 0) return [];
  const nothing = openSync("/dev/null", "r+");
  const list: Replacement[] = new Array(Math.max(...inherited) - 2).fill("ignore");
  for (const descriptor of inherited) list[descriptor - 3] = nothing;
  return list;
}

/** Returns the descriptors that a started program would get. */
function openDescriptors(): readonly number[] {
  if (process.platform !== "linux") return [];
  try {
    return readdirSync("/proc/self/fd").map(Number).filter(staysOpen);
  } catch {
    return [];
  }
}

function staysOpen(descriptor: number): boolean {
  try {
    const [, flags = ""] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    return flags !== "" && (Number.parseInt(flags, 8) & CLOSED_ON_START) === 0;
  } catch {
    // The list of descriptors also contains the descriptor with which it was read. That one is already closed.
    return false;
  }
}
