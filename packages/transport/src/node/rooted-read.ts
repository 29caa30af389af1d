import { Buffer } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { RpcError, textOf } from "../errors.js";
import { type OpenRooted, openRooted } from "./rooted-path.js";

/** Part of a file to read, and the bound of its size. */
export type ReadRange = Pick<OpenRooted, "hardLinks" | "real"> & {
  /**
   * Number of the first line. The lines are counted from 1, and 0 has the same effect as 1.
   *
   * @defaultValue 1
   */
  readonly line?: number | null;
  /**
   * Maximum number of lines.
   *
   * @defaultValue all lines
   */
  readonly limit?: number | null;
  /** Maximum number of bytes. If the part is larger, the read fails. */
  readonly maxBytes: number;
  /** Cancels the read. */
  readonly signal?: AbortSignal;
};

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads the text of a file inside `roots`, or some of its lines. A byte order mark and the line ends are not changed.
 * Only the requested part counts towards `maxBytes`. Reading stops at the end of this part.
 *
 * @throws RpcError
 * - the errors of `openRooted`
 * - internal error for a part that is too large or not UTF-8
 * - cancelled, if the signal aborts
 */
export async function readRooted(path: string, roots: readonly string[], range: ReadRange): Promise<string> {
  checkSignal(range);
  const handle = await openRooted(path, roots, range);
  try {
    return decode(await readLines(handle, path, range), path);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw RpcError.internalError(`${path}: ${textOf(error)}`);
  } finally {
    await handle.close();
  }
}

async function readLines(handle: FileHandle, path: string, range: ReadRange): Promise<Buffer> {
  let skip = Math.max(0, (range.line ?? 1) - 1);
  let left = range.limit ?? Number.POSITIVE_INFINITY;
  const parts: Buffer[] = [];
  let size = 0;
  while (left > 0) {
    checkSignal(range);
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    const start = afterLines(bytes, 0, skip);
    // UTF-16 and most binary formats contain NULs. Their bytes can still be valid UTF-8. Holes of sparse files contain
    // NULs too.
    if (bytes.subarray(0, start.at).includes(0)) throw binary(path);
    skip -= start.lines;
    if (skip > 0) continue;
    const end = afterLines(bytes, start.at, left);
    if (bytes.subarray(start.at, end.at).includes(0)) throw binary(path);
    left -= end.lines;
    size += end.at - start.at;
    if (size > range.maxBytes) throw tooLarge(path, range.maxBytes);
    parts.push(bytes.subarray(start.at, end.at));
  }
  return Buffer.concat(parts, size);
}

/** Returns the position after the next `count` lines, and the number of line ends before this position. */
function afterLines(bytes: Buffer, from: number, count: number): { readonly at: number; readonly lines: number } {
  // For the whole file, lines need not be counted.
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
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw RpcError.internalError(`${path}: it is not UTF-8 text`);
  }
}

function binary(path: string): RpcError {
  return RpcError.internalError(`${path}: it is a binary file, not UTF-8 text`);
}

function tooLarge(path: string, maxBytes: number): RpcError {
  return RpcError.internalError(`${path}: more than ${maxBytes} bytes; read a part of it with line and limit`);
}

function checkSignal({ signal }: ReadRange): void {
  if (signal?.aborted) throw RpcError.requestCancelled();
}
