import { lstat, open, readdir, realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { isInside } from "@turnkit/transport/node";
import type { Readable } from "./readable-folders.js";
import { SandboxError } from "./sandbox.js";

/** Maximum number of files and folders in one root that are searched for sockets. */
const MAX_ENTRIES = 200_000;

/** Maximum size of the kernel's table, in bytes. A line has about 100 bytes. */
const MAX_TABLE = 16 * 1024 * 1024;

/** Maximum number of sockets outside of the session's folders that are hidden. Each is a mount. */
const MAX_HIDDEN = 200;

const PARALLEL = 16;

/** Finds sockets of other programs, which no command may use. */
export type SocketSearch = {
  /**
   * Returns the sockets in a folder. The search reads every level, also of installed packages, because one level is not
   * enough there. It runs once for each folder of the session, and ends at {@link MAX_ENTRIES}. Links are not followed.
   */
  readonly in: (folder: string) => Promise<readonly string[]>;
  /** Returns the sockets that the kernel knows now, at their real paths. Sockets of containers are not included. */
  readonly known: () => Promise<readonly string[]>;
};

type Options = { readonly maxEntries?: number; readonly table?: string };

export function createSocketSearch({ maxEntries = MAX_ENTRIES, table = "/proc/net/unix" }: Options = {}): SocketSearch {
  const searches = new Map<string, Promise<readonly string[]>>();
  return {
    async in(folder) {
      const search = searches.get(folder) ?? walk(folder, maxEntries);
      searches.set(folder, search);
      return existing(await search);
    },
    known: async () => existing(await boundPaths(table)),
  };
}

/** Searches level by level, so that a large folder does not use up the limit before the folders beside it. */
async function walk(root: string, maxEntries: number): Promise<readonly string[]> {
  const sockets: string[] = [];
  let entries = 0;
  let waiting = [root];
  while (waiting.length > 0 && entries < maxEntries) {
    const next: string[] = [];
    for (let at = 0; at < waiting.length && entries < maxEntries; at += PARALLEL) {
      const read = async (folder: string): Promise<void> => {
        const listed = await readdir(folder, { withFileTypes: true }).catch(() => []);
        entries += listed.length;
        for (const entry of listed) {
          if (entry.isDirectory()) next.push(`${folder}/${entry.name}`);
          else if (entry.isSocket()) sockets.push(`${folder}/${entry.name}`);
        }
      };
      await Promise.all(waiting.slice(at, at + PARALLEL).map(read));
    }
    waiting = next;
  }
  return sockets;
}

/**
 * Reads the absolute paths of the kernel's table. A name with `@` at its start is not in a folder, and the folder of a
 * relative path is unknown.
 */
async function boundPaths(table: string): Promise<readonly string[]> {
  const lines = (await readStart(table)).split("\n");
  const paths = lines.flatMap((line) => /^[\da-f]+:(?: +[\da-f]+){5} +\d+ (.+)$/i.exec(line)?.[1] ?? []);
  return [...new Set(paths)].filter((path) => isAbsolute(path));
}

/** Returns no text if the table does not exist, such as on macOS. */
async function readStart(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return "";
  try {
    const parts: Buffer[] = [];
    let size = 0;
    // A file of the kernel has no size in advance.
    while (size < MAX_TABLE) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(64 * 1024) });
      if (bytesRead === 0) break;
      parts.push(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
    return Buffer.concat(parts).toString();
  } finally {
    await file.close();
  }
}

/** Returns the real paths of the sockets that still exist. Nothing can be mounted on a path that does not exist. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const checked = paths.map(async (path) => {
    const real = await realpath(path).catch(() => undefined);
    const found = real === undefined ? undefined : await lstat(real).catch(() => undefined);
    return real !== undefined && found?.isSocket() ? real : undefined;
  });
  return (await Promise.all(checked)).flatMap((path) => path ?? []);
}

/**
 * Returns the paths at which commands would see these sockets outside of the session's folders. A visible folder may be
 * a link.
 *
 * @throws SandboxError for more than {@link MAX_HIDDEN} paths
 */
export async function socketsShown(
  sockets: readonly string[],
  readables: readonly Readable[],
): Promise<readonly string[]> {
  if (sockets.length === 0) return [];
  const found = readables.map(async ({ kind, path }) => {
    const real = kind === "folder" ? await realpath(path).catch(() => undefined) : undefined;
    if (real === undefined) return [];
    return sockets.flatMap((socket) => (isInside(socket, [real]) ? path + socket.slice(real.length) : []));
  });
  const shown = [...new Set((await Promise.all(found)).flat())];
  if (shown.length > MAX_HIDDEN) throw new SandboxError(`the system's folders hold more than ${MAX_HIDDEN} sockets`);
  return shown;
}
