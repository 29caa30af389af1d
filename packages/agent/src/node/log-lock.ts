import { randomUUID } from "node:crypto";
import { link, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { processStart } from "@turnkit/transport/node";
import { SessionLogError } from "../session-log.js";
import { files, isCode, renameOver, statOf } from "./log-folder.js";

/** Time between two heartbeats of the holder of a lock, in ms. */
const BEAT_MS = 30_000;

/**
 * Time without a heartbeat after which a lock of another machine is stale, in ms. This process cannot check processes of
 * other machines.
 */
const FOREIGN_MS = 300_000;

/** Age at which an unfinished lock or takeover is stale, in ms. Both normally take microseconds. */
const TAKEOVER_MS = 10_000;

/** Tolerance for clock changes while a process runs, in seconds. The system does not reuse process ids that fast. */
const CLOCK_SECONDS = 5;

type Holder = {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** Start time of the process, as its system reports it. The start time distinguishes processes that had the same id. */
  readonly began?: string;
};

/** Lock that lets this process write a session. */
export interface LogLock {
  /**
   * Checks that this process still holds the lock. Reads the lock only if the last check is more than a minute old.
   *
   * @throws SessionLogError `failed` if another process took over the lock while this process was suspended
   */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Locks a session's folder for this process. Takes over the lock of a dead process.
 *
 * @throws SessionLogError `locked`
 */
export async function lockFolder(folder: string, sessionId: string): Promise<LogLock> {
  const path = join(folder, files.lock);
  const began = await processStart(process.pid);
  const token = randomUUID();
  const self: Holder = { token, pid: process.pid, host: hostname(), ...(began && { began }) };
  for (let attempt = 0; attempt < 20; attempt++) {
    if (await create(path, self)) return hold(path, token, sessionId);
    const holder = await readHolder(path);
    if (holder === undefined) continue;
    if (await lives(holder, path)) throw locked(sessionId, holder, path);
    if (await takeOver(path, self, holder)) return hold(path, token, sessionId);
    await delay(attempt);
  }
  throw new SessionLogError("locked", `Session ${sessionId} is being opened by another process. Try again.`);
}

function locked(sessionId: string, { pid, host }: Holder, path: string): SessionLogError {
  const text = `Session ${sessionId} is open in process ${pid} on ${host}. Close it there. If that process does not exist, delete ${path}.`;
  return new SessionLogError("locked", text);
}

/** Creates the lock in one step. Returns false if a lock exists. */
async function create(path: string, self: Holder): Promise<boolean> {
  const draft = `${path}.${self.token}`;
  try {
    await writeFile(draft, JSON.stringify(self), { flag: "wx", mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    // Some file systems have no links. There, a reader may see an unfinished lock for a moment.
    if (!isCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw error;
    return await createDirectly(path, self);
  } finally {
    await rm(draft, { force: true });
  }
}

async function createDirectly(path: string, self: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(self), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Replaces a stale lock. Only one process at a time may try. */
async function takeOver(path: string, self: Holder, stale: Holder): Promise<boolean> {
  const guard = `${path}.takeover`;
  if (!(await createDirectly(guard, self))) {
    if ((await ageOf(guard)) > TAKEOVER_MS) await rm(guard, { force: true });
    return false;
  }
  try {
    if ((await readHolder(path))?.token !== stale.token) return false;
    const draft = `${path}.${self.token}`;
    await writeFile(draft, JSON.stringify(self), { mode: 0o600 });
    await renameOver(draft, path);
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

/** Returns the holder of a lock, or `undefined` if the lock does not exist. */
async function readHolder(path: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    const { token, pid, host, began } = JSON.parse(text) as Partial<Holder>;
    if (typeof token === "string" && Number.isSafeInteger(pid) && typeof host === "string") {
      return { token, pid: Number(pid), host, ...(typeof began === "string" && { began }) };
    }
  } catch {
    // The lock is unfinished. Its process is still writing it, or is dead.
  }
  return { token: "", pid: 0, host: "" };
}

async function lives(holder: Holder, path: string): Promise<boolean> {
  if (holder.token === "") return (await ageOf(path)) < TAKEOVER_MS;
  if (holder.host !== hostname()) return (await ageOf(path)) < FOREIGN_MS;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (isCode(error, "ESRCH")) return false;
  }
  const began = await processStart(holder.pid);
  if (began === "gone") return false;
  if (began === undefined || holder.began === undefined) return true;
  return began === holder.began || Math.abs(Number(began) - Number(holder.began)) <= CLOCK_SECONDS;
}

/** Returns the age of a file in ms, or infinity if the file does not exist. */
async function ageOf(path: string): Promise<number> {
  return Date.now() - ((await statOf(path))?.mtimeMs ?? Number.NEGATIVE_INFINITY);
}

function hold(path: string, token: string, sessionId: string): LogLock {
  let confirmed = performance.now();
  const confirm = async (): Promise<void> => {
    if ((await readHolder(path))?.token !== token) {
      const text = `Session ${sessionId} was taken over by another process while this process was suspended. Restore the session.`;
      throw new SessionLogError("failed", text);
    }
    confirmed = performance.now();
  };
  const beat = async (): Promise<void> => {
    const now = new Date();
    await confirm().then(() => utimes(path, now, now));
  };
  // Errors are ignored, because the next commit reports the same error.
  const timer = setInterval(() => void beat().catch(() => undefined), BEAT_MS).unref();
  return {
    async confirm() {
      if (performance.now() - confirmed > 2 * BEAT_MS) await confirm();
    },
    async release() {
      clearInterval(timer);
      if ((await readHolder(path))?.token === token) await rm(path, { force: true });
    },
  };
}
