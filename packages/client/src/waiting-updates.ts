import type { SessionEvent } from "@turnkit/session";

type Message = { readonly events: readonly SessionEvent[]; readonly bytes: number };

/** Bounds of updates that wait for a session. The last message may exceed them. */
export type WaitingLimits = { readonly waitingMessages?: number; readonly waitingBytes?: number };

/**
 * Bounded queues of updates for sessions that are not open yet. Updates above the bounds are refused, because reading
 * continues.
 */
export class WaitingUpdates {
  readonly #limits: Required<WaitingLimits>;
  readonly #messages = new Map<string, Message[]>();
  #count = 0;
  #bytes = 0;

  constructor({ waitingMessages = 1_000, waitingBytes = 4 * 1024 * 1024 }: WaitingLimits = {}) {
    this.#limits = { waitingMessages, waitingBytes };
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Ids of the sessions whose updates wait. */
  get sessionIds(): readonly string[] {
    return [...this.#messages.keys()];
  }

  /** Adds the updates of one message. Returns false if there is no room. */
  add(sessionId: string, events: readonly SessionEvent[], bytes: number): boolean {
    if (this.#count >= this.#limits.waitingMessages || this.#bytes >= this.#limits.waitingBytes) return false;
    const messages = this.#messages.get(sessionId) ?? [];
    messages.push({ events, bytes });
    this.#messages.set(sessionId, messages);
    this.#count += 1;
    this.#bytes += bytes;
    return true;
  }

  /** Removes the updates of a session and returns them. */
  take(sessionId: string): readonly Message[] {
    const messages = this.#messages.get(sessionId) ?? [];
    this.#messages.delete(sessionId);
    this.#count -= messages.length;
    for (const { bytes } of messages) this.#bytes -= bytes;
    return messages;
  }

  /** Delivers the waiting updates of a session. */
  deliver(session: { readonly id: string; receive(events: readonly SessionEvent[], bytes: number): void }): void {
    for (const { events, bytes } of this.take(session.id)) session.receive(events, bytes);
  }
}
