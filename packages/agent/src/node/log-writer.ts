import { type FileHandle, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionEvent, SessionInfo } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import { compactEvents } from "../compact-events.js";
import { isSessionLogError, SessionLogError, type SessionLogWriter, sessionInfoAfter } from "../session-log.js";
import { adoptDraft, boundedRecord, draftLog, readEvents, writeFully, writeInfo } from "./log-file.js";
import { files, isCode, openFile, statOf } from "./log-folder.js";
import type { LogLock } from "./log-lock.js";
import { RECORD_OVERHEAD_BYTES } from "./log-records.js";

/** Number of unwritten bytes at which `append` returns a promise of room. */
const ROOM_BYTES = 1024 * 1024;

/** Maximum number of unwritten bytes. Above it the writer fails, because the disk is too slow. */
const UNWRITTEN_BYTES = 64 * 1024 * 1024;

/** Maximum number of problems that are kept until a listener is set. */
const MAX_PROBLEMS = 10;

/** Bounds of a log; see `createFileLog`. */
export type LogLimits = { readonly maxRecordBytes: number; readonly compactBytes: number };

/** Parts of a writer. The writer owns the file and the lock. */
export type FileLogWriterParts = {
  readonly folder: string;
  readonly info: SessionInfo;
  /** Session info of the first record. A compaction does not change it, so that the record does not grow. */
  readonly header: SessionInfo;
  readonly size: number;
  readonly file: FileHandle;
  readonly lock: LogLock;
  readonly limits: LogLimits;
};

/** {@link SessionLogWriter} of one file. Its operations on the file run one after the other. */
export class FileLogWriter implements SessionLogWriter {
  readonly #parts: FileLogWriterParts;
  #file: FileHandle;
  #size: number;
  /** Size of the file after the last compaction, in bytes. */
  #base = 0;
  #info: SessionInfo;
  #writtenInfo: SessionInfo;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #queue: Promise<void> = Promise.resolve();
  #failure: SessionLogError | undefined;
  /** Error of the last write for which the disk had no room. */
  #full: SessionLogError | undefined;
  #disposed: Promise<void> | undefined;
  #onProblem: ((message: string, error: unknown) => void) | undefined;
  /** Problems that occurred before a listener was set. */
  readonly #problems: { readonly message: string; readonly error: unknown }[] = [];

  constructor(parts: FileLogWriterParts) {
    this.#parts = parts;
    this.#file = parts.file;
    this.#size = parts.size;
    this.#info = parts.info;
    this.#writtenInfo = parts.info;
  }

  get maxEventBytes(): number {
    return this.#parts.limits.maxRecordBytes - RECORD_OVERHEAD_BYTES;
  }

  append(event: SessionEvent): Room {
    this.#mustBeOpen();
    const record = boundedRecord(this.#info.sessionId, event, this.#parts.limits.maxRecordBytes);
    // The next commit fails.
    if (this.#failure !== undefined) return undefined;
    this.#info = sessionInfoAfter(this.#info, event);
    this.#waiting.push(record);
    this.#waitingBytes += record.length;
    if (this.#waitingBytes > UNWRITTEN_BYTES) this.#fail(new Error("too many bytes wait to be written"));
    this.#writing ??= this.#enqueue(() => this.#write());
    // A failed write fails the next commit.
    return this.#waitingBytes < ROOM_BYTES ? undefined : this.#writing.catch(() => undefined);
  }

  async commit(): Promise<void> {
    this.#mustBeOpen();
    await this.#enqueue(async () => {
      await this.#write();
      await this.#mustBeThere();
      await this.#parts.lock.confirm();
      await this.#file.datasync();
    });
    if (this.#info !== this.#writtenInfo) void this.#enqueue(() => this.#writeInfo()).catch(() => undefined);
    if (!this.#isLarge) return;
    void this.#enqueue(() => this.#compact()).catch(() => undefined);
  }

  onProblem(listener: (message: string, error: unknown) => void): void {
    this.#onProblem = listener;
    for (const { message, error } of this.#problems.splice(0)) listener(message, error);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  /** Compacts a log that is already too large at its opening. */
  async compactIfLarge(): Promise<void> {
    if (this.#isLarge) await this.#enqueue(() => this.#compact());
  }

  get #isLarge(): boolean {
    return this.#size > Math.max(this.#parts.limits.compactBytes, 2 * this.#base);
  }

  #problem(message: string, error: unknown): void {
    if (this.#onProblem !== undefined) this.#onProblem(message, error);
    else if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ message, error });
  }

  async #dispose(): Promise<void> {
    try {
      await this.#enqueue(async () => {
        await this.#write();
        await this.#mustBeThere();
        await this.#file.datasync();
        await this.#writeInfo();
      });
    } finally {
      await this.#file.close().catch(() => undefined);
      await this.#parts.lock.release();
    }
  }

  #mustBeOpen(): void {
    if (this.#disposed === undefined) return;
    throw new SessionLogError("closed", `The log of session ${this.#info.sessionId} was closed.`);
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(async () => {
      if (this.#failure !== undefined) throw this.#failure;
      try {
        await work();
      } catch (error) {
        throw error === this.#full ? error : this.#fail(error);
      }
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Stops all writing. After a failure, the content of the disk is unknown. */
  #fail(error: unknown): SessionLogError {
    this.#failure ??= this.#failureOf(error);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return this.#failure;
  }

  #failureOf(error: unknown): SessionLogError {
    const text = `The log of session ${this.#info.sessionId} in ${this.#parts.folder} could not be written: ${error}`;
    return isSessionLogError(error) ? error : new SessionLogError("failed", text, { cause: error });
  }

  /** Writes what waits. If the disk is full, the bytes wait for the next attempt, which writes to the same position. */
  async #write(): Promise<void> {
    this.#writing = undefined;
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      this.#size += await writeFully(this.#file, bytes, this.#size);
    } catch (error) {
      if (!isCode(error, "ENOSPC", "EDQUOT")) throw error;
      this.#waiting.unshift(bytes);
      this.#waitingBytes += bytes.length;
      this.#full = this.#failureOf(error);
      throw this.#full;
    }
  }

  /**
   * Checks that the file was not deleted or moved. The system would still let this process write, but no reader would find
   * the file.
   *
   * @throws SessionLogError `failed` if the file was deleted or moved
   */
  async #mustBeThere(): Promise<void> {
    const path = join(this.#parts.folder, files.log);
    const [{ nlink }, named] = await Promise.all([this.#file.stat(), linksOf(path)]);
    // A count of 0 means that the open file was deleted, even if a new file has its name. Some file systems always count 0.
    if (named !== undefined && (nlink > 0 || named === 0)) return;
    const text = `The log of session ${this.#info.sessionId} cannot be stored: ${path} was deleted by another process.`;
    throw new SessionLogError("failed", text);
  }

  /** Writes the session's info. A failure does not fail the log, because a list of sessions can read the log instead. */
  async #writeInfo(): Promise<void> {
    if (this.#info === this.#writtenInfo) return;
    const info = this.#info;
    await writeInfo(this.#parts.folder, info).then(
      () => {
        this.#writtenInfo = info;
      },
      () => undefined,
    );
  }

  /** Replaces the log by its compacted events. Until the rename, and after a failed rename, the old log stays. */
  async #compact(): Promise<void> {
    const { folder, limits } = this.#parts;
    const { maxRecordBytes } = limits;
    const path = join(folder, files.log);
    const next = join(folder, files.nextLog);
    if (!this.#isLarge) return;
    this.#base = this.#size;
    try {
      const events = readEvents(path, maxRecordBytes, "too long");
      const fewer = await compactEvents(events, { maxEventBytes: this.maxEventBytes });
      await draftLog(folder, { info: this.#parts.header, events: fewer, maxRecordBytes });
    } catch (error) {
      // The log is still complete. The next attempt follows when its size has doubled.
      this.#problem("The log of a session could not be compacted. The log is unchanged.", error);
      return rm(next, { force: true });
    }
    // Windows refuses a rename over an open file.
    await this.#file.close();
    await adoptDraft(folder).catch(async (error) => {
      // These codes show that nothing was renamed. After any other failure, the rename may or may not survive a crash.
      if (!isCode(error, "EPERM", "EACCES", "EBUSY")) throw error;
      await rm(next, { force: true });
    });
    this.#file = await openFile(path, "write");
    this.#size = (await this.#file.stat()).size;
    this.#base = this.#size;
  }
}

/**
 * Returns the number of links of a file, or `undefined` if the file does not exist. A file whose status cannot be read
 * counts as existing.
 */
async function linksOf(path: string): Promise<number | undefined> {
  try {
    return (await statOf(path))?.nlink;
  } catch {
    return 1;
  }
}
