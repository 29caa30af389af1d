import { rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ListSessions, SessionInfo, SessionPage } from "@turnkit/session";
import { checkArgument, checkOptions, checkPath, type OptionTypes } from "@turnkit/transport";
import { folderOf } from "../absolute-path.js";
import { keepSessions } from "../persistence.js";
import { isSessionLogError, type SessionLog, SessionLogError, type SessionLogWriter } from "../session-log.js";
import { adoptDraft, draftLog, readEvents, readInfo, scanLog, writeInfo } from "./log-file.js";
import {
  files,
  folderName,
  isCode,
  makeFolder,
  openFile,
  removeFolder,
  removeLeftovers,
  sessionFolders,
  statOf,
  syncFolder,
} from "./log-folder.js";
import { type LogLock, lockFolder } from "./log-lock.js";
import { FileLogWriter, type LogLimits } from "./log-writer.js";

/** Options of {@link createFileLog}. */
export type FileLogOptions = {
  /** Maximum size of a record in bytes. A record is an event as JSON, plus 14 bytes. @defaultValue 32 MiB */
  readonly maxRecordBytes?: number;
  /**
   * Size of a session's file at which the file is compacted, in bytes. The next compaction follows when the size has
   * doubled.
   * @defaultValue 16 MiB
   */
  readonly compactBytes?: number;
  /** Number of sessions on each page of a list. @defaultValue 100 */
  readonly pageSize?: number;
  /** Called when an opened session's file contains damaged records, or an unfinished record at the end. */
  readonly onRepair?: (repair: LogRepair) => void;
};

/** Damage of a session's file, found at its opening. */
export type LogRepair = {
  readonly sessionId: string;
  /**
   * Number of bytes that were removed from the end of the file: an unfinished record, and damaged records after the last
   * good one.
   */
  readonly cutBytes: number;
  /**
   * Number of records before the end that are ignored. Their checksums are wrong, or they are larger than `maxRecordBytes`.
   */
  readonly damagedRecords: number;
};

/**
 * Creates a session log in a folder of this machine. Each session has a folder of its own. The session's log is a file of
 * JSON lines, each with a checksum.
 *
 * - The folder is created on the first use.
 * - Several processes may share the folder. A session has one writer at a time, and the lock of a dead process is taken
 *   over.
 * - Several machines may share the folder only if their clocks agree.
 *
 * @throws TypeError for an empty folder name, or a name that begins with `~`, which only a shell replaces
 * @throws TypeError for a name with a part `undefined`, `null` or `NaN`, which a variable without a value leaves
 * @throws TypeError for sizes that are not numbers above 0
 *
 * @example
 * export default createAgent({ log: createFileLog(join(homedir(), ".reader/sessions")), info, newSession, prompt });
 */
export function createFileLog(folder: string, options: FileLogOptions = {}): SessionLog {
  const { maxRecordBytes = 32 * 1024 * 1024, compactBytes = 16 * 1024 * 1024, pageSize = 100 } = options;
  if (folder === "") throw new TypeError("createFileLog needs a folder.");
  const remedy = 'pass the folder of the log, such as join(homedir(), ".my-agent/sessions")';
  checkArgument(typeof folder === "string", "createFileLog", { got: folder, remedy });
  checkPath("createFileLog", folder);
  for (const [name, got] of Object.entries({ maxRecordBytes, compactBytes, pageSize })) {
    const isSound = typeof got === "number" && got > 0;
    checkArgument(isSound, `createFileLog ${name}`, { got, remedy: "pass a number above 0" });
  }
  checkOptions("createFileLog", options, NAMES);
  const root = resolve(folder);
  const store: Store = { root, limits: { maxRecordBytes, compactBytes }, onRepair: options.onRepair };
  return {
    keep: keepSessions,
    open: (sessionId, info) => (info === undefined ? reopen(store, sessionId) : create(store, sessionId, info)),
    async *read(sessionId) {
      try {
        yield* readEvents(join(root, folderName(sessionId), files.log), maxRecordBytes);
      } catch (error) {
        throw typed(error, sessionId);
      }
    },
    list: (query) => list(store, query, pageSize),
    async delete(sessionId) {
      try {
        const lock = await lockFolder(join(root, folderName(sessionId)), sessionId);
        try {
          await removeFolder(root, folderName(sessionId));
        } finally {
          await lock.release();
        }
      } catch (error) {
        if (!isCode(error, "ENOENT")) throw typed(error, sessionId);
      }
    },
  };
}

const NAMES: OptionTypes<FileLogOptions> = {
  ...{ maxRecordBytes: "number", compactBytes: "number", pageSize: "number", onRepair: "function" },
};

type Store = {
  readonly root: string;
  readonly limits: LogLimits;
  readonly onRepair: FileLogOptions["onRepair"];
};

async function create({ root, limits }: Store, sessionId: string, info: SessionInfo): Promise<SessionLogWriter> {
  const name = folderName(sessionId);
  const folder = join(root, name);
  let lock: LogLock | undefined;
  try {
    await makeFolder(folder);
    lock = await lockFolder(folder, sessionId);
    const path = join(folder, files.log);
    if ((await statOf(path)) !== undefined) throw new SessionLogError("exists", `Session ${sessionId} already exists.`);
    const header = { ...info, sessionId };
    await draftLog(folder, { info: header, events: [], maxRecordBytes: limits.maxRecordBytes });
    await adoptDraft(folder);
    await syncFolder(root);
    await writeInfo(folder, header);
    const file = await openFile(path, "write");
    const { size } = await file.stat();
    return new FileLogWriter({ folder, info: header, header, size, lock, limits, file });
  } catch (error) {
    // A session that could not be created leaves no folder, so that its id stays free.
    if (lock !== undefined && (!isSessionLogError(error) || isSessionLogError(error, "too_large")))
      await removeFolder(root, name).catch(() => undefined);
    await lock?.release();
    // The folder is still empty if the disk had no room for a lock.
    await rmdir(folder).catch(() => undefined);
    throw typed(error, sessionId);
  }
}

async function reopen({ root, limits, onRepair }: Store, sessionId: string): Promise<SessionLogWriter> {
  const folder = join(root, folderName(sessionId));
  const path = join(folder, files.log);
  let lock: LogLock | undefined;
  try {
    // Checked before the lock, so that a request for an unknown session leaves no files.
    if ((await statOf(path)) === undefined) {
      throw new SessionLogError("not_found", `There is no session ${sessionId} in ${root}.`);
    }
    lock = await lockFolder(folder, sessionId);
    await removeLeftovers(folder);
    const file = await openFile(path, "write");
    try {
      const { info, header, size, damaged } = await scanLog(path, file, limits.maxRecordBytes);
      const cutBytes = (await file.stat()).size - size;
      if (cutBytes > 0) {
        await file.truncate(size);
        await file.datasync();
      }
      if (cutBytes > 0 || damaged > 0) onRepair?.({ sessionId, cutBytes, damagedRecords: damaged });
      const writer = new FileLogWriter({ folder, info, header, size, file, lock, limits });
      await writeInfo(folder, info);
      await writer.compactIfLarge();
      return writer;
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    await lock?.release();
    throw typed(error, sessionId);
  }
}

/**
 * Returns a page of sessions, the most recently written first. A cursor identifies the last session of a page. A session
 * that cannot be read, such as another user's session, is left out.
 */
async function list({ root, limits }: Store, { cwd, cursor }: ListSessions, pageSize: number): Promise<SessionPage> {
  const logs = (await Promise.all((await sessionFolders(root)).map((name) => storedLog(root, name))))
    .filter((log) => log !== undefined)
    .sort(newestFirst);
  const after = cursor == null ? undefined : readCursor(cursor);
  const sessions: SessionInfo[] = [];
  let last: StoredLog | undefined;
  for (const log of logs) {
    if (after !== undefined && newestFirst(log, after) <= 0) continue;
    const info = await readInfo(join(root, log.name), limits.maxRecordBytes);
    if (info === undefined || (cwd != null && folderOf(info.cwd) !== folderOf(cwd))) continue;
    if (sessions.length === pageSize && last !== undefined) return { sessions, nextCursor: writeCursor(last) };
    sessions.push({ ...info, updatedAt: info.updatedAt ?? new Date(log.written).toISOString() });
    last = log;
  }
  return { sessions };
}

type StoredLog = { readonly name: string; readonly written: number };

async function storedLog(root: string, name: string): Promise<StoredLog | undefined> {
  try {
    const found = await statOf(join(root, name, files.log));
    return found && { name, written: Math.trunc(found.mtimeMs) };
  } catch (error) {
    if (isCode(error, "EACCES", "EPERM", "ELOOP")) return undefined;
    throw error;
  }
}

const newestFirst = (one: StoredLog, other: StoredLog): number =>
  other.written - one.written || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);

const writeCursor = ({ name, written }: StoredLog): string => `${written}.${name}`;

function readCursor(cursor: string): StoredLog {
  const [, written, name] = /^(\d{1,16})\.([sh]-[a-z0-9-]{1,64})$/.exec(cursor) ?? [];
  if (written === undefined || name === undefined)
    throw new SessionLogError("cursor", "The cursor is unknown. Begin the list again without a cursor.");
  return { name, written: Number(written) };
}

/** Converts an error of the system into a failure of the log. */
function typed(error: unknown, sessionId: string): unknown {
  if (isCode(error, "ENOENT")) return new SessionLogError("not_found", `There is no session ${sessionId}.`);
  if (!(error instanceof Error && "syscall" in error)) return error;
  const text = `The log of session ${sessionId} could not be opened: ${error.message}.`;
  return new SessionLogError("failed", text, { cause: error });
}
