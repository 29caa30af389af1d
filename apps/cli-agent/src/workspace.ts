import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { type AgentSession, type ClientFiles, isRpcError } from "@turnkit/agent";
import { createPathCheck, type PathCheck } from "@turnkit/session/paths";
import {
  findRepositoryFolder,
  isInside,
  openRooted,
  readRooted,
  resolveRooted,
  resolveRootedFolder,
  writeRooted,
} from "@turnkit/transport/node";
import { MAX_BYTES, notFound, outside, ToolError } from "./errors.js";
import { checked, noFolder, reasonOf, refuseUnreadable, unreadable } from "./unreadable.js";

/** RPC code: a path leads outside of the folders. */
const OUTSIDE = -32602;

/** Largest part of a file that is read from the disk, in bytes. */
const MAX_PART_BYTES = 10 * MAX_BYTES;

/** Size of the pieces in which bytes are read. */
const READ_BYTES = 256 * 1024;

export type Location = {
  /** Absolute path. */
  readonly path: string;
  /** Name for the user. It is relative if the path is below the session's working folder. */
  readonly name: string;
  /** `true` if the path is within the roots by its name. Links are not followed here. Links are followed on use. */
  readonly inside: boolean;
};

/** Patterns that match the path of a file. `real` is the path after its links were followed. */
export type Guards = { readonly real: string; readonly protectedBy?: string; readonly secretBy?: string };

/** Part of a file that starts at `line` (the first line is 1) and has at most `limit` lines. */
export type LineRange = { readonly line?: number; readonly limit?: number };

/** Folder inside the roots. */
export type Folder = {
  /** Absolute path. Below the root, no part of it is a link. */
  readonly path: string;
  /** Root that contains the folder. Rules of the whole project, such as `.gitignore`, are read there. */
  readonly root: string;
};

/**
 * Text files inside the roots of a session. The client offers them with unsaved changes; otherwise they come from the
 * disk.
 */
export type Workspace = RootedWorkspace;

/**
 * Opens the files of a session for one turn. A client can offer reading, writing, or both. The disk is used for a part
 * that the client does not offer.
 *
 * @param check rules for protected and secret files; default: the rules of turnkit
 */
export function createWorkspace(
  session: Pick<AgentSession, "cwd" | "roots">,
  client: ClientFiles = {},
  check: PathCheck = createPathCheck(),
): Workspace {
  return new RootedWorkspace(session, client, check);
}

class RootedWorkspace {
  readonly #cwd: string;
  readonly #roots: readonly string[];
  readonly #client: ClientFiles;
  readonly #check: PathCheck;

  constructor({ cwd, roots }: Pick<AgentSession, "cwd" | "roots">, client: ClientFiles, check: PathCheck) {
    this.#cwd = cwd;
    this.#roots = roots;
    this.#client = client;
    this.#check = check;
  }

  get roots(): readonly string[] {
    return this.#roots;
  }

  /**
   * Returns the path of a file or a folder after its links. The path may be missing.
   *
   * @throws ToolError `outside` for a path outside of the roots
   */
  async real(given: string): Promise<string> {
    return (await this.#find(given)).real;
  }

  locate(given: string): Location {
    const cwd = this.#cwd;
    const path = resolve(cwd, given);
    const name = isInside(path, [cwd]) ? relative(cwd, path) || basename(path) : path;
    return { path, name, inside: this.#roots.some((root) => isInside(path, [root])) };
  }

  /**
   * Returns the patterns that match a file. The path that its links lead to is matched too.
   *
   * @throws ToolError `outside` for a path outside of the roots
   */
  async guards(given: string): Promise<Guards> {
    const { path, real, realRoots } = await this.#find(given);
    const { protectedBy, secretBy } = this.#check;
    const byPath = protectedBy(path) ?? protectedBy(real);
    const repository = byPath === undefined ? await findRepositoryFolder(real, realRoots) : undefined;
    return {
      real,
      protectedBy: byPath ?? (repository && "a repository of Git"),
      secretBy: secretBy(path) ?? secretBy(real),
    };
  }

  /** Returns `true` if the name of a file matches a pattern for secrets. `path` is absolute and contains no links. */
  isSecret(path: string): boolean {
    return this.#check.secretBy(path) !== undefined;
  }

  /**
   * Reads a file of up to 1 MB, or a part of any file.
   *
   * @throws ToolError whose code is the reason
   */
  async read(given: string, signal: AbortSignal, range?: LineRange): Promise<string> {
    const { path, name, isHere } = await this.#find(given);
    const { read } = this.#client;
    if (isHere) await refuseUnreadable(path, name, range ? Number.POSITIVE_INFINITY : MAX_BYTES);
    else if (!read) throw notFound(name);
    const local = () => readRooted(path, this.#roots, { ...range, maxBytes: MAX_PART_BYTES, signal });
    const text = await (read?.(path, range) ?? local()).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unreadable(name, error);
    });
    return checked(text, name);
  }

  /**
   * Reads the first bytes of a file on this machine. Returns `undefined` if this machine has no such file.
   *
   * @throws ToolError `outside`, or `unreadable` with the reason
   */
  async readBytes(given: string, signal: AbortSignal, most: number): Promise<Buffer | undefined> {
    const { path, name, isHere } = await this.#find(given);
    if (!isHere) return undefined;
    await refuseUnreadable(path, name, Number.POSITIVE_INFINITY);
    const handle = await openRooted(path, this.#roots).catch((error: unknown) => {
      throw unreadable(name, error);
    });
    const chunks: Buffer[] = [];
    try {
      for (let left = most; left > 0; ) {
        signal.throwIfAborted();
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(left, READ_BYTES)));
        if (bytesRead === 0) break;
        chunks.push(buffer.subarray(0, bytesRead));
        left -= bytesRead;
      }
    } finally {
      await handle.close();
    }
    return Buffer.concat(chunks);
  }

  /**
   * Reads a file from the disk, without the client's unsaved changes.
   *
   * @throws ToolError as `read`
   */
  async readLocal(given: string, signal?: AbortSignal): Promise<string> {
    const { path, name, inside } = this.locate(given);
    if (!inside) throw outside(name);
    await refuseUnreadable(path, name);
    const text = await readRooted(path, this.#roots, { maxBytes: MAX_PART_BYTES, signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw unreadable(name, error);
    });
    return checked(text, name);
  }

  /**
   * Writes a file.
   *
   * @throws ToolError `outside`, or `failed` with the reason
   */
  async write(given: string, text: string, signal: AbortSignal): Promise<void> {
    const { path, name } = await this.#find(given);
    signal.throwIfAborted();
    try {
      await (this.#client.write?.(path, text) ?? writeRooted(path, this.#roots, text));
    } catch (error) {
      signal.throwIfAborted();
      throw new ToolError("failed", `\`${name}\` could not be written: ${reasonOf(error)}`);
    }
  }

  /**
   * Returns a folder of this machine.
   *
   * @throws ToolError `outside`, `not_found`, or `unsupported` if all files are on the client's machine
   */
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
      // The path starts with the session's name for the root, which may be a link itself.
      if (isInside(found, [real])) return { path: join(root, relative(real, found)), root };
    }
    throw outside(name);
  }

  /**
   * Locates a path inside the roots. `isHere` is `true` for a file on this disk. `real` and `realRoots` are the paths
   * after their links. A link that leads outside is refused here, because the client may not know that it is a link.
   */
  async #find(given: string): Promise<Location & Found> {
    const location = this.locate(given);
    const { path, name, inside } = location;
    if (!inside) throw outside(name);
    // No root is on this machine, so the client owns the files and checks the paths.
    if (this.#rootsHere().length === 0) return { ...location, isHere: false, real: path, realRoots: [] };
    try {
      const { path: real, exists, roots: realRoots } = await resolveRooted(path, this.#roots);
      return { ...location, isHere: exists, real, realRoots };
    } catch (error) {
      if (isRpcError(error, OUTSIDE)) throw outside(name);
      throw unreadable(name, error);
    }
  }

  #rootsHere(): readonly string[] {
    return this.#roots.filter((root) => existsSync(root));
  }
}

type Found = { readonly isHere: boolean; readonly real: string; readonly realRoots: readonly string[] };
