import type { SessionInfo } from "@turnkit/client";
import { openSessionPicker, withSessions } from "./model/session-rows.js";
import type { Picker } from "./model/ui.js";

export type ListingOptions = {
  readonly sessions: (signal: AbortSignal) => AsyncIterable<SessionInfo>;
  readonly current: () => { readonly id: string; readonly cwd: string };
  readonly shown: () => Picker | undefined;
  readonly show: (picker: Picker | undefined) => void;
};

/** Maximum number of listed sessions. The list is drawn again after each such number of sessions. */
const MAX_SESSIONS = 1000;
const LISTED_AT_ONCE = 50;

/** List of conversations whose rows arrive while it is on the screen. */
export class SessionListing {
  readonly #options: ListingOptions;
  #listing: AbortController | undefined;

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  /** Shows the list, and reads the sessions until the list is closed. */
  async open(filter: string): Promise<void> {
    const { sessions, current, shown, show } = this.#options;
    const listing = new AbortController();
    const { signal } = listing;
    this.#listing = listing;
    const found: SessionInfo[] = [];
    const { id: sessionId, cwd } = current();
    const update = (isLoading: boolean) => {
      const picker = shown();
      if (signal.aborted || picker?.kind !== "sessions") return;
      show({ ...withSessions(picker, found, { sessionId, cwd, now: Date.now() }), isLoading });
    };
    show(openSessionPicker(filter));
    try {
      for await (const info of sessions(signal)) {
        found.push(info);
        if (signal.aborted || found.length >= MAX_SESSIONS) break;
        if (found.length % LISTED_AT_ONCE === 0) update(true);
      }
      update(false);
    } catch (error) {
      if (signal.aborted) return;
      show(undefined);
      throw error;
    }
  }

  /** Stops reading sessions if the list is not on the screen any more. */
  check(): void {
    if (this.#options.shown()?.kind !== "sessions") this.#listing?.abort();
  }
}
