import { type FileHandle, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionEvent, SessionInfo } from "@turnkit/session";
import type { Room } from "@turnkit/transport";
import { compactEvents } from "../compact-events.js";
import { isSessionLogError, SessionLogError, type SessionLogWriter, sessionInfoAfter } from "../session-log.js";
import { adoptDraft, draftLog, readEvents, recordTooLarge, writeFully, writeInfo } from "./log-file.js";
import { files, isCode, openFile } from "./log-folder.js";
import type { LogLock } from "./log-lock.js";
import { encodeRecord, RECORD_BYTES } from "./log-records.js";

/** From so many unwritten bytes on, whoever appends is asked to wait. */
const ROOM_BYTES = 1024 * 1024;

/** So many unwritten bytes mean that the disk does not follow: the writer fails. */
const UNWRITTEN_BYTES = 64 * 1024 * 1024;

/** Maximum number of problems that wait for a listener. */
const MAX_PROBLEMS = 10;

/** Bounds of a log, as `createFileLog` takes them. */
export type LogLimits = { readonly maxRecordBytes: number; readonly compactBytes: number };

/** What a writer is made of; it owns the file and the lock from then on. */
export type FileLogWriterParts = {
  readonly folder: string;
  readonly info: SessionInfo;
  /** Session info of the first record. A compaction keeps it, so that the record does not grow. */
  readonly header: SessionInfo;
  readonly size: number;
  readonly file: FileHandle;
  readonly lock: LogLock;
  readonly limits: LogLimits;
};

/** {@link SessionLogWriter} of one file. What happens to the file happens one after the other. */
export class FileLogWriter implements SessionLogWriter {
  readonly #parts: FileLogWriterParts;
  #file: FileHandle;
  #size: number;
  /** Size after the last compaction. */
  #base = 0;
  #info: SessionInfo;
  #toldInfo: SessionInfo;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #queue: Promise<void> = Promise.resolve();
  #failure: SessionLogError | undefined;
  #disposed: Promise<void> | undefined;
  #onProblem: ((message: string, error: unknown) => void) | undefined;
  /** Problems from before there was a listener. */
  readonly #problems: { readonly message: string; readonly error: unknown }[] = [];

  constructor(parts: FileLogWriterParts) {
    this.#parts = parts;
    this.#file = parts.file;
    this.#size = parts.size;
    this.#info = parts.info;
    this.#toldInfo = parts.info;
  }

  get maxEventBytes(): number {
    return this.#parts.limits.maxRecordBytes - RECORD_BYTES;
  }

  append(event: SessionEvent): Room {
    this.#mustBeOpen();
    const record = encodeRecord(event);
    const { maxRecordBytes } = this.#parts.limits;
    if (record.length > maxRecordBytes) {
      const what = `One ${event.type} of session ${this.#info.sessionId} is ${record.length} bytes`;
      throw new SessionLogError("too_large", recordTooLarge(what, maxRecordBytes));
    }
    // The next commit tells.
    if (this.#failure !== undefined) return undefined;
    this.#info = sessionInfoAfter(this.#info, event);
    this.#waiting.push(record);
    this.#waitingBytes += record.length;
    if (this.#waitingBytes > UNWRITTEN_BYTES) this.#fail(new Error("more waits to be written than may"));
    this.#writing ??= this.#enqueue(() => this.#write());
    // Its failure is the next commit's.
    return this.#waitingBytes < ROOM_BYTES ? undefined : this.#writing.catch(() => undefined);
  }

  async commit(): Promise<void> {
    this.#mustBeOpen();
    await this.#enqueue(async () => {
      await this.#write();
      await this.#parts.lock.confirm();
      await this.#file.datasync();
    });
    if (this.#info !== this.#toldInfo) void this.#enqueue(() => this.#tellInfo()).catch(() => undefined);
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

  /** Compacts a log that is too large already when it is opened. */
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
        await this.#file.datasync();
        await this.#tellInfo();
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
        throw this.#fail(error);
      }
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Nothing is written after a failure: nobody knows what of it is on the disk. */
  #fail(error: unknown): SessionLogError {
    if (this.#failure === undefined) {
      const text = `The log of session ${this.#info.sessionId} in ${this.#parts.folder} could not be written: ${error}`;
      this.#failure = isSessionLogError(error) ? error : new SessionLogError("failed", text, { cause: error });
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    return this.#failure;
  }

  async #write(): Promise<void> {
    this.#writing = undefined;
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#size += await writeFully(this.#file, bytes, this.#size);
  }

  /** Lists can do without it, so a failure is none of the log's. */
  async #tellInfo(): Promise<void> {
    if (this.#info === this.#toldInfo) return;
    const info = this.#info;
    await writeInfo(this.#parts.folder, info).then(
      () => {
        this.#toldInfo = info;
      },
      () => undefined,
    );
  }

  /** Writes the log anew, each thing once. Until the rename the old one is the log, and if that fails it stays so. */
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
      // Tried again when the log has doubled; there is nothing that the log lacks until then.
      this.#problem("The log of a session could not be compacted, and stays as it was.", error);
      return rm(next, { force: true });
    }
    // Windows does not rename over what is open.
    await this.#file.close();
    await adoptDraft(folder).catch(async (error) => {
      // Not renamed, then it is as before; renamed, and nobody knows whether for good.
      if (!isCode(error, "EPERM", "EACCES", "EBUSY")) throw error;
      await rm(next, { force: true });
    });
    this.#file = await openFile(path, "write");
    this.#size = (await this.#file.stat()).size;
    this.#base = this.#size;
  }
}
