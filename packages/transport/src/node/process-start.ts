import { readFile } from "node:fs/promises";
import process from "node:process";

/**
 * Returns a text that distinguishes a process from later processes with the same id. Returns `"gone"` for a process
 * that has ended but is still in the table of the system.
 *
 * - Linux: the boot of the system and the start time of the process
 * - Other systems: the start time in seconds, for this process only
 *
 * @returns `undefined` if the system does not report the start, or if there is no such process
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") {
    try {
      const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
      const text = await readFile(`/proc/${pid}/stat`, "utf8");
      // The second field is the name of the program in brackets, which may contain any character.
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      // A dead process stays in the table until its parent waits for it.
      return fields[0] === "Z" || fields[0] === "X" ? "gone" : `${boot.trim()} ${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  // Computed from this process's uptime, so other processes have no value.
  return pid === process.pid ? String(Math.round(Date.now() / 1000 - process.uptime())) : undefined;
}
