import { Buffer } from "node:buffer";
import { resolve } from "node:path";
import { checkArgument, checkOptions, isRpcError, type OptionTypes, RpcError, rpcErrorCode } from "@turnkit/transport";
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

/**
 * Files that are open in an editor. The host looks up a file by the path from the agent, and by the path after all links.
 */
export type OpenBuffers = {
  /** Returns the text that the person sees, saved or not. Returns `undefined` if the file is not open. */
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
  /** Path that the agent sent. */
  readonly path: string;
  /** Number of bytes of text that the agent read or wrote. Absent after a failure. */
  readonly bytes?: number;
  /** Error of a failed access: the answer to the agent, or the cause of that answer. */
  readonly error?: unknown;
};

/** File inside the roots that an agent wants to access, before the access. */
export type GuardedAccess = {
  readonly operation: "read" | "write";
  /** Path that the agent sent. */
  readonly path: string;
  /** Path after all links. The file may be missing. */
  readonly real: string;
  /** Roots of the session after all links. `real` is in one of them. */
  readonly roots: readonly string[];
};

/** Options of {@link createLocalFileHost}. */
export type FileHostOptions = FileLimits & {
  /**
   * Open files. The host reads their text from the editor and not from the disk.
   * @defaultValue no open files
   */
  readonly buffers?: OpenBuffers;
  /**
   * Maximum size of one read in bytes.
   * @defaultValue 10 MiB
   */
  readonly maxBytes?: number;
  /** Answers the read of a missing file with empty text. Some agents create a file only after such an answer. */
  readonly missingAsEmpty?: boolean;
  /**
   * Handling of a file with several hard links, one of which may be outside of the roots.
   *
   * - `follow`: the host reads the file. Package managers share files by hard links.
   * - `refuse`: the host refuses the read.
   *
   * A write replaces one link only; the other links keep the old file.
   * @defaultValue `"follow"`
   */
  readonly hardLinks?: "follow" | "refuse";
  /**
   * Checks each file inside the roots before its access. If this function throws, the file is not accessed, and the agent
   * gets the error. If a link leads to another file after the check, or the session ends during the check, the access
   * fails.
   * @defaultValue every file inside the roots is allowed
   */
  readonly guard?: (access: GuardedAccess) => void | Promise<void>;
  /**
   * Receives every access after its end and before the answer. If this function throws or its promise rejects, the agent gets
   * an internal error. The end of the session does not wait for the promise.
   */
  readonly audit?: (access: FileAccess) => unknown;
};

const NAMES: OptionTypes<FileHostOptions> = {
  ...{
    maxReads: "count",
    buffers: "any",
    maxBytes: "number",
    missingAsEmpty: "boolean",
    hardLinks: ["follow", "refuse"],
    guard: "function",
    audit: "function",
  },
};

const ROOTS = "The agent gets the folders of its session: cwd and additionalDirectories.";

/**
 * Makes a host for files on the disk. Reads and writes outside of `session.roots` are refused, also through `..` and links.
 *
 * - Text is UTF-8. The byte order mark and line ends stay unchanged. A file with other content is refused.
 * - If the agent sends `line` or `limit`, only the requested lines count towards the size limit.
 * - A write replaces the file in one step, keeps the file's mode, and creates missing folders.
 * - With `buffers`, a read returns unsaved text, and a write also changes the text in the editor.
 */
export function createLocalFileHost(options: FileHostOptions = {}): Required<FileHost> & FileHandlers {
  checkOptions("createLocalFileHost", options, NAMES, { remedies: { root: ROOTS, roots: ROOTS } });
  const { buffers, maxBytes = 10 * 1024 * 1024, hardLinks = "follow" } = options;

  /** Returns the path under which an open file inside the roots is known to the editor. `real` is its checked path. */
  const openName = async (path: string, { roots }: HostSession, real?: string): Promise<string | undefined> => {
    if (buffers === undefined) return undefined;
    const found = real ?? (await resolveRooted(path, roots)).path;
    return [resolve(path), found].find((name) => buffers.read(name) !== undefined);
  };

  /** Calls the guard. Returns the real path of the file that it has checked. */
  const guarded = async (
    operation: GuardedAccess["operation"],
    path: string,
    session: HostSession,
  ): Promise<string | undefined> => {
    if (options.guard === undefined) return undefined;
    const { path: real, roots } = await resolveRooted(path, session.roots);
    await untilEnd(options.guard({ operation, path, real, roots }), session);
    if (session.signal.aborted) throw RpcError.requestCancelled();
    return real;
  };

  const read = async ({ path, line, limit }: ReadTextFile, session: HostSession): Promise<string> => {
    const real = await guarded("read", path, session);
    const name = await openName(path, session, real);
    const open = name === undefined ? undefined : buffers?.read(name);
    if (open !== undefined) return within(maxBytes, linesOf(open, line, limit), path);
    try {
      return await readRooted(path, session.roots, {
        ...{ line, limit, maxBytes, hardLinks, real },
        signal: session.signal,
      });
    } catch (error) {
      if (options.missingAsEmpty && isRpcError(error, rpcErrorCode.resourceNotFound)) return "";
      throw error;
    }
  };

  const write = async ({ path, content }: WriteTextFile, session: HostSession): Promise<string> => {
    if (session.signal.aborted) throw RpcError.requestCancelled();
    const real = await guarded("write", path, session);
    await writeRooted(path, session.roots, content, { real });
    const name = await openName(path, session, real);
    if (name !== undefined) buffers?.replace(name, content);
    return content;
  };

  /** Reports an access, then returns its result. */
  const audited = async (
    text: Promise<string>,
    access: Omit<FileAccess, "at" | "bytes" | "error" | "sessionId">,
    session: HostSession,
  ): Promise<string> => {
    if (options.audit === undefined) return text;
    const outcome = await text.then(
      (done) => ({ bytes: Buffer.byteLength(done) }),
      (error: unknown) => ({ error }),
    );
    const { sessionId } = session;
    await untilEnd(options.audit({ at: Date.now(), sessionId, ...access, ...outcome }), session);
    return text;
  };

  const host: Required<FileHost> = {
    readTextFile: (request, session) =>
      audited(read(request, session), { operation: "read", path: request.path }, session),
    async writeTextFile(request, session) {
      await audited(write(request, session), { operation: "write", path: request.path }, session);
    },
  };
  const { maxReads } = options;
  return { ...host, fileRoutes: createFileHandlers(host, { maxReads }).fileRoutes };
}

/** Waits for a guard or an audit, at most until the session ends. Otherwise, a hanging one would block later reads. */
async function untilEnd(work: unknown, { signal }: HostSession): Promise<void> {
  let stop = () => {};
  const ended = new Promise<void>((resolve) => {
    stop = resolve;
  });
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Returns lines of a text, with their line ends. Line 0 means line 1. */
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
 * Returns true if a path leads into one of the roots after all links are followed. Use it as the option `isInside` of a
 * permission broker. A link may change between this check and the agent's access.
 */
export async function isInsideRoots(path: string, roots: readonly string[]): Promise<boolean> {
  checkArgument(Array.isArray(roots), "isInsideRoots roots", { got: roots, remedy: "pass a list of folders" });
  try {
    await resolveRooted(path, roots);
    return true;
  } catch {
    return false;
  }
}
