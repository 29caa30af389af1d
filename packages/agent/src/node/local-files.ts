import { readRooted, writeRooted } from "@turnkit/transport/node";
import type { ClientFiles } from "../client-tools/files.js";

/** Largest result of one read of {@link createLocalFiles}, in bytes. A larger one is refused: read a part. */
export const MAX_LOCAL_READ_BYTES = 10 * 1024 * 1024;

/** Options of {@link createLocalFiles}. */
export type LocalFilesOptions = {
  /**
   * Handling of reads of a file with several hard links, one of which may lie outside of the roots. `follow` reads it, since
   * package managers share files by hard links; `refuse` refuses it. A write never changes the other names.
   *
   * @defaultValue "follow"
   */
  readonly hardLinks?: "follow" | "refuse";
};

/**
 * Returns files of this machine behind the interface of `turn.files`, for clients that offer none. Nothing outside of `roots`
 * is read or written, neither through `..` nor through symbolic links.
 *
 * Text is UTF-8; other bytes are refused. A write replaces the file in one step and makes missing folders. Failures are
 * `RpcError`s: `-32602` outside of the roots, `-32002` for a missing file, otherwise `-32603`.
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
