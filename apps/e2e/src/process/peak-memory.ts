import { readFileSync } from "node:fs";

/**
 * Returns the most memory that this process had, in bytes. On Linux, `maxRSS` also counts the memory of the process that
 * started this one, such as a worker of the test runner, so the file of the process is read.
 */
export function peakMemory(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Other systems have no such file.
  }
  return process.resourceUsage().maxRSS * 1024;
}
