import type { SessionEvent } from "@turnkit/session";

type Early = { readonly events: readonly SessionEvent[]; readonly bytes: number };

/** Bounds of what is kept for sessions that are not known yet, those of what waits in lanes. */
export type UnclaimedLimits = { readonly waitingMessages?: number; readonly waitingBytes?: number };

/**
 * Keeps updates of sessions that are not known yet, but only while a request is open whose answer may name them. Beyond
 * the bound the newest are dropped: reading cannot stop for them, since it has to bring that answer.
 */
export class UnclaimedUpdates {
  readonly #limits: Required<UnclaimedLimits>;
  readonly #report: (sessionId: string, message: string) => void;
  readonly #kept = new Map<string, Early[]>();
  #messages = 0;
  #bytes = 0;
  #openRequests = 0;

  /** @param report told of updates that were given up */
  constructor(limits: UnclaimedLimits, report: (sessionId: string, message: string) => void) {
    const { waitingMessages = 1_000, waitingBytes = 4 * 1024 * 1024 } = limits;
    this.#limits = { waitingMessages, waitingBytes };
    this.#report = report;
  }

  /** Runs a request that may name a session; what nobody claimed by the end of the last one is given up. */
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

  /** What was kept for a session that is known now, in order. */
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
