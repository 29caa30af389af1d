import type { SessionEvent } from "@turnkit/session";

type Early = { readonly events: readonly SessionEvent[]; readonly bytes: number };

/** Bounds of updates for unknown sessions; those of the lanes. */
export type UnclaimedLimits = { readonly waitingMessages?: number; readonly waitingBytes?: number };

/**
 * Keeps updates of unknown sessions while a request is open whose answer may name them. Beyond the bounds the newest
 * are dropped: reading cannot stop, since it has to bring that answer.
 */
export class UnclaimedUpdates {
  readonly #limits: Required<UnclaimedLimits>;
  readonly #report: (sessionId: string, message: string) => void;
  readonly #kept = new Map<string, Early[]>();
  #messages = 0;
  #bytes = 0;
  #openRequests = 0;

  /** @param report receives updates that were dropped */
  constructor(limits: UnclaimedLimits, report: (sessionId: string, message: string) => void) {
    const { waitingMessages = 1_000, waitingBytes = 4 * 1024 * 1024 } = limits;
    this.#limits = { waitingMessages, waitingBytes };
    this.#report = report;
  }

  /** Runs a request that may name a session. At the end of the last one, unclaimed updates are dropped. */
  async during<T>(request: () => Promise<T>): Promise<T> {
    this.#openRequests += 1;
    try {
      return await request();
    } finally {
      this.#openRequests -= 1;
      if (this.#openRequests === 0) this.#giveUp();
    }
  }

  keep(sessionId: string, events: readonly SessionEvent[], bytes: number): void {
    const { waitingMessages, waitingBytes } = this.#limits;
    if (this.#openRequests === 0) {
      this.#report(sessionId, "An update was dropped: this client has no such session.");
    } else if (this.#messages >= waitingMessages || this.#bytes >= waitingBytes) {
      this.#report(sessionId, "An update was dropped: too many came before their session was opened.");
    } else {
      const early = this.#kept.get(sessionId) ?? [];
      early.push({ events, bytes });
      this.#kept.set(sessionId, early);
      this.#messages += 1;
      this.#bytes += bytes;
    }
  }

  /** Returns the kept updates of a session in order, and removes them. */
  claim(sessionId: string): readonly Early[] {
    const early = this.#kept.get(sessionId) ?? [];
    this.#kept.delete(sessionId);
    for (const { bytes } of early) {
      this.#messages -= 1;
      this.#bytes -= bytes;
    }
    return early;
  }

  #giveUp(): void {
    for (const [sessionId, early] of this.#kept) {
      this.#report(sessionId, `${early.length} updates were dropped: no session of that name was opened.`);
    }
    this.#kept.clear();
    this.#messages = 0;
    this.#bytes = 0;
  }
}
