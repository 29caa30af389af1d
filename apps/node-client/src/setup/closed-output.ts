import { readFileSync, readlinkSync } from "node:fs";

/**
 * Returns a note if standard output was closed when the program started, as with `>&-` of a shell.
 *
 * Node then opens `/dev/null` for reading and writing in its place, so no write fails. Some programs give `/dev/null` to
 * their children in the same way. A shell with `> /dev/null` opens it only for writing, and gets no note. Systems without
 * `/proc` get no note.
 */
export function closedOutputNote({ fd }: { readonly fd?: number }): string | undefined {
  try {
    if (fd === undefined || readlinkSync(`/proc/self/fd/${fd}`) !== "/dev/null") return undefined;
    const [, flags = "0"] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & ACCESS_MODE) === READ_AND_WRITE
      ? "Standard output is closed or discarded, so nothing of the output is kept."
      : undefined;
  } catch {
    return undefined;
  }
}

const ACCESS_MODE = 3;
const READ_AND_WRITE = 2;
