import { Buffer } from "node:buffer";
import { resolve } from "node:path";
import { isRpcError, RpcError, rpcErrorCode } from "@turnkit/transport";
import { readRooted, resolveRooted, writeRooted } from "@turnkit/transport/node";
import { createFileHandlers, type FileHandlers } from "../host/file-routes.js";
import type { FileHost, HostSession, ReadTextFile, WriteTextFile } from "../host/files.js";

/** The files that are open in an editor. They are asked for by the agent's path, and by where links lead. */
export type OpenBuffers = {
  /** The text as the person sees it, saved or not; `undefined` for a file that is not open. */
  read(path: string): string | undefined;
  /** The agent has replaced the text of an open file; it is on the disk already. */
  replace(path: string, content: string): void;
};

/** One file that an agent read or wrote, or tried to. */
export type FileAccess = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sessionId: string;
  readonly operation: "read" | "write";
  /** As the agent named it. */
  readonly path: string;
  /** How many bytes of text the agent got or wrote; absent where it failed. */
  readonly bytes?: number;
  /** Why it failed: the agent's answer, or what the host makes one of. */
  readonly error?: unknown;
};

/** How a {@link createLocalFileHost} host reads and writes. */
export type FileHostOptions = {
  /** What is open counts more than the disk. Unless given, nothing is open. */
  readonly buffers?: OpenBuffers;
  /** The most that one read answers with, in bytes. 10 MiB unless said otherwise. */
  readonly maxBytes?: number;
  /** Answers the read of a missing file with empty text: some agents create files only after such an answer. */
  readonly missingAsEmpty?: boolean;
  /**
   * Whether a file that has several names is read, one of which may lie outside: nobody can tell. `follow` reads it, as
   * package managers share files so; `refuse` does not. `follow` unless said otherwise. Writing never reaches the other
   * names.
   */
  readonly hardLinks?: "follow" | "refuse";
  /** Told every access when it is over, before the agent is answered; if it throws, the answer is an internal error. */
  readonly audit?: (access: FileAccess) => void;
};

/**
 * Files on the real disk, for agents that ask their client: nothing outside of `session.roots` can be read or written,
 * not through `..` and not through links.
 *
 * Text is UTF-8, with byte order mark and line ends as they are; a file that holds anything else is refused. With `line`
 * or `limit` only that part counts towards the size limit, so that a part of a large log can be read. A write
 * replaces the file in one step, keeps its mode, and makes missing parents. With `buffers`, reads see what is not saved
 * yet and writes reach the editor too.
 */
export function createLocalFileHost(options: FileHostOptions = {}): Required<FileHost> & FileHandlers {
  const { buffers, maxBytes = 10 * 1024 * 1024, hardLinks = "follow" } = options;

  /** Under which name a file is open that lies inside the roots. */
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
    checkSignal(session);
    await writeRooted(path, session.roots, content);
    const name = await openName(path, session);
    if (name !== undefined) buffers?.replace(name, content);
    return content;
  };

  const tell =
    (operation: FileAccess["operation"], path: string, { sessionId }: HostSession) =>
    (came: Outcome) =>
      options.audit?.({ at: Date.now(), sessionId, operation, path, ...came });
  const host: Required<FileHost> = {
    readTextFile: (request, session) => audited(read(request, session), tell("read", request.path, session)),
    async writeTextFile(request, session) {
      await audited(write(request, session), tell("write", request.path, session));
    },
  };
  return { ...host, ...createFileHandlers(host) };
}

type Outcome = Pick<FileAccess, "bytes" | "error">;

/** Tells what came of an access, then gives it. */
async function audited(text: Promise<string>, tell: (came: Outcome) => void): Promise<string> {
  const came = await text.then(
    (done) => ({ bytes: Buffer.byteLength(done) }),
    (error: unknown) => ({ error }),
  );
  tell(came);
  return text;
}

/** Some lines of a text, with their line ends; a line number of 0 is that of the first. */
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

function checkSignal(session: HostSession): void {
  if (session.signal.aborted) throw RpcError.requestCancelled();
}
