import { keepSessions, SessionLogError } from "@turnkit/agent";
import type { ListSessions, SessionEvent, SessionInfo, SessionPage } from "@turnkit/session";
import { asSentence, type Channel, textOf } from "@turnkit/transport";
import type { Engine, Ownership } from "../engine.js";
import { type Lease, locked, notOwned } from "./lease.js";
import { Leases } from "./leases.js";
import { pageOf } from "./listing.js";
import { type End, markEpoch } from "./log-writer.js";
import { exists, Manifest, manifestOf, notFound } from "./manifest.js";
import type { Messenger } from "./messenger.js";
import { patiently } from "./retries.js";
import { type Layout, namesOf, type SessionNames } from "./session-names.js";
import { type LogStore, storedEvents } from "./snapshots.js";
import { type Clock, isStoreFault, type Store } from "./store.js";
import { StoredOwnership } from "./stored-ownership.js";
import { addressOf, callOwner, OwnerTunnels, type TunnelsParts } from "./tunnels.js";

/** Settings of an engine on a {@link Store}. */
export type EngineSettings = {
  readonly ttlMs: number;
  readonly pageSize: number;
  readonly snapshotEvents: number;
  /** True if the server drops old messages. */
  readonly mayBeCut: boolean;
  readonly clock: Clock;
  /** Returns a new name that is unique in all processes. */
  readonly newName: () => string;
};

/** Storage of an engine, and its layout. */
export type OpenStore = Store & { readonly layout: Layout; readonly messenger: Messenger };

/** Engine on a {@link Store}. The engine does not depend on the server behind the store. */
export class StoredEngine implements Engine {
  readonly keep = keepSessions;
  readonly ttlMs: number;
  readonly #settings: EngineSettings;
  readonly #store: () => Promise<OpenStore>;
  #leases: Leases | undefined;
  #reaching: Promise<void> | undefined;
  /** Key that only this engine writes, and the revision of its value. */
  #reachKey: string | undefined;
  #reached = 0;

  /** @param store returns the storage; called for each operation */
  constructor(store: () => Promise<OpenStore>, settings: EngineSettings) {
    this.ttlMs = settings.ttlMs;
    this.#store = store;
    this.#settings = settings;
  }

  /** Opens the storage, and watches the owners of all sessions, so that the death of an owner is noticed early. */
  async begin(): Promise<void> {
    this.#leasesOf(await this.#store());
  }

  /** Settles when the servers have stored a value. Rejects with an Error if they cannot store it. */
  reach(): Promise<void> {
    this.#reaching ??= this.#reach().finally(() => {
      this.#reaching = undefined;
    });
    return this.#reaching;
  }

  async #reach(): Promise<void> {
    const { owners } = await this.#store();
    this.#reachKey ??= `reach.${this.#settings.newName()}`;
    const key = this.#reachKey;
    const put = async (revision: number): Promise<void> => {
      this.#reached = await owners.put(key, "1", revision);
    };
    await put(this.#reached).catch(async (error: unknown) => {
      // An answer was lost, or the server has forgotten the value.
      if (!isStoreFault(error, "refused")) throw error;
      await put((await owners.get(key))?.revision ?? 0);
    });
  }

  open(sessionId: string, info?: SessionInfo): Promise<Ownership> {
    return this.#typed(sessionId, async (store) => {
      const names = await namesOf(store.layout, sessionId);
      const found = await patiently(this.#settings.clock, () => store.manifests.get(names.key));
      if (found === undefined && info === undefined) throw notFound(sessionId);
      if (found !== undefined && info !== undefined) throw exists(sessionId);
      const lease = await this.#leasesOf(store).claim(names.key, sessionId);
      return this.#releasing(lease, async () => {
        const claimed = { sessionId, names, lease };
        const { manifest, end } = await (info === undefined
          ? this.#take(store, claimed)
          : this.#make(store, claimed, info));
        const { snapshotEvents } = this.#settings;
        const tunnels = new OwnerTunnels(this.#tunnelsOf(store), addressOf(store.layout.name, names.key, lease.epoch));
        const log = this.#logStore(store);
        return new StoredOwnership({ sessionId, store: log, names, lease, manifest, tunnels, end, snapshotEvents });
      });
    });
  }

  async *read(sessionId: string): AsyncGenerator<SessionEvent> {
    const { clock } = this.#settings;
    const { store, names, manifest, last } = await this.#typed(sessionId, async (found) => {
      const where = await namesOf(found.layout, sessionId);
      const value = await patiently(clock, () => found.manifests.get(where.key));
      const content = value && manifestOf(value);
      if (content === undefined) throw notFound(sessionId);
      const end = await patiently(clock, () => found.subjects.last(where.events));
      return { store: found, names: where, manifest: content, last: end };
    });
    try {
      yield* storedEvents(this.#logStore(store), names, { manifest, to: last?.sequence ?? 0 });
    } catch (error) {
      throw failed(sessionId, error);
    }
  }

  list(query: ListSessions): Promise<SessionPage> {
    const { clock, pageSize } = this.#settings;
    return this.#typed(undefined, ({ manifests, layout }) =>
      patiently(clock, () => pageOf(manifests.all(`${layout.tenant}.`), query, pageSize)),
    );
  }

  delete(sessionId: string): Promise<void> {
    return this.#typed(sessionId, async (store) => {
      const names = await namesOf(store.layout, sessionId);
      if ((await patiently(this.#settings.clock, () => store.manifests.get(names.key))) === undefined) return;
      const lease = await this.#leasesOf(store).claim(names.key, sessionId);
      await this.#releasing(lease, async () => {
        const { manifest, end } = await this.#take(store, { sessionId, names, lease });
        await manifest.remove();
        await this.#purge(store, names, end.after + 1);
      }).catch((error: unknown) => {
        if (!(error instanceof SessionLogError && error.problem === "not_found")) throw error;
      });
      await lease.release();
    });
  }

  connect(sessionId: string): Promise<Channel> {
    return this.#typed(sessionId, async (store) => {
      const { key } = await namesOf(store.layout, sessionId);
      const owner = await this.#leasesOf(store).ownerOf(key);
      if (owner === undefined) throw new SessionLogError("not_found", `Session ${sessionId} has no owner.`);
      const address = addressOf(store.layout.name, key, owner.epoch);
      // When the ownership has expired, the owner is gone, and this gateway can be the next owner.
      return callOwner(this.#tunnelsOf(store), { sessionId, address, patienceMs: owner.leftMs });
    });
  }

  #tunnelsOf({ messenger }: OpenStore): TunnelsParts {
    const { clock, ttlMs, newName } = this.#settings;
    return { messenger, clock, ttlMs, newName };
  }

  #leasesOf({ owners, layout }: OpenStore): Leases {
    if (this.#leases !== undefined) return this.#leases;
    const { clock, ttlMs, newName } = this.#settings;
    const leases = new Leases({ owners, clock, ttlMs, newName });
    this.#leases = leases;
    owners.watch(`${layout.tenant}.`, (key, revision) => leases.note(key, revision));
    return leases;
  }

  #logStore({ subjects }: Store): LogStore {
    const { clock, mayBeCut } = this.#settings;
    return { subjects, clock, mayBeCut };
  }

  /** Takes over a stored session. */
  async #take(store: OpenStore, claimed: Claimed): Promise<Taken> {
    const manifest = await Manifest.take(this.#manifestParts(store, claimed), claimed.lease.epoch);
    const end = await this.#mark(store, claimed, manifest.content.snapshot?.index ?? manifest.content.start.index);
    if (end === undefined) throw locked(claimed.sessionId);
    return { manifest, end };
  }

  /** Makes a new session. Its log begins with the mark, so that writes of other owners fail. */
  async #make(store: OpenStore, claimed: Claimed, info: SessionInfo): Promise<Taken> {
    const end = await this.#mark(store, claimed, 0);
    if (end === undefined) throw notOwned(claimed.sessionId);
    const content = { info: { ...info, sessionId: claimed.sessionId }, epoch: claimed.lease.epoch, start: end };
    const manifest = await Manifest.create(this.#manifestParts(store, claimed), content);
    // An interrupted deletion may have left messages. They have no effect but take room.
    await this.#purge(store, claimed.names, end.after).catch(() => undefined);
    return { manifest, end };
  }

  #manifestParts({ manifests }: Store, { sessionId, names, lease }: Claimed) {
    return { manifests, clock: this.#settings.clock, key: names.key, sessionId, mayWrite: () => lease.isHeld };
  }

  /** Returns the end of the log after the mark of this owner, or `undefined` if the session was lost in the meantime. */
  async #mark({ subjects }: Store, { names, lease }: Claimed, atLeast: number): Promise<End | undefined> {
    const { clock } = this.#settings;
    const end = await markEpoch({ subjects, clock, subject: names.events, epoch: lease.epoch }, atLeast);
    return lease.isHeld ? end : undefined;
  }

  /** Removes all data before a mark. Data of later owners stays. */
  async #purge({ subjects }: Store, { events, snapshots }: SessionNames, before: number): Promise<void> {
    const { clock } = this.#settings;
    await patiently(clock, () => subjects.purge(snapshots, before));
    await patiently(clock, () => subjects.purge(events, before));
  }

  /**
   * Runs the work of a new owner, and renews the ownership until the end. The work may take longer than `ttlMs`, because a
   * stream may have no leader. If the work fails, the ownership ends.
   */
  async #releasing<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
    const stop = this.#renewing(lease);
    try {
      return await work();
    } catch (error) {
      await lease.release();
      throw error;
    } finally {
      stop();
    }
  }

  #renewing(lease: Lease): () => void {
    const { clock, ttlMs } = this.#settings;
    let stop = (): void => undefined;
    const later = (): void => {
      stop = clock.after(ttlMs / 3, () => {
        // A renewal that fails is tried again, until the ownership is lost.
        lease.renew().catch(() => undefined);
        later();
      });
    };
    later();
    return () => stop();
  }

  /** Runs work on the storage, and converts errors of the server. */
  async #typed<T>(sessionId: string | undefined, work: (store: OpenStore) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#store());
    } catch (error) {
      throw failed(sessionId, error);
    }
  }
}

type Taken = { readonly manifest: Manifest; readonly end: End };

type Claimed = { readonly sessionId: string; readonly names: SessionNames; readonly lease: Lease };

/** Reason for servers that do not answer. The error of the client of NATS has only the word `timeout`. */
const SILENT = "the servers of NATS did not answer in time. Try again when they run";

/** Converts an error of the server into a failure of the log. */
function failed(sessionId: string | undefined, cause: unknown): unknown {
  if (cause instanceof SessionLogError) return cause;
  const what = sessionId === undefined ? "The list of sessions" : `The log of session ${sessionId}`;
  const why = textOf(cause);
  const text = asSentence(`${what} could not be used: ${why === "timeout" ? SILENT : why}`);
  return new SessionLogError("failed", text, { cause });
}
