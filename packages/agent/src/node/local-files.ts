import { checkArgument, checkOptions, type OptionTypes, refuseOption } from "@turnkit/transport";
import { readRooted, writeRooted } from "@turnkit/transport/node";
import { type ClientFiles, checkRange } from "../client-tools/files.js";

/**
 * Maximum size of one read of {@link createLocalFiles}, in bytes. A larger read is refused; pass a range to read a part.
 */
export const MAX_LOCAL_READ_BYTES = 10 * 1024 * 1024;

/** Options of {@link createLocalFiles}. */
export type LocalFilesOptions = {
  /**
   * Handling of reads of a file with several hard links. Another link of the file may be outside of the roots.
   *
   * - `follow` reads the file. Package managers share files by hard links.
   * - `refuse` refuses the read.
   *
   * A write always replaces one link only; the other links keep the old file.
   *
   * @defaultValue "follow"
   */
  readonly hardLinks?: "follow" | "refuse";
};

const NAMES: OptionTypes<LocalFilesOptions> = { hardLinks: ["follow", "refuse"] };

/**
 * Returns files of this machine with the methods of `turn.files`, for clients that offer no files. Reads and writes outside
 * of `roots` are refused, also through `..` and symbolic links.
 *
 * - Text is UTF-8. A file with other bytes is refused.
 * - A write replaces the file in one step, and creates missing folders.
 * - Failures are `RpcError`s: `-32602` outside of the roots, `-32002` for a missing file, `-32603` for everything else.
 *
 * @throws TypeError for an unknown or misspelled option, and for an unknown handling of hard links
 *
 * @example
 * const files = { ...createLocalFiles(turn.session.roots), ...turn.files };
 */
export function createLocalFiles(roots: readonly string[], options: LocalFilesOptions = {}): Required<ClientFiles> {
  checkOptions("createLocalFiles", options, NAMES, { unknown: refuseOption });
  const { hardLinks = "follow" } = options;
  checkArgument(Array.isArray(roots), "createLocalFiles", { got: roots, remedy: "pass turn.session.roots" });
  return {
    async read(path, range = {}) {
      checkRange("createLocalFiles read range", range);
      return readRooted(path, roots, { ...range, hardLinks, maxBytes: MAX_LOCAL_READ_BYTES });
    },
    write: (path, content) => writeRooted(path, roots, content),
  };
}
