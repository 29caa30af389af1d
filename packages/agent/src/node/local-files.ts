import { readRooted, writeRooted } from "@turnkit/transport/node";
import type { ClientFiles } from "../client-tools/files.js";

/** How much one read of {@link createLocalFiles} may answer with, in bytes; more is refused: ask for a part. */
export const MAX_LOCAL_READ_BYTES = 10 * 1024 * 1024;

/** How {@link createLocalFiles} reads. */
export type LocalFilesOptions = {
  /**
   * Whether a file that has several names is read, one of which may lie outside: nobody can tell. `follow` reads it, as
   * package managers share files so; `refuse` does not. `follow` unless said otherwise. Writing never reaches the other
   * names.
   */
  readonly hardLinks?: "follow" | "refuse";
};

/**
 * Files of this machine behind the interface of `turn.files`, for clients that offer none: nothing outside of `roots` is
 * read or written, not through `..` and not through links.
 *
 * Text is UTF-8; what is not is refused. A write replaces the file in one step and makes missing parents. Failures are
 * `RpcError`s with the codes of a client's: `-32602` outside the roots, `-32002` for a missing file, else `-32603`.
 *
 * @example
 * const files = { ...createLocalFiles(turn.session.roots), ...turn.files };
 */
export function createLocalFiles(
  roots: readonly string[],
  { hardLinks = "follow" }: LocalFilesOptions = {},
): Required<ClientFiles> {
  return {
    read: (path, range) => readRooted(path, roots, { ...range, hardLinks, maxBytes: MAX_LOCAL_READ_BYTES }),
    write: (path, content) => writeRooted(path, roots, content),
  };
}
