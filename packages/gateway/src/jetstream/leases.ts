import { Lease, leaseText, locked, ownerOf } from "./lease.js";
import { patiently } from "./retries.js";
import { type Clock, isStoreFault, type StoredValue, type Values } from "./store.js";

/** Additional wait, because clocks run at different speeds: this part of `ttlMs`, and at most 500 ms. */
const DRIFT = 0.05;
const MAX_DRIFT_MS = 500;

/** Parts of the leases of an engine. */
export type LeasesParts = {
  readonly owners: Values;
  readonly clock: Clock;
  readonly ttlMs: number;
  /** Returns a new unique name. */
  readonly newName: () => string;
};

/**
 * Owners of sessions, as this process has last read them. An owner is gone if its value has not changed for `ttlMs`.
 * The clock of this process measures this time. It starts when the process first reads the value.
 */
// NATS-05
export class Leases {
  readonly #parts: LeasesParts;
  readonly #seen = new Map<string, { readonly revision: number; readonly since: number }>();

  constructor(parts: LeasesParts) {
    this.#parts = parts;
  }

  /** Records that a value was seen. `revision` is `undefined` after the end of an ownership. */
  note(key: string, revision: number | undefined): void {
    if (revision === undefined) this.#seen.delete(key);
    else if ((this.#seen.get(key)?.revision ?? 0) < revision) {
      this.#seen.set(key, { revision, since: this.#parts.clock.now() });
    }
  }

  /**
   * Takes the ownership of a key that has no owner, or whose owner is gone.
   *
   * @throws SessionLogError `locked` if there is an owner
   */
  async claim(key: string, sessionId: string): Promise<Lease> {
    const { owners, clock, ttlMs, newName } = this.#parts;
    const found = await this.#find(key);
    if (found !== undefined && this.#leftMs(key, found) > 0) throw locked(sessionId);
    const name = newName();
    const since = clock.now();
    const lease = (revision: number) => new Lease({ owners, clock, key, ttlMs, name, sessionId }, { revision, since });
    try {
      return lease(await owners.put(key, leaseText({ name, ttlMs }), found?.revision ?? 0));
    } catch (error) {
      // If only the answer was lost, the value is stored.
      const now = await this.#find(key);
      if (now !== undefined && ownerOf(now)?.name === name) return lease(now.revision);
      throw isStoreFault(error, "refused") ? locked(sessionId) : error;
    }
  }

  /**
   * Returns the epoch of the owner of a key, and the time in milliseconds after which the owner is gone unless it renews
   * its ownership. Returns `undefined` if the owner is gone.
   */
  async ownerOf(key: string): Promise<{ readonly epoch: number; readonly leftMs: number } | undefined> {
    const found = await this.#find(key);
    const leftMs = found === undefined ? 0 : this.#leftMs(key, found);
    return found && leftMs > 0 ? { epoch: ownerOf(found)?.epoch ?? found.revision, leftMs } : undefined;
  }

  async #find(key: string): Promise<StoredValue | undefined> {
    const { owners, clock } = this.#parts;
    const found = await patiently(clock, () => owners.get(key));
    this.note(key, found?.revision);
    return found;
  }

  #leftMs(key: string, found: StoredValue): number {
    const ttlMs = Math.max(this.#parts.ttlMs, ownerOf(found)?.ttlMs ?? 0);
    const goneAfter = ttlMs + Math.min(MAX_DRIFT_MS, ttlMs * DRIFT);
    const seen = this.#seen.get(key);
    return seen?.revision === found.revision ? goneAfter - (this.#parts.clock.now() - seen.since) : goneAfter;
  }
}
