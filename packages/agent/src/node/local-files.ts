import type { FileHandle } from "node:fs/promises";
import { RpcError } from "@turnkit/transport";
import { openRooted, writeRooted } from "@turnkit/transport/node";
import type { ClientFiles } from "../client-tools/files.js";

/** How much one read of {@link createLocalFiles} may answer with, in bytes; more is refused: ask for a part. */
export const MAX_LOCAL_READ_BYTES = 10 * 1024 * 1024;

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * Files of this machine behind the interface of `turn.files`, for clients that offer none: nothing outside of `roots` is
 * read or written, not through `..` and not through links.
 *
 * Text is UTF-8; what is not is refused. A write replaces the file in one step and makes missing parents. Failures are
 * `RpcError`s with the codes of a client's: `-32602` outside the roots, `-32002` for a missing file, else `-32603`.
 *
 * @example
 * const files = turn.files ?? createLocalFiles(turn.session.roots);
 */
export function createLocalFiles(roots: readonly string[]): Required<ClientFiles> {
  return {
    async read(path, { line = 1, limit = Number.POSITIVE_INFINITY } = {}) {
      const handle = await openRooted(path, roots);
      try {
        return decode(await readLines(handle, line - 1, limit), path);
      } catch (error) {
        if (error instanceof RpcError) throw error;
        throw RpcError.internalError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        await handle.close();
      }
    },
    write: (path, content) => writeRooted(path, roots, content),
  };
}

/** Up to `count` lines after the first `skip` ones, line ends included. */
async function readLines(handle: FileHandle, skip: number, count: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  let before = skip;
  let left = count;
  while (left > 0) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const bytes = buffer.subarray(0, bytesRead);
    const start = afterLines(bytes, 0, before);
    before -= start.lines;
    if (before > 0) continue;
    const end = afterLines(bytes, start.at, left);
    left -= end.lines;
    size += end.at - start.at;
    if (size > MAX_LOCAL_READ_BYTES) throw new Error(`more than ${MAX_LOCAL_READ_BYTES} bytes; read a part of it`);
    parts.push(bytes.subarray(start.at, end.at));
  }
  return Buffer.concat(parts, size);
}

/** Where the bytes after the next `count` lines begin, and how many line ends were passed. */
function afterLines(bytes: Buffer, from: number, count: number): { at: number; lines: number } {
  if (count === Number.POSITIVE_INFINITY) return { at: bytes.length, lines: 0 };
  let at = from;
  for (let lines = 0; lines < count; lines++) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return { at: bytes.length, lines };
    at = end + 1;
  }
  return { at, lines: count };
}

function decode(bytes: Buffer, path: string): string {
  // UTF-16 and most binary formats hold NULs, and may yet be valid UTF-8 byte by byte.
  if (bytes.includes(0)) throw RpcError.internalError(`${path}: it is a binary file, not UTF-8 text`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw RpcError.internalError(`${path}: it is not UTF-8 text`);
  }
}
