import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type AgentSession, type ClientFiles, isRpcError } from "@turnkit/agent";
import { createLocalFiles } from "@turnkit/agent/node";
import { resolveRootedFolder } from "@turnkit/transport/node";
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

/** A part of a file: from the 1-based `line` on, at most `limit` lines. */
export type LineRange = { readonly line?: number; readonly limit?: number };

/** A folder inside the roots. */
export type Folder = {
  /** Absolute; below the root no part of it is a link. */
  readonly path: string;
  /** The root that it is in: what holds for the whole project is looked up there. */
  readonly root: string;
};

/** The text files inside the roots of a session, through the client (which knows unsaved changes) or on the disk. */
export interface Workspace {
  locate(path: string): Location;
  /** All of a file of up to 1 MB, or a part. @throws ToolError whose code says why there is no text to be had. */
  read(path: string, signal: AbortSignal, range?: LineRange): Promise<string>;
  /** All of a file as it is on the disk, whatever the client has open. @throws ToolError as `read` */
  readLocal(path: string): Promise<string>;
  /** @throws ToolError `outside`, or `failed` with the reason. */
  write(path: string, text: string, signal: AbortSignal): Promise<void>;
  /** A folder of this machine. @throws ToolError `outside`, `not_found`, or `unsupported` where all is the client's. */
  folder(path: string): Promise<Folder>;
}

/**
 * Opens the files of a session for one turn. Reading and writing are two offers of a client: what it does not offer
 * goes to the disk.
 */
export function createWorkspace(session: Pick<AgentSession, "cwd" | "roots">, client: ClientFiles = {}): Workspace {
  return new RootedWorkspace(session, client);
}

class RootedWorkspace implements Workspace {
  readonly #cwd: string;
  readonly #roots: readonly string[];
  readonly #client: ClientFiles;
  readonly #local: ReturnType<typeof createLocalFiles>;

  constructor({ cwd, roots }: Pick<AgentSession, "cwd" | "roots">, client: ClientFiles) {
    this.#cwd = cwd;
    this.#roots = roots;
    this.#client = client;
    this.#local = createLocalFiles(roots);
  }

  locate(given: string): Location {
    const cwd = this.#cwd;
    const path = resolve(cwd, given);
    const name = isInside(cwd, path) ? relative(cwd, path) || basename(path) : path;
    return { path, name, inside: this.#roots.some((root) => isInside(root, path)) };
  }

  async read(given: string, signal: AbortSignal, range?: LineRange): Promise<string> {
    const location = this.locate(given);
    const { path, name } = location;
    const { read } = this.#client;
    if (await this.#isHere(location)) await refuseUnreadable(path, name, range ? Number.POSITIVE_INFINITY : MAX_BYTES);
    else if (!read) throw notFound(name);
    const text = await (read ?? this.#local.read)(path, range).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unreadable(name, error);
    });
    return checked(text, name);
  }

  async readLocal(given: string): Promise<string> {
    const { path, name, inside } = this.locate(given);
    if (!inside) throw outside(name);
    await refuseUnreadable(path, name);
    const text = await this.#local.read(path).catch((error: unknown) => {
      throw unreadable(name, error);
    });
    return checked(text, name);
  }

  async write(given: string, text: string, signal: AbortSignal): Promise<void> {
    const location = this.locate(given);
    const { path, name } = location;
    await this.#isHere(location);
    signal.throwIfAborted();
    try {
      await (this.#client.write ?? this.#local.write)(path, text);
    } catch (error) {
      signal.throwIfAborted();
      throw new ToolError("failed", `\`${name}\` could not be written: ${reasonOf(error)}`);
    }
  }

  async folder(given: string): Promise<Folder> {
    const { path, name, inside } = this.locate(given);
    if (!inside) throw outside(name);
    const here = this.#rootsHere();
    if (here.length === 0) {
      throw new ToolError("unsupported", "The files are on the client's machine: they can be read, but not listed.");
    }
    const found = await resolveRootedFolder(path, here).catch(async (error: unknown) => {
      throw await noFolder(path, name, error);
    });
    for (const root of here) {
      const real = await realpath(root);
      // Named from the root as the session knows it, which may be a link itself.
      if (isInside(real, found)) return { path: join(root, relative(real, found)), root };
    }
    throw outside(name);
  }

  /** Whether the file is on this disk. A client must not be led outside either, by a link that it may not know. */
  async #isHere({ path, name, inside }: Location): Promise<boolean> {
    if (!inside) throw outside(name);
    // If no root is on this machine, the files are the client's, and so is the judgement.
    if (this.#rootsHere().length === 0) return false;
    // Nothing is read: this asks where the path leads.
    const error = await this.#local.read(path, { limit: 0 }).then(undefined, (reason: unknown) => reason);
    if (isRpcError(error, OUTSIDE)) throw outside(name);
    return !isRpcError(error, NOT_FOUND);
  }

  #rootsHere(): readonly string[] {
    return this.#roots.filter((root) => existsSync(root));
  }
}

/** @throws ToolError for what is too long or no text */
function checked(text: string, name: string): string {
  if (text.length > MAX_BYTES) throw tooLarge(name, Buffer.byteLength(text));
  if (text.includes("\0")) throw binary(name);
  return text;
}

/** Why there is no such folder: it leads outside, is a file, or is not there. */
async function noFolder(path: string, name: string, error: unknown): Promise<ToolError> {
  const data = reasonOf(error);
  if (data.includes("outside")) return outside(name);
  const found = await stat(path).catch(() => undefined);
  return found ? new ToolError("not_found", `\`${name}\` is a file and no folder.`) : notFound(name);
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
