import type { FileHandle } from "node:fs/promises";
import { RpcError, rpcErrorCode } from "@turnkit/transport";
import { openRooted, writeRooted } from "@turnkit/transport/node";
import type { FileHost, HostSession, ReadTextFile } from "../host/files.js";

/** How a {@link createFileHost} host reads. */
export type FileHostOptions = {
  /** The most that one read answers with, in bytes. 10 MiB unless said otherwise. */
  readonly maxBytes?: number;
  /** Answers the read of a missing file with empty text: some agents create files only after such an answer. */
  readonly missingAsEmpty?: boolean;
};

const chunkBytes = 64 * 1024;
const newline = 0x0a;

/**
 * Files on the real disk, for agents that ask their client: nothing outside of `session.roots` can be read or written,
 * not through `..` and not through links.
 *
 * Text is UTF-8, with byte order mark and line ends as they are; a file that holds anything else is refused. With `line`
 * or `limit` only that part counts towards the size limit, so that a part of a large log can be read. A write
 * replaces the file in one step, keeps its mode, and makes missing parents.
 */
export function createFileHost(options: FileHostOptions = {}): Required<FileHost> {
  const maxBytes = options.maxBytes ?? 10 * 1024 * 1024;
  return {
    async readTextFile(request, session) {
      checkSignal(session);
      let handle: FileHandle;
      try {
        handle = await openRooted(request.path, session.roots);
      } catch (error) {
        const missing = error instanceof RpcError && error.code === rpcErrorCode.resourceNotFound;
        if (missing && options.missingAsEmpty) return "";
        throw error;
      }
      try {
        return decode(await readLines(handle, request, session, maxBytes), request.path);
      } catch (error) {
        if (error instanceof RpcError) throw error;
        throw RpcError.internalError(`${request.path}: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        await handle.close();
      }
    },

    async writeTextFile(request, session) {
      checkSignal(session);
      await writeRooted(request.path, session.roots, request.content);
    },
  };
}

async function readLines(
  handle: FileHandle,
  request: ReadTextFile,
  session: HostSession,
  maxBytes: number,
): Promise<Buffer> {
  let skip = Math.max(0, (request.line ?? 1) - 1);
  let left = request.limit ?? Number.POSITIVE_INFINITY;
  const parts: Buffer[] = [];
  let size = 0;
  while (left > 0) {
    checkSignal(session);
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    const start = afterLines(bytes, 0, skip);
    skip -= start.lines;
    if (skip > 0) continue;
    const end = afterLines(bytes, start.at, left);
    left -= end.lines;
    size += end.at - start.at;
    if (size > maxBytes) throw tooLarge(request, maxBytes);
    parts.push(bytes.subarray(start.at, end.at));
  }
  return Buffer.concat(parts, size);
}

/** Where the bytes after the next `count` lines begin, and how many line ends were passed. */
function afterLines(bytes: Buffer, from: number, count: number): { at: number; lines: number } {
  // The usual whole read has no lines to count.
  if (count === Number.POSITIVE_INFINITY) return { at: bytes.length, lines: 0 };
  let at = from;
  for (let lines = 0; lines < count; lines++) {
    const end = bytes.indexOf(newline, at);
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

function tooLarge(request: ReadTextFile, maxBytes: number): RpcError {
  const text = `${request.path}: more than ${maxBytes} bytes; read a part of it with line and limit`;
  return RpcError.internalError(text);
}

function checkSignal(session: HostSession): void {
  if (session.signal.aborted) throw RpcError.requestCancelled();
}
