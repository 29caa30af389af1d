import { SessionLogError } from "@turnkit/agent";
import type { SessionInfo } from "@turnkit/session";
import { locked, notOwned } from "./lease.js";
import type { End } from "./log-writer.js";
import { patiently } from "./retries.js";
import { type Clock, FinalFault, isStoreFault, type StoredValue, type Values } from "./store.js";

/** Events that replace the beginning of a log. */
export type Snapshot = {
  /** Sequences of the messages of the snapshot. */
  readonly from: number;
  readonly to: number;
  /** Number of events of the session that the snapshot replaces. */
  readonly index: number;
  /** Sequence of the last message that the snapshot replaces. */
  readonly sequence: number;
};

/** Stored form of a manifest. A session exists if it has a manifest. */
export type ManifestContent = {
  readonly info: SessionInfo;
  /** Newest owner. The storage refuses changes of older owners, because they have an older revision. */
  readonly epoch: number;
  /**
   * Beginning of the log: the mark of the owner that created the session. Earlier messages belong to a deleted session.
   */
  readonly start: End;
  readonly snapshot?: Snapshot;
};

/** Returns the content of a stored value. Returns `undefined` for a value that does not describe a session. */
export function manifestOf({ text }: StoredValue): ManifestContent | undefined {
  try {
    const content = JSON.parse(text) as Partial<ManifestContent> | null;
    const isSound = typeof content?.info?.sessionId === "string" && typeof content.info.cwd === "string";
    return isSound && typeof content.epoch === "number" && typeof content.start?.after === "number"
      ? (content as ManifestContent)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Parts of the manifest of an owner. */
export type ManifestParts = {
  readonly manifests: Values;
  readonly clock: Clock;
  readonly key: string;
  readonly sessionId: string;
  /** Returns false if this process no longer owns the session. */
  readonly mayWrite: () => boolean;
};

/** Manifest of a session that this process owns: its info, its owner and the beginning of its log. */
export class Manifest {
  readonly #parts: ManifestParts;
  #content: ManifestContent;
  #stored: ManifestContent | undefined;
  #revision: number;
  #queue: Promise<void> = Promise.resolve();

  private constructor(parts: ManifestParts, content: ManifestContent, revision: number) {
    this.#parts = parts;
    this.#content = content;
    this.#revision = revision;
  }

  /**
   * Creates the manifest of a new session.
   *
   * @throws SessionLogError `exists`
   */
  static async create(parts: ManifestParts, content: ManifestContent): Promise<Manifest> {
    const manifest = new Manifest(parts, content, 0);
    try {
      await manifest.save();
    } catch (error) {
      throw error instanceof Foreign ? exists(parts.sessionId) : error;
    }
    return manifest;
  }

  /**
   * Takes over the manifest of a stored session. Earlier owners can no longer change it.
   *
   * @throws SessionLogError `not_found`, and `locked` if the session was lost in the meantime
   */
  static async take(parts: ManifestParts, epoch: number): Promise<Manifest> {
    for (;;) {
      const found = await patiently(parts.clock, () => parts.manifests.get(parts.key));
      const content = found && manifestOf(found);
      if (found === undefined || content === undefined) throw notFound(parts.sessionId);
      if (content.epoch > epoch || !parts.mayWrite()) throw locked(parts.sessionId);
      const manifest = new Manifest(parts, { ...content, epoch }, found.revision);
      try {
        await manifest.save();
        return manifest;
      } catch (error) {
        // The previous owner has just stored a last change.
        if (!(error instanceof Foreign)) throw error;
      }
    }
  }

  get content(): ManifestContent {
    return this.#content;
  }

  /** Changes the manifest. {@link save} stores it. */
  change(content: Partial<ManifestContent>): void {
    this.#content = { ...this.#content, ...content };
  }

  /** Stores the changes of the manifest. One save runs at a time. Rejects if another owner has changed the manifest. */
  save(): Promise<void> {
    const saved = this.#queue.then(async () => {
      if (this.#content === this.#stored) return;
      const content = this.#content;
      await patiently(this.#parts.clock, () => this.#put(content));
      this.#stored = content;
    });
    this.#queue = saved.catch(() => undefined);
    return saved;
  }

  /** Removes the manifest. From then on, the session does not exist. */
  async remove(): Promise<void> {
    await this.#queue;
    const { manifests, clock, key } = this.#parts;
    await patiently(clock, async () => {
      try {
        await manifests.remove(key, this.#revision);
      } catch (error) {
        if (!isStoreFault(error, "refused")) throw error;
        if ((await manifests.get(key)) !== undefined) throw notOwned(this.#parts.sessionId);
      }
    });
  }

  async #put(content: ManifestContent): Promise<void> {
    const { manifests, key, mayWrite, sessionId } = this.#parts;
    if (!mayWrite()) throw new Foreign(`session ${sessionId} is no longer owned`);
    try {
      this.#revision = await manifests.put(key, JSON.stringify(content), this.#revision);
    } catch (error) {
      if (!isStoreFault(error, "refused")) throw error;
      const found = await manifests.get(key);
      // Only this owner writes its epoch: the answer to an earlier attempt was lost.
      if (found === undefined || manifestOf(found)?.epoch !== content.epoch)
        throw new Foreign(`session ${sessionId} has changed`);
      if (found.revision < this.#revision) throw error;
      this.#revision = found.revision;
      throw new Error("the newest revision was not known");
    }
  }
}

/** Failure of a manifest that another owner has changed. */
class Foreign extends FinalFault {}

/** Returns the error for a session without a manifest. */
export const notFound = (sessionId: string): SessionLogError =>
  new SessionLogError("not_found", `There is no session ${sessionId}.`);

/** Returns the error for a new session whose id has a manifest. */
export const exists = (sessionId: string): SessionLogError =>
  new SessionLogError("exists", `Session ${sessionId} already exists.`);
