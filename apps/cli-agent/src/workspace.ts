import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import type { AgentSession, ClientFiles } from "@turnkit/agent";
import { createPathCheck, type PathCheck } from "@turnkit/session/paths";
import { isRpcError, rpcErrorCode } from "@turnkit/transport";
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

/** Largest part of a file that is read from the disk, in bytes. */
const MAX_PART_BYTES = 10 * MAX_BYTES;

export type Location = {
  readonly path: string;
  /** Name for the user. It is relative if the path is below the session's working folder. */
  readonly name: string;
  /** `true` if the path is within the roots by its name. Links are followed only when the path is used. */
  readonly inside: boolean;
};

/** Patterns that match the path of a file. `real` is the path after its links were followed. */
export type Guards = { readonly real: string; readonly protectedBy?: string; readonly secretBy?: string };

/** Part of a file that starts at `line` (the first line is 1) and has at most `limit` lines. */
export type LineRange = { readonly line?: number; readonly limit?: number };

/** Part of a file to read. */
export type Reading = {
  /** Absent for the whole file. */
  readonly range?: LineRange;
  /** Real path of the file that was checked. If the path leads to another file now, nothing is read from the disk. */
  readonly real?: string;
};

/** Folder inside the roots. */
export type Folder = {
  /** Absolute path. Below the root, no part of it is a link. */
  readonly path: string;
  /** Path after its links, which also resolves a root that is a link. */
  readonly real: string;
  /** Root that contains the folder. Rules of the whole project, such as `.gitignore`, are read there. */
  readonly root: string;
};

/**
 * Text files inside the roots of a session. If the client offers files, their text includes unsaved changes. Otherwise,
 * the text comes from the disk.
 */
export type Workspace = ReturnType<typeof createWorkspace>;

type Found = Location & { readonly isHere: boolean; readonly real: string; readonly realRoots: readonly string[] };

/**
 * Opens the files of a session for one turn. A client can offer reading, writing, or both. The disk is used for a part
 * that the client does not offer.
 *
 * @param check rules for protected and secret files; default: the rules of turnkit
 */
export function createWorkspace(
  { cwd, roots }: Pick<AgentSession, "cwd" | "roots">,
  client: ClientFiles = {},
  check: PathCheck = createPathCheck(),
) {
  const { protectedBy, secretBy } = check;
  const rootsHere = () => roots.filter((root) => existsSync(root));

  const locate = (given: string): Location => {
    const path = resolve(cwd, given);
    const name = isInside(path, [cwd]) ? relative(cwd, path) || basename(path) : path;
    return { path, name, inside: isInside(path, roots) };
  };

  /**
   * Locates a path inside the roots. `isHere` is `true` for a file on this disk. `real` and `realRoots` are the paths
   * after their links. A link that leads outside is refused here, because the client may not know that it is a link.
   */
  const find = async (given: string): Promise<Found> => {
    const location = locate(given);
    const { path, name, inside } = location;
    if (!inside) throw outside(name);
    // No root is on this machine, so the client owns the files and checks the paths.
    if (rootsHere().length === 0) return { ...location, isHere: false, real: path, realRoots: [] };
    try {
      const { path: real, exists, roots: realRoots } = await resolveRooted(path, roots);
      return { ...location, isHere: exists, real, realRoots };
    } catch (error) {
      if (isRpcError(error, rpcErrorCode.invalidParams)) throw outside(name);
      throw unreadable(name, error);
    }
  };

  const readDisk = (path: string, options: LineRange & { readonly real?: string; readonly signal?: AbortSignal }) =>
    readRooted(path, roots, { ...options, maxBytes: MAX_PART_BYTES });

  return {
    roots,
    locate,

    /**
     * Returns the path of a file or a folder after its links. The path may be missing.
     *
     * @throws ToolError `outside` for a path outside of the roots
     */
    real: async (given: string): Promise<string> => (await find(given)).real,

    /**
     * Returns the patterns that match a file. The real path of the file is matched too.
     *
     * @throws ToolError `outside` for a path outside of the roots
     */
    async guards(given: string): Promise<Guards> {
      const { path, real, realRoots } = await find(given);
      const byPath = protectedBy(path) ?? protectedBy(real);
      const repository = byPath === undefined ? await findRepositoryFolder(real, realRoots) : undefined;
      return {
        real,
        protectedBy: byPath ?? (repository && "a repository of Git"),
        secretBy: secretBy(path) ?? secretBy(real),
      };
    },

    /** Returns `true` if the name of a file matches a pattern for secrets. `path` is absolute and contains no links. */
    isSecret: (path: string): boolean => secretBy(path) !== undefined,

    /**
     * Reads a file of up to 1 MB, or a part of any file.
     *
     * @throws ToolError whose code is the reason
     */
    async read(given: string, signal: AbortSignal, { range, real }: Reading = {}): Promise<string> {
      const { path, name, isHere } = await find(given);
      if (isHere) await refuseUnreadable(path, name, range ? Number.POSITIVE_INFINITY : MAX_BYTES);
      else if (!client.read) throw notFound(name);
      return textOf(name, signal, client.read?.(path, range) ?? readDisk(path, { ...range, real, signal }));
    },

    /**
     * Reads the first bytes of a file on this machine. Returns `undefined` if this machine has no such file. `real` is
     * the real path of the file that was checked.
     *
     * @throws ToolError `outside`, or `unreadable` with the reason
     */
    async readBytes(
      given: string,
      signal: AbortSignal,
      { most, real }: { readonly most: number; readonly real: string },
    ): Promise<Buffer | undefined> {
      const { path, name, isHere } = await find(given);
      if (!isHere) return undefined;
      await refuseUnreadable(path, name, Number.POSITIVE_INFINITY);
      const handle = await openRooted(path, roots, { real }).catch((error: unknown) => {
        throw unreadable(name, error);
      });
      // The end of the stream closes the file.
      return buffer(handle.createReadStream({ end: most - 1, signal })).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
    },

    /**
     * Reads a file from the disk, without the client's unsaved changes. `real` is the real path of the file that was
     * checked.
     *
     * @throws ToolError as `read`
     */
    async readLocal(given: string, { real, signal }: { readonly real: string; readonly signal?: AbortSignal }) {
      const { path, name, inside } = locate(given);
      if (!inside) throw outside(name);
      await refuseUnreadable(path, name);
      return textOf(name, signal, readDisk(path, { real, signal }));
    },

    /**
     * Writes a file. `real` is the real path of the file that was checked. If the path leads to another file now, nothing
     * is written to the disk.
     *
     * @throws ToolError `outside`, or `failed` with the reason
     */
    async write(given: string, text: string, signal: AbortSignal, { real }: Pick<Reading, "real"> = {}): Promise<void> {
      const { path, name } = await find(given);
      signal.throwIfAborted();
      try {
        await (client.write?.(path, text) ?? writeRooted(path, roots, text, { real }));
      } catch (error) {
        signal.throwIfAborted();
        throw new ToolError("failed", `\`${name}\` could not be written: ${reasonOf(error)}`);
      }
    },

    /**
     * Returns a folder of this machine.
     *
     * @throws ToolError `outside`, `not_found`, or `unsupported` if all files are on the client's machine
     */
    async folder(given: string): Promise<Folder> {
      const { path, name, inside } = locate(given);
      if (!inside) throw outside(name);
      const here = rootsHere();
      if (here.length === 0) {
        throw new ToolError("unsupported", "The files are on the client's machine: they can be read, but not listed.");
      }
      const found = await resolveRootedFolder(path, here).catch(async (error: unknown) => {
        throw await noFolder(path, name, error);
      });
      for (const root of here) {
        const real = await realpath(root);
        // The path starts with the session's name for the root, which may be a link itself.
        if (isInside(found, [real])) return { path: join(root, relative(real, found)), real: found, root };
      }
      throw outside(name);
    },
  };
}

async function textOf(name: string, signal: AbortSignal | undefined, reading: Promise<string>): Promise<string> {
  const text = await reading.catch((error: unknown) => {
    signal?.throwIfAborted();
    throw unreadable(name, error);
  });
  return checked(text, name);
}
