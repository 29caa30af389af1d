import { isRpcError, RpcError, rpcErrorCode } from "@turnkit/transport";
import { readRooted, writeRooted } from "@turnkit/transport/node";
import type { FileHost, HostSession } from "../host/files.js";

/** How a {@link createFileHost} host reads. */
export type FileHostOptions = {
  /** The most that one read answers with, in bytes. 10 MiB unless said otherwise. */
  readonly maxBytes?: number;
  /** Answers the read of a missing file with empty text: some agents create files only after such an answer. */
  readonly missingAsEmpty?: boolean;
};

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
      const { path, line, limit } = request;
      try {
        return await readRooted(path, session.roots, { line, limit, maxBytes, signal: session.signal });
      } catch (error) {
        if (options.missingAsEmpty && isRpcError(error, rpcErrorCode.resourceNotFound)) return "";
        throw error;
      }
    },

    async writeTextFile(request, session) {
      checkSignal(session);
      await writeRooted(request.path, session.roots, request.content);
    },
  };
}

function checkSignal(session: HostSession): void {
  if (session.signal.aborted) throw RpcError.requestCancelled();
}
