import { SessionLogError } from "@turnkit/agent";
import { Deferred } from "@turnkit/agent/driver";
import { type Clock, isStoreFault, type StoredValue, type Values } from "./store.js";

/** Owner of a session in its stored form. */
export type Owner = {
  /** Unique name of the owner. */
  readonly name: string;
  readonly ttlMs: number;
  /** Absent in the first value of an owner. The revision of this value is the epoch. */
  readonly epoch?: number;
};

/** Returns the stored form of an owner. */
export const leaseText = (owner: Owner): string => JSON.stringify(owner);

/** Returns the owner in a stored value, or `undefined` if the value has none. */
export function ownerOf({ text }: StoredValue): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    return typeof owner?.name === "string" && typeof owner.ttlMs === "number" ? (owner as Owner) : undefined;
  } catch {
    return undefined;
  }
}

/** Parts of a lease. */
export type LeaseParts = {
  readonly owners: Values;
  readonly clock: Clock;
  readonly key: string;
  readonly ttlMs: number;
  readonly name: string;
  readonly sessionId: string;
};

/** Ownership of one session. It ends by the clock of this process, before another process can take the session. */
export class Lease {
  /** Number of this ownership. Later owners have larger numbers. */
  readonly epoch: number;
  readonly #parts: LeaseParts;
  readonly #lost = new Deferred<void>();
  #revision: number;
  #until: number;
  #isReleased = false;
  #renewing: Promise<void> | undefined;
  #stopTimer: () => void = () => undefined;

  /** @param taken revision of the first value, and the time before it was sent */
  constructor(parts: LeaseParts, taken: { readonly revision: number; readonly since: number }) {
    this.#parts = parts;
    this.epoch = taken.revision;
    this.#revision = taken.revision;
    this.#until = taken.since + parts.ttlMs;
    this.#watchTime();
  }

  /** Settles when the ownership is lost. Never settles after `release`. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** True while nobody else can be the owner. */
  get isHeld(): boolean {
    if (this.#isReleased || this.#lost.isSettled) return false;
    return this.#parts.clock.now() < this.#until;
  }

  /** Ends the ownership, because another owner has taken the session. */
  lose(): void {
    if (this.#isReleased) return;
    this.#stopTimer();
    this.#lost.resolve();
  }

  /** @throws SessionLogError `failed` if the ownership is lost, or could not be renewed this time */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Ends the ownership, so that others can have the session immediately. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    const { owners, key } = this.#parts;
    const wasHeld = this.isHeld;
    this.#isReleased = true;
    this.#stopTimer();
    await this.#renewing?.catch(() => undefined);
    // Without an answer, the ownership ends when its time has passed.
    if (wasHeld) await owners.remove(key, this.#revision).catch(() => undefined);
  }

  async #renew(): Promise<void> {
    const { owners, key, clock, name, ttlMs, sessionId } = this.#parts;
    for (let attempt = 1; this.isHeld; attempt += 1) {
      const since = clock.now();
      try {
        this.#revision = await owners.put(key, leaseText({ name, ttlMs, epoch: this.epoch }), this.#revision);
        this.#until = Math.max(this.#until, since + ttlMs);
        return this.#watchTime();
      } catch (cause) {
        if (!isStoreFault(cause, "refused") || attempt > 1) throw notRenewed(sessionId, cause);
        // The answer to an earlier renewal may be lost.
        const found = await owners.get(key);
        if (found !== undefined && found.revision < this.#revision) throw notRenewed(sessionId, cause);
        if (found === undefined || ownerOf(found)?.name !== name) this.lose();
        else this.#revision = found.revision;
      }
    }
    throw notOwned(sessionId);
  }

  #watchTime(): void {
    if (this.#lost.isSettled || this.#isReleased) return;
    const { clock } = this.#parts;
    this.#stopTimer();
    this.#stopTimer = clock.after(Math.max(1, Math.ceil(this.#until - clock.now())), () =>
      clock.now() >= this.#until ? this.lose() : this.#watchTime(),
    );
  }
}

/** Returns the error for a session that has another owner, or that this process has lost before it was open. */
export const locked = (sessionId: string): SessionLogError =>
  new SessionLogError("locked", `Session ${sessionId} is open in another gateway. Close the session there first.`);

/** Returns the error of a writer that is no longer the owner. */
export const notOwned = (sessionId: string): SessionLogError =>
  new SessionLogError("failed", `The ownership of session ${sessionId} was not renewed in time, or has another owner.`);

const notRenewed = (sessionId: string, cause: unknown): SessionLogError =>
  new SessionLogError("failed", `The ownership of session ${sessionId} could not be renewed this time.`, { cause });
