import type { FileHandle } from "node:fs/promises";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SessionEvent, SessionInfo } from "@turnkit/session";
import { SessionLogError, sessionInfoAfter } from "../session-log.js";
import { files, isCode, openFile, renameOver, syncFolder } from "./log-folder.js";
import { encodeRecord, readLines } from "./log-records.js";

/** Format in the first record of a log. The number grows with each format that older readers cannot read. */
const FORMAT = "turnkit-session-log/1";

/** Format of a log with `state_restored` events. Readers that know only {@link FORMAT} cannot read these events. */
const FORMAT_RESTORED = "turnkit-session-log/2";

/** Size of one write of a draft, in bytes. */
const CHUNK = 1024 * 1024;

/** Result of a scan of a whole log. */
export type ScannedLog = {
  readonly info: SessionInfo;
  /** Session info of the first record. If that record is damaged, the info from the separate info file. */
  readonly header: SessionInfo;
  /** Offset of the end of the last good record. */
  readonly size: number;
  /** Number of damaged records before `size`. */
  readonly damaged: number;
};

/**
 * Scans a whole log for damage and for the session's info. If the first record is damaged and a good record follows, the
 * info comes from the separate info file.
 *
 * @throws SessionLogError `failed` for a log without a good record, and for an unknown format
 */
export async function scanLog(path: string, file: FileHandle, maxBytes: number): Promise<ScannedLog> {
  let info: SessionInfo | undefined;
  let header: SessionInfo | undefined;
  let size = 0;
  let damaged = 0;
  let bad = 0;
  for await (const { value, tooLong, end } of readLines(file, maxBytes)) {
    if (value === undefined) bad += 1;
    if (tooLong && info !== undefined) {
      // The record is not removed, because it may be complete and written with a larger bound.
      damaged += bad;
      bad = 0;
      size = end;
    }
    if (value === undefined) continue;
    if (info === undefined && bad === 0) info = readHeader(path, value);
    else info = sessionInfoAfter(info ?? (await needInfoBeside(path)), value as SessionEvent);
    header ??= info;
    damaged += bad;
    bad = 0;
    size = end;
  }
  if (info === undefined) throw headerDamaged(path);
  return { info, header: header ?? info, size, damaged };
}

async function needInfoBeside(path: string): Promise<SessionInfo> {
  const info = await readInfoBeside(dirname(path));
  if (info === undefined) throw headerDamaged(path);
  return info;
}

const headerDamaged = (path: string): SessionLogError =>
  new SessionLogError("failed", `${path} is damaged. Its first record cannot be read.`);

/**
 * Returns the events that the log contains so far, without damaged records.
 *
 * @param refuse throws for a record above `maxBytes`; otherwise that record is left out
 */
export async function* readEvents(path: string, maxBytes: number, refuse?: "too long"): AsyncGenerator<SessionEvent> {
  const file = await openFile(path, "read");
  try {
    let first = true;
    for await (const { value, tooLong } of readLines(file, maxBytes)) {
      if (tooLong && refuse !== undefined) throw new SessionLogError("too_large", `${path} ${HAS_LONGER}`);
      if (value !== undefined && first) readHeader(path, value);
      else if (value !== undefined) yield value as SessionEvent;
      first = false;
    }
  } finally {
    await file.close();
  }
}

const HAS_LONGER = "has records that are larger than maxRecordBytes; they can be read with a larger bound.";

/** @throws SessionLogError `failed` for an unknown format */
function readHeader(path: string, value: object): SessionInfo {
  const { format, info } = value as { readonly format?: unknown; readonly info?: SessionInfo };
  const isKnown = format === FORMAT || format === FORMAT_RESTORED;
  if (isKnown && typeof info?.sessionId === "string" && typeof info.cwd === "string") return info;
  throw new SessionLogError(
    "failed",
    `${path} is not a log in a format that this version reads (${FORMAT}, ${FORMAT_RESTORED}).`,
  );
}

/**
 * Returns the record of a value, such as an event of a session.
 *
 * @throws SessionLogError `too_large` above `maxBytes`
 */
export function boundedRecord(sessionId: string, value: object, maxBytes: number): Buffer {
  const record = encodeRecord(value);
  if (record.length <= maxBytes) return record;
  const what = `One ${"type" in value ? value.type : "record"} of session ${sessionId} has ${record.length} bytes`;
  const advice = "Send less, or give createFileLog a larger maxRecordBytes.";
  throw new SessionLogError("too_large", `${what}. A record of its log has at most ${maxBytes} bytes. ${advice}`);
}

/** Content of a rewritten log. */
export type LogDraft = {
  readonly info: SessionInfo;
  readonly events: readonly SessionEvent[];
  readonly maxRecordBytes: number;
};

/**
 * Writes a draft beside the log and reads the draft back. {@link adoptDraft} then replaces the log by the draft.
 *
 * @throws SessionLogError `too_large` for a record above the bound
 * @throws SessionLogError `failed` if the draft differs from the written content
 */
export async function draftLog(folder: string, { info, events, maxRecordBytes }: LogDraft): Promise<void> {
  const path = join(folder, files.nextLog);
  const file = await openFile(path, "replace");
  try {
    let position = 0;
    let parts: Buffer[] = [];
    let bytes = 0;
    const format = events.some(({ type }) => type === "state_restored") ? FORMAT_RESTORED : FORMAT;
    for (const value of [{ format, info }, ...events]) {
      const record = boundedRecord(info.sessionId, value, maxRecordBytes);
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
  await checkDraft(path, events, maxRecordBytes);
}

/** @throws SessionLogError `failed` if a draft differs from the written events */
async function checkDraft(path: string, events: readonly SessionEvent[], maxBytes: number): Promise<void> {
  let at = 0;
  for await (const event of readEvents(path, maxBytes, "too long")) {
    if (JSON.stringify(event) !== JSON.stringify(events[at])) break;
    at += 1;
  }
  if (at !== events.length) throw new SessionLogError("failed", `${path} does not contain the written events.`);
}

/** Replaces the log by its draft in one step. The log must not be open for writing. */
export async function adoptDraft(folder: string): Promise<void> {
  await renameOver(join(folder, files.nextLog), join(folder, files.log));
  await syncFolder(folder);
}

/** Writes all bytes and returns their number. A single system call may write fewer bytes. */
export async function writeFully(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
  return written;
}

/** Writes a session's info to a separate file, so that lists need not read the log. That file may be old or missing. */
export async function writeInfo(folder: string, info: SessionInfo): Promise<void> {
  const next = join(folder, `${files.info}.next`);
  await writeFile(next, JSON.stringify(info), { mode: 0o600 });
  await renameOver(next, join(folder, files.info));
}

/**
 * Returns a session's info from the separate info file, or from the log without that file. Returns `undefined` if both are
 * unreadable.
 */
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
