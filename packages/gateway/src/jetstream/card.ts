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

/** Description of a session in its stored form. A session exists if it has one. */
export type CardContent = {
  readonly info: SessionInfo;
  /** Newest owner. Changes of older owners are refused, because they do not know the newest revision. */
  readonly epoch: number;
  /** Beginning of the log: the mark of the owner that made it. Earlier messages belong to a deleted session. */
  readonly start: End;
  readonly snapshot?: Snapshot;
};

/** Returns the content of a stored value. Returns `undefined` for a value that does not describe a session. */
export function cardOf({ text }: StoredValue): CardContent | undefined {
  try {
    const content = JSON.parse(text) as Partial<CardContent> | null;
    const isSound = typeof content?.info?.sessionId === "string" && typeof content.info.cwd === "string";
    return isSound && typeof content.epoch === "number" && typeof content.start?.after === "number"
      ? (content as CardContent)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Parts of the card of an owner. */
export type CardParts = {
  readonly cards: Values;
  readonly clock: Clock;
  readonly key: string;
  readonly sessionId: string;
  /** Returns false if the session is no longer owned. */
  readonly mayWrite: () => boolean;
};

/** Description of a session that this process owns. */
export class Card {
  readonly #parts: CardParts;
  #content: CardContent;
  #stored: CardContent | undefined;
  #revision: number;
  #queue: Promise<void> = Promise.resolve();

  private constructor(parts: CardParts, content: CardContent, revision: number) {
    this.#parts = parts;
    this.#content = content;
    this.#revision = revision;
  }

  /**
   * Makes the card of a new session.
   *
   * @throws SessionLogError `exists`
   */
  static async create(parts: CardParts, content: CardContent): Promise<Card> {
    const card = new Card(parts, content, 0);
    try {
      await card.save();
    } catch (error) {
      throw error instanceof Foreign ? exists(parts.sessionId) : error;
    }
    return card;
  }

  /**
   * Takes over the card of a stored session. Earlier owners can no longer change it.
   *
   * @throws SessionLogError `not_found`, and `locked` if the session was lost in the meantime
   */
  static async take(parts: CardParts, epoch: number): Promise<Card> {
    for (;;) {
      const found = await patiently(parts.clock, () => parts.cards.get(parts.key));
      const content = found && cardOf(found);
      if (found === undefined || content === undefined) throw notFound(parts.sessionId);
      if (content.epoch > epoch || !parts.mayWrite()) throw locked(parts.sessionId);
      const card = new Card(parts, { ...content, epoch }, found.revision);
      try {
        await card.save();
        return card;
      } catch (error) {
        // The previous owner has just stored a last change.
        if (!(error instanceof Foreign)) throw error;
      }
    }
  }

  get content(): CardContent {
    return this.#content;
  }

  /** Changes the card. {@link save} stores it. */
  change(content: Partial<CardContent>): void {
    this.#content = { ...this.#content, ...content };
  }

  /** Stores the changes of the card. One save runs at a time. Rejects if another owner has changed the card. */
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

  /** Removes the card. From then on, the session does not exist. */
  async remove(): Promise<void> {
    await this.#queue;
    const { cards, clock, key } = this.#parts;
    await patiently(clock, async () => {
      try {
        await cards.remove(key, this.#revision);
      } catch (error) {
        if (!isStoreFault(error, "refused")) throw error;
        if ((await cards.get(key)) !== undefined) throw notOwned(this.#parts.sessionId);
      }
    });
  }

  async #put(content: CardContent): Promise<void> {
    const { cards, key, mayWrite, sessionId } = this.#parts;
    if (!mayWrite()) throw new Foreign(`session ${sessionId} is no longer owned`);
    try {
      this.#revision = await cards.put(key, JSON.stringify(content), this.#revision);
    } catch (error) {
      if (!isStoreFault(error, "refused")) throw error;
      const found = await cards.get(key);
      // Only this owner writes its epoch: the answer to an earlier attempt was lost.
      if (found === undefined || cardOf(found)?.epoch !== content.epoch)
        throw new Foreign(`session ${sessionId} has changed`);
      if (found.revision < this.#revision) throw error;
      this.#revision = found.revision;
      throw new Error("the newest revision was not known");
    }
  }
}

/** Failure of a card that another owner has changed. */
class Foreign extends FinalFault {}

/** Returns the error for a session without a card. */
export const notFound = (sessionId: string): SessionLogError =>
  new SessionLogError("not_found", `There is no session ${sessionId}.`);

/** Returns the error for a new session whose id has a card. */
export const exists = (sessionId: string): SessionLogError =>
  new SessionLogError("exists", `Session ${sessionId} already exists.`);
