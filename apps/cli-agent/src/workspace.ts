import { existsSync } from "node:fs";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { type AgentSession, type ClientFiles, isRpcError } from "@turnkit/agent";
import { createLocalFiles } from "@turnkit/agent/node";
import { binary, MAX_BYTES, notFound, outside, refuseUnreadable, tooLarge } from "./refusal.js";
import { messageOf, ToolError } from "./tools/tool.js";

/** The protocol's code for a resource that does not exist, and what local files say of a path that leads outside. */
const NOT_FOUND = -32002;
const OUTSIDE = -32602;

/** Where a path leads. */
export type Location = {
  /** Absolute. */
  readonly path: string;
  /** How to call it when talking to the user: from the session's folder where it is below that. */
  readonly name: string;
  /** Whether it stays within the roots, going by the names alone; links are followed when it is used. */
  readonly inside: boolean;
};

/** The text files inside the roots of a session, through the client (which knows unsaved changes) or on the disk. */
export interface Workspace {
  locate(path: string): Location;
  /** @throws ToolError whose code says why there is no text to be had. */
  read(path: string, signal: AbortSignal): Promise<string>;
  /** @throws ToolError `outside`, or `failed` with the reason. */
  write(path: string, text: string, signal: AbortSignal): Promise<void>;
}

/**
 * Opens the files of a session for one turn. Reading and writing are two offers of a client: what it does not offer
 * goes to the disk.
 */
export function createWorkspace(session: Pick<AgentSession, "cwd" | "roots">, client: ClientFiles = {}): Workspace {
  const { cwd, roots } = session;
  const local = createLocalFiles(roots);
  const locate = (given: string): Location => {
    const path = resolve(cwd, given);
    const name = isInside(cwd, path) ? relative(cwd, path) || basename(path) : path;
    return { path, name, inside: roots.some((root) => isInside(root, path)) };
  };
  /** Whether the file is on this disk. A client must not be led outside either, by a link that it may not know. */
  const isHere = async ({ path, name, inside }: Location): Promise<boolean> => {
    if (!inside) throw outside(name);
    // If no root is on this machine, the files are the client's, and so is the judgement.
    if (!roots.some((root) => existsSync(root))) return false;
    // Nothing is read: this asks where the path leads.
    const error = await local.read(path, { limit: 0 }).then(undefined, (reason: unknown) => reason);
    if (isRpcError(error, OUTSIDE)) throw outside(name);
    return !isRpcError(error, NOT_FOUND);
  };

  return {
    locate,
    async read(given, signal) {
      const location = locate(given);
      const { path, name } = location;
      if (await isHere(location)) await refuseUnreadable(path, name);
      else if (!client.read) throw notFound(name);
      const text = await (client.read ?? local.read)(path).catch((error: unknown) => {
        signal.throwIfAborted();
        throw unreadable(name, error);
      });
      if (text.length > MAX_BYTES) throw tooLarge(name, Buffer.byteLength(text));
      if (text.includes("\0")) throw binary(name);
      return text;
    },
    async write(given, text, signal) {
      const location = locate(given);
      const { path, name } = location;
      await isHere(location);
      signal.throwIfAborted();
      try {
        await (client.write ?? local.write)(path, text);
      } catch (error) {
        signal.throwIfAborted();
        throw new ToolError("failed", `\`${name}\` could not be written: ${reasonOf(error)}`);
      }
    },
  };
}

function unreadable(name: string, error: unknown): ToolError {
  if (isRpcError(error, NOT_FOUND)) return notFound(name);
  const reason = reasonOf(error);
  return reason.endsWith("not UTF-8 text")
    ? binary(name)
    : new ToolError("unreadable", `\`${name}\` cannot be read: ${reason}`);
}

/** Local files and most clients keep the reason in the error's data. */
function reasonOf(error: unknown): string {
  const data = isRpcError(error) ? (error.data as { details?: unknown } | undefined) : undefined;
  return typeof data?.details === "string" ? data.details : messageOf(error);
}

/** Whether `path` is `root` or below it, going by the names alone. */
function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
