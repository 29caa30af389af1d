import { Buffer } from "node:buffer";
import { resolve } from "node:path";
import { isRpcError, RpcError, rpcErrorCode } from "@turnkit/transport";
import { readRooted, resolveRooted, writeRooted } from "@turnkit/transport/node";
import {
  createFileHandlers,
  type FileHandlers,
  type FileHost,
  type FileLimits,
  type ReadTextFile,
  type WriteTextFile,
} from "../host/files.js";
import type { HostSession } from "../host/hosted-session.js";

/** Files that are open in an editor. They are looked up by the path of the agent, and by the path behind links. */
export type OpenBuffers = {
  /** Returns the text that the person sees, saved or not; `undefined` for a file that is not open. */
  read(path: string): string | undefined;
  /** Receives the new text of an open file after it was written to the disk. */
  replace(path: string, content: string): void;
};

/** Access of an agent to one file, successful or not. */
export type FileAccess = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sessionId: string;
  readonly operation: "read" | "write";
  /** Path as the agent sent it. */
  readonly path: string;
  /** Bytes of text that the agent read or wrote; absent after a failure. */
  readonly bytes?: number;
  /** Error of the access: the answer to the agent, or its cause. */
  readonly error?: unknown;
};

/** Options of {@link createLocalFileHost}. */
export type FileHostOptions = FileLimits & {
  /**
   * Open files; they take precedence over the disk.
   * @defaultValue no open files
   */
  readonly buffers?: OpenBuffers;
  /**
   * Maximum size of one read in bytes.
   * @defaultValue 10 MiB
   */
  readonly maxBytes?: number;
  /** Answers the read of a missing file with empty text: some agents create files only after such an answer. */
  readonly missingAsEmpty?: boolean;
  /**
   * Treatment of a file with several names (hard links), one of which may lie outside of the roots. `follow` reads it:
   * package managers share files so. `refuse` does not. Writes never reach the other names.
   * @defaultValue `"follow"`
   */
  readonly hardLinks?: "follow" | "refuse";
  /** Receives every access after its end, before the answer. An exception makes the answer an internal error. */
  readonly audit?: (access: FileAccess) => void;
};

/**
 * Makes a host for files on the disk. Nothing outside of `session.roots` can be read or written, neither through `..`
 * nor through links.
 *
 * - Text is UTF-8; byte order mark and line ends are kept. Other content is refused.
 * - With `line` or `limit` only that part counts towards the size limit.
 * - A write replaces the file in one step, keeps its mode, and makes missing parents.
 * - With `buffers`, reads return unsaved text, and writes reach the editor too.
 */
export function createLocalFileHost(options: FileHostOptions = {}): Required<FileHost> & FileHandlers {
  const { buffers, maxBytes = 10 * 1024 * 1024, hardLinks = "follow" } = options;

  /** Returns the name under which a file inside the roots is open. */
  const openName = async (path: string, { roots }: HostSession): Promise<string | undefined> => {
    if (buffers === undefined) return undefined;
    const found = await resolveRooted(path, roots);
    return [resolve(path), found.path].find((name) => buffers.read(name) !== undefined);
  };

  const read = async ({ path, line, limit }: ReadTextFile, session: HostSession): Promise<string> => {
    const name = await openName(path, session);
    const open = name === undefined ? undefined : buffers?.read(name);
    if (open !== undefined) return within(maxBytes, linesOf(open, line, limit), path);
    try {
      return await readRooted(path, session.roots, { line, limit, maxBytes, hardLinks, signal: session.signal });
    } catch (error) {
      if (options.missingAsEmpty && isRpcError(error, rpcErrorCode.resourceNotFound)) return "";
      throw error;
    }
  };

  const write = async ({ path, content }: WriteTextFile, session: HostSession): Promise<string> => {
    if (session.signal.aborted) throw RpcError.requestCancelled();
    await writeRooted(path, session.roots, content);
    const name = await openName(path, session);
    if (name !== undefined) buffers?.replace(name, content);
    return content;
  };

  /** Reports an access, then returns its result. */
  const audited = async (
    text: Promise<string>,
    access: Omit<FileAccess, "at" | "bytes" | "error">,
  ): Promise<string> => {
    const outcome = await text.then(
      (done) => ({ bytes: Buffer.byteLength(done) }),
      (error: unknown) => ({ error }),
    );
    options.audit?.({ at: Date.now(), ...access, ...outcome });
    return text;
  };

  const host: Required<FileHost> = {
    readTextFile: (request, session) =>
      audited(read(request, session), { operation: "read", path: request.path, sessionId: session.sessionId }),
    async writeTextFile(request, session) {
      const { sessionId } = session;
      await audited(write(request, session), { operation: "write", path: request.path, sessionId });
    },
  };
  return { ...host, ...createFileHandlers(host, options) };
}

/** Returns lines of a text, with their line ends; line 0 means line 1. */
function linesOf(text: string, line: number | null | undefined, limit: number | null | undefined): string {
  const after = (from: number, count: number): number => {
    let at = from;
    for (let left = count; left > 0 && at < text.length; left--) at = text.indexOf("\n", at) + 1 || text.length;
    return at;
  };
  const start = after(0, Math.max(0, (line ?? 1) - 1));
  return text.slice(start, limit == null ? undefined : after(start, limit));
}

function within(maxBytes: number, text: string, path: string): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  throw RpcError.internalError(`${path}: more than ${maxBytes} bytes; read a part of it with line and limit`);
}

/**
 * Returns true if a path leads into one of the roots after all links. For the option `isInside` of a permission
 * broker. It checks once: links may change before the agent opens the file.
 */
export async function isInsideRoots(path: string, roots: readonly string[]): Promise<boolean> {
  try {
    await resolveRooted(path, roots);
    return true;
  } catch {
    return false;
  }
}
