import { SessionLogError, type SessionLogWriter, sessionInfoAfter } from "@turnkit/agent";
import type { SessionEvent } from "@turnkit/session";
import { asSentence, type Channel, type Room, textOf } from "@turnkit/transport";
import type { Ownership } from "../engine.js";
import { type Lease, notOwned } from "./lease.js";
import { toBytes } from "./log-message.js";
import { type End, LogWriter } from "./log-writer.js";
import type { Manifest } from "./manifest.js";
import type { SessionNames } from "./session-names.js";
import { type LogStore, MAX_EVENT_BYTES, takeSnapshot } from "./snapshots.js";
import type { OwnerTunnels } from "./tunnels.js";

/** Parts of an ownership. */
export type OwnershipParts = {
  readonly sessionId: string;
  readonly store: LogStore;
  readonly names: SessionNames;
  readonly lease: Lease;
  readonly manifest: Manifest;
  readonly tunnels: OwnerTunnels;
  /** End of the log, after the mark of this owner. */
  readonly end: End;
  /** Number of events after which a commit takes a snapshot. The next one follows when the number has doubled. */
  readonly snapshotEvents: number;
};

/** {@link Ownership} of one session in a {@link LogStore}. */
export class StoredOwnership implements Ownership {
  readonly maxEventBytes = MAX_EVENT_BYTES;
  readonly #parts: OwnershipParts;
  readonly #writer: LogWriter;
  #failure: SessionLogError | undefined;
  #disposed: Promise<void> | undefined;
  #snapshot: Promise<void> | undefined;
  /** Index at which the next snapshot is taken. */
  #snapshotAt: number;
  #onProblem: SessionLogWriter["onProblem"] extends ((listener: infer Listener) => void) | undefined
    ? Listener | undefined
    : never;

  constructor(parts: OwnershipParts) {
    this.#parts = parts;
    const { store, names, lease, end, manifest, snapshotEvents } = parts;
    this.#snapshotAt = (manifest.content.snapshot ?? manifest.content.start).index + snapshotEvents;
    this.#writer = new LogWriter({
      ...{ subjects: store.subjects, clock: store.clock, subject: names.events, epoch: lease.epoch, end },
      mayWrite: () => lease.isHeld,
      onEnd: (how, error) => this.#ended(how, error),
    });
    void lease.lost.then(() => {
      this.#writer.stop(notOwned(parts.sessionId));
      parts.tunnels.close();
    });
  }

  get lost(): Promise<void> {
    return this.#parts.lease.lost;
  }

  append(event: SessionEvent): Room {
    this.#mustBeOpen();
    if (!this.#parts.lease.isHeld) throw notOwned(this.#parts.sessionId);
    const bytes = toBytes(event);
    if (bytes.length > MAX_EVENT_BYTES) throw tooLarge(this.#parts.sessionId, event.type, bytes.length);
    // The next commit reports the failure.
    if (this.#failure !== undefined) return undefined;
    const { manifest } = this.#parts;
    const info = sessionInfoAfter(manifest.content.info, event);
    if (info !== manifest.content.info) manifest.change({ info });
    return this.#writer.add(bytes);
  }

  async commit(): Promise<void> {
    this.#mustBeOpen();
    const { lease, sessionId } = this.#parts;
    try {
      await this.#writer.stored();
    } catch (cause) {
      if (this.#failure !== undefined) throw this.#failure;
      throw lease.isHeld ? notStored(sessionId, cause) : notOwned(sessionId);
    }
    if (!lease.isHeld) throw notOwned(sessionId);
    void this.#saveManifest();
    if (this.#writer.end.index >= this.#snapshotAt) this.#snapshot ??= this.#takeSnapshot();
  }

  renew(): Promise<void> {
    return this.#parts.lease.renew();
  }

  onConnect(handler: (channel: Channel) => void): void {
    this.#parts.tunnels.onConnect(handler);
  }

  onProblem(listener: (message: string, error: unknown) => void): void {
    this.#onProblem = listener;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }

  async #dispose(): Promise<void> {
    const { lease, tunnels, sessionId } = this.#parts;
    try {
      if (!lease.isHeld) return;
      await this.#writer.stored();
      await this.#snapshot;
      await this.#saveManifest();
    } catch (cause) {
      if (lease.isHeld) throw this.#failure ?? notStored(sessionId, cause);
    } finally {
      this.#writer.stop(closed(sessionId));
      tunnels.stop();
      await lease.release();
      tunnels.close();
    }
  }

  /** Stores the info of the session. A failure does not fail the log: the next commit tries again. */
  async #saveManifest(): Promise<void> {
    await this.#parts.manifest.save().catch((error: unknown) => {
      if (this.#parts.lease.isHeld)
        this.#onProblem?.("The description of a session could not be stored this time.", error);
    });
  }

  async #takeSnapshot(): Promise<void> {
    const { store, names, lease, manifest, snapshotEvents } = this.#parts;
    const { end } = this.#writer;
    try {
      const parts = { store, names, epoch: lease.epoch, manifest, mayWrite: () => lease.isHeld };
      const events = await takeSnapshot(parts, end);
      this.#snapshotAt = end.index + Math.max(snapshotEvents, events);
    } catch (error) {
      // The log is complete. The next attempt follows when its length has doubled.
      this.#snapshotAt = 2 * end.index - (manifest.content.snapshot ?? manifest.content.start).index + snapshotEvents;
      if (lease.isHeld) this.#onProblem?.("A snapshot of a session could not be stored. The log is unchanged.", error);
    } finally {
      this.#snapshot = undefined;
    }
  }

  #ended(how: "lost" | "failed", error: Error): void {
    const { lease, sessionId } = this.#parts;
    this.#failure = how === "lost" ? notOwned(sessionId) : notStored(sessionId, error);
    if (how === "lost") lease.lose();
  }

  #mustBeOpen(): void {
    if (this.#disposed !== undefined) throw closed(this.#parts.sessionId);
  }
}

const closed = (sessionId: string): SessionLogError =>
  new SessionLogError("closed", `The log of session ${sessionId} was closed.`);

const notStored = (sessionId: string, cause: unknown): SessionLogError => {
  const text = asSentence(`The log of session ${sessionId} could not be written: ${textOf(cause)}`);
  return new SessionLogError("failed", text, { cause });
};

const tooLarge = (sessionId: string, type: string, bytes: number): SessionLogError =>
  new SessionLogError(
    "too_large",
    `One ${type} of session ${sessionId} has ${bytes} bytes. An event of its log has at most ${MAX_EVENT_BYTES} bytes.`,
  );
