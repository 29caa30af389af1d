import type { FileHandle } from "node:fs/promises";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SessionEvent, SessionInfo } from "@turnkit/session";
import { SessionLogError, sessionInfoAfter } from "../session-log.js";
import { files, isCode, openFile, renameOver, syncFolder } from "./log-folder.js";
import { encodeRecord, readLines } from "./log-records.js";

/** What the first record of a log begins with. The number goes up when older readers could not read on. */
const FORMAT = "turnkit-session-log/1";

/** So much is written at once when a log is written anew, in bytes. */
const CHUNK = 1024 * 1024;

/** A log that was looked through from its beginning to its end. */
export type ScannedLog = {
  readonly info: SessionInfo;
  /** Where the last good record ends. */
  readonly size: number;
  /** How many records before it are not good. */
  readonly damaged: number;
};

/**
 * Looks through a whole log: what is wrong with it, and what a list says of it. A damaged first record is made up for by
 * what is beside the log, if a good one follows: a format of which nothing can be read is not known here.
 */
export async function scanLog(path: string, file: FileHandle, maxBytes: number): Promise<ScannedLog> {
  let info: SessionInfo | undefined;
  let size = 0;
  let damaged = 0;
  let bad = 0;
  for await (const { value, end } of readLines(file, maxBytes)) {
    if (value === undefined) {
      bad += 1;
      continue;
    }
    if (info === undefined && bad === 0) info = readHeader(path, value);
    else info = sessionInfoAfter(info ?? (await needInfoBeside(path)), value as SessionEvent);
    damaged += bad;
    bad = 0;
    size = end;
  }
  if (info === undefined) throw headerDamaged(path);
  return { info, size, damaged };
}

async function needInfoBeside(path: string): Promise<SessionInfo> {
  const info = await readInfoBeside(dirname(path));
  if (info === undefined) throw headerDamaged(path);
  return info;
}

const headerDamaged = (path: string): SessionLogError =>
  new SessionLogError("failed", `${path} is damaged: its first record is not readable.`);

/** The events of a log, as far as it is written; a damaged record is left out. */
export async function* readEvents(path: string, maxBytes: number): AsyncGenerator<SessionEvent> {
  const file = await openFile(path, "read");
  try {
    let first = true;
    for await (const { value } of readLines(file, maxBytes)) {
      if (value !== undefined && first) readHeader(path, value);
      else if (value !== undefined) yield value as SessionEvent;
      first = false;
    }
  } finally {
    await file.close();
  }
}

/** @throws SessionLogError `failed` for a format that is not known here */
function readHeader(path: string, value: object): SessionInfo {
  const { format, info } = value as { readonly format?: unknown; readonly info?: SessionInfo };
  if (format === FORMAT && typeof info?.sessionId === "string" && typeof info.cwd === "string") return info;
  throw new SessionLogError("failed", `${path} is no log that this version can read (${FORMAT}).`);
}

/** Writes a log with these events beside what is there; {@link adoptDraft} puts it in its place. */
export async function draftLog(folder: string, info: SessionInfo, events: Iterable<SessionEvent>): Promise<void> {
  const file = await openFile(join(folder, files.nextLog), "replace");
  try {
    let position = 0;
    let parts = [encodeRecord({ format: FORMAT, info })];
    let bytes = 0;
    for (const event of events) {
      const record = encodeRecord(event);
      parts.push(record);
      bytes += record.length;
      if (bytes < CHUNK) continue;
      position += await writeFully(file, Buffer.concat(parts), position);
      parts = [];
      bytes = 0;
    }
    await writeFully(file, Buffer.concat(parts), position);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Puts a draft in the place of the log, in one step. Nobody may have that open for writing. */
export async function adoptDraft(folder: string): Promise<void> {
  await renameOver(join(folder, files.nextLog), join(folder, files.log));
  await syncFolder(folder);
}

/** Writes all of it; one call of the system may write less. */
export async function writeFully(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
  return written;
}

/** What lists say of a session, beside its log, so that a list need not read that. May be old or missing. */
export async function writeInfo(folder: string, info: SessionInfo): Promise<void> {
  const next = join(folder, `${files.info}.next`);
  await writeFile(next, JSON.stringify(info), { mode: 0o600 });
  await renameOver(next, join(folder, files.info));
}

/** What lists say of a session; from its log if nothing is beside it, `undefined` if there is no readable log either. */
export async function readInfo(folder: string, maxBytes: number): Promise<SessionInfo | undefined> {
  const path = join(folder, files.log);
  try {
    const beside = await readInfoBeside(folder);
    if (beside !== undefined) return beside;
    const file = await openFile(path, "read");
    try {
      return (await scanLog(path, file, maxBytes)).info;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

async function readInfoBeside(folder: string): Promise<SessionInfo | undefined> {
  try {
    const info = JSON.parse(await readFile(join(folder, files.info), "utf8")) as Partial<SessionInfo> | null;
    if (typeof info?.sessionId === "string" && typeof info.cwd === "string") return info as SessionInfo;
  } catch (error) {
    if (!isCode(error, "ENOENT", "EISDIR") && !(error instanceof SyntaxError)) throw error;
  }
  return undefined;
}
