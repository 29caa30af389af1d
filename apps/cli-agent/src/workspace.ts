import { existsSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type AgentSession, type ClientFiles, isRpcError } from "@turnkit/agent";
import { createPathCheck, type PathCheck } from "@turnkit/session/paths";
import { readRooted, resolveRooted, resolveRootedFolder, writeRooted } from "@turnkit/transport/node";
import { binary, MAX_BYTES, messageOf, notFound, outside, ToolError, tooLarge } from "./errors.js";
import { isLintable } from "./lint/oxlint.js";

/** RPC codes: a resource that does not exist, and the error of local files for a path that leads outside. */
const NOT_FOUND = -32002;
const OUTSIDE = -32602;

/** Largest part of a file that is read from the disk, in bytes. */
const MAX_PART_BYTES = 10 * MAX_BYTES;

export type Location = {
  /** Absolute. */
  readonly path: string;
  /** Name for the user: relative to the session's folder for a path below it. */
  readonly name: string;
  /** `true` for a path within the roots by its name alone. Links are followed on use. */
  readonly inside: boolean;
};

/** Patterns of the rules that cover a file, by its name or its path without links, which is `real`. */
export type Guards = { readonly real: string; readonly protectedBy?: string; readonly secretBy?: string };

/** Part of a file: from the 1-based `line` on, at most `limit` lines. */
export type LineRange = { readonly line?: number; readonly limit?: number };

/** Folder inside the roots. */
export type Folder = {
  /** Absolute; below the root no part of it is a link. */
  readonly path: string;
  /** Root that holds the folder; rules of the whole project are read there. */
  readonly root: string;
};

/** Text files inside the roots of a session, through the client (which knows unsaved changes) or on the disk. */
export type Workspace = RootedWorkspace;

/**
 * Opens the files of a session for one turn. The client offers reading and writing separately; the disk serves the one
 * that is missing.
 *
 * @param check rules of protected and secret files; default: those of turnkit
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

  locate(given: string): Location {
    const cwd = this.#cwd;
    const path = resolve(cwd, given);
    const name = isInside(cwd, path) ? relative(cwd, path) || basename(path) : path;
    return { path, name, inside: this.#roots.some((root) => isInside(root, path)) };
  }

  /**
   * Returns the rules for a file, which hold behind links too.
   *
   * @throws ToolError `outside`
   */
  async guards(given: string): Promise<Guards> {
    const { path, real } = await this.#find(given);
    const { protectedBy, secretBy } = this.#check;
    return { real, protectedBy: protectedBy(path) ?? protectedBy(real), secretBy: secretBy(path) ?? secretBy(real) };
  }

  /** Returns `true` for a file of secrets by its name. `path` is absolute and has no links. */
  isSecret(path: string): boolean {
    return this.#check.secretBy(path) !== undefined;
  }

  /**
   * Reads a file of up to 1 MB, or a part of any file.
   *
   * @throws ToolError with the code of the reason
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
   * Reads a file from the disk, without unsaved changes of the client.
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

  /** @throws ToolError `outside`, or `failed` with the reason. */
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
   * @throws ToolError `outside`, `not_found`, or `unsupported` if all files are the client's
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
      // The path is built from the root as the session names it, which may be a link itself.
      if (isInside(real, found)) return { path: join(root, relative(real, found)), root };
    }
    throw outside(name);
  }

  /**
   * Locates a path inside the roots; `isHere` is `true` for a file on this disk, and `real` its path without links. A
   * link that leads outside is refused here, because the client may not know it.
   */
  async #find(given: string): Promise<Location & { readonly isHere: boolean; readonly real: string }> {
    const location = this.locate(given);
    const { path, name, inside } = location;
    if (!inside) throw outside(name);
    // Without a root on this machine the files are the client's, and so is the check.
    if (this.#rootsHere().length === 0) return { ...location, isHere: false, real: path };
    try {
      const { path: real, exists } = await resolveRooted(path, this.#roots);
      return { ...location, isHere: exists, real };
    } catch (error) {
      if (isRpcError(error, OUTSIDE)) throw outside(name);
      throw unreadable(name, error);
    }
  }

  #rootsHere(): readonly string[] {
    return this.#roots.filter((root) => existsSync(root));
  }
}

const LISTED_FILES = 8;

/**
 * Refuses a file by its kind and size, before a client is asked to send it. `path` is inside the session's folders.
 *
 * @throws ToolError `directory`, `unreadable` or `too_large`
 */
async function refuseUnreadable(path: string, name: string, maxBytes = MAX_BYTES): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new ToolError("directory", `\`${name}\` is a folder.${await suggestFiles(path)}`);
  if (found?.isFile() === false) throw new ToolError("unreadable", `\`${name}\` is not a regular file.`);
  if (found !== undefined && found.size > maxBytes) throw tooLarge(name, found.size);
}

async function suggestFiles(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter(isLintable).sort();
  if (names.length === 0) return "";
  const more = names.length > LISTED_FILES ? `, and ${names.length - LISTED_FILES} more` : "";
  return ` It holds ${names.slice(0, LISTED_FILES).join(", ")}${more}.`;
}

/**
 * Returns the text.
 *
 * @throws ToolError for one that is too long or binary
 */
function checked(text: string, name: string): string {
  if (text.length > MAX_BYTES) throw tooLarge(name, Buffer.byteLength(text));
  if (text.includes("\0")) throw binary(name);
  return text;
}

/** Returns the reason for a missing folder: it leads outside, is a file, or does not exist. */
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

/** Returns the reason of an error, which local files and most clients keep in its data. */
function reasonOf(error: unknown): string {
  const data = isRpcError(error) ? (error.data as { details?: unknown } | undefined) : undefined;
  return typeof data?.details === "string" ? data.details : messageOf(error);
}

/** Returns `true` if `path` is `root` or below it, by the names alone. */
function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
