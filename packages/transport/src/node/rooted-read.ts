import { Buffer } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { RpcError } from "../errors.js";
import { openRooted } from "./rooted-path.js";

/** Which part of a file to read, and how much of it at most. */
export type ReadRange = {
  /** First line, 1-based; 0 reads as 1. The first one unless said otherwise. */
  readonly line?: number | null;
  /** At most so many lines; all unless said otherwise. */
  readonly limit?: number | null;
  /** More than so many bytes of that part are refused. */
  readonly maxBytes: number;
  /** Whether a file of several names is read, one of which may lie outside. `follow` reads it, as unless said otherwise. */
  readonly hardLinks?: "follow" | "refuse";
  /** Ends the reading. */
  readonly signal?: AbortSignal;
};

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * The text of a file inside `roots`, or some of its lines with their line ends. UTF-8 with byte order mark and line ends
 * as they are. Only the part that is asked for counts towards `maxBytes`, and no more is read than it takes to find it.
 *
 * @throws RpcError as `openRooted`, internal error for a part that is too large or is no text, cancelled by the signal
 */
export async function readRooted(path: string, roots: readonly string[], range: ReadRange): Promise<string> {
  checkSignal(range);
  const handle = await openRooted(path, roots, range);
  try {
    return decode(await readLines(handle, path, range), path);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw RpcError.internalError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
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
    skip -= start.lines;
    if (skip > 0) continue;
    const end = afterLines(bytes, start.at, left);
    left -= end.lines;
    size += end.at - start.at;
    if (size > range.maxBytes) throw tooLarge(path, range.maxBytes);
    parts.push(bytes.subarray(start.at, end.at));
  }
  return Buffer.concat(parts, size);
}

/** Where the bytes after the next `count` lines begin, and how many line ends were passed. */
function afterLines(bytes: Buffer, from: number, count: number): { readonly at: number; readonly lines: number } {
  // The usual whole read has no lines to count.
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

function tooLarge(path: string, maxBytes: number): RpcError {
  return RpcError.internalError(`${path}: more than ${maxBytes} bytes; read a part of it with line and limit`);
}

function checkSignal({ signal }: ReadRange): void {
  if (signal?.aborted) throw RpcError.requestCancelled();
}
