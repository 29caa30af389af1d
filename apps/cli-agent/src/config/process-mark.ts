import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { processStart } from "@turnkit/transport/node";

/**
 * Returns a part of a file name that names this process: its machine, its id and its start. Another process can later
 * decide with {@link hasEnded} whether a file is a leftover.
 */
export function processMark(): Promise<string> {
  own ??= processStart(process.pid).then((start) => [place(), process.pid, hash(start)].join("-"));
  return own;
}

let own: Promise<string> | undefined;

/**
 * Returns `true` if the process with this mark has certainly ended. Returns `false` for every process of another machine
 * or container, and for a text that is not a mark.
 */
export async function hasEnded(mark: string): Promise<boolean> {
  const [, where, id = "", start] = /^([0-9a-f]{8})-(\d{1,10})-([0-9a-f]{8})$/.exec(mark) ?? [];
  if (where !== place() || mark === (await processMark())) return false;
  try {
    process.kill(Number(id), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return true;
  }
  const now = await processStart(Number(id));
  return now === "gone" || (now !== undefined && hash(now) !== start);
}

/** Returns the machine and the container, because each container counts its own processes. */
function place(): string {
  try {
    return hash(`${hostname()} ${readlinkSync("/proc/self/ns/pid")}`);
  } catch {
    return hash(hostname());
  }
}

const hash = (text = ""): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
