import type { Holding } from "./account.js";
import { type ClientCall, OpenRequests } from "./open-requests.js";
import type { EndCause, StreamListener } from "./out-stream.js";
import { OutStreams } from "./out-streams.js";
import type { Settings } from "./settings.js";

/** Reason for the end of a connection at the bound for the sizes of a principal. */
export const tooMuch: EndCause = { code: 1008, reason: "Its principal held too much.", isCut: true };

/** Connection whose messages are counted. */
export type Holder = {
  /** Id of the principal. */
  readonly owner: string;
  /** `true` for a WebSocket, which carries all streams. */
  readonly isSocket: boolean;
  readonly settings: Settings;
};

/** Listener of the streams, and of the bound for all sizes. */
export type HoldingsListener = Omit<StreamListener, "writes"> & {
  /** The principal exceeds its bound, and the connection has no kept messages to drop. The connection ends. */
  full(): void;
};

/**
 * Everything that a connection holds for its principal, in characters: messages that the agent has not taken, open
 * requests, and what its streams store and write. Texts that readers still write count even after the end of the
 * connection.
 */
// REM-23
export class Holdings {
  readonly requests = new OpenRequests();
  readonly streams: OutStreams;
  readonly #holder: Holder;
  readonly #holding: Holding;
  readonly #listener: HoldingsListener;
  #isOver = false;

  constructor(holder: Holder, listener: HoldingsListener) {
    const { owner, isSocket, settings } = holder;
    this.#holder = holder;
    this.#listener = listener;
    this.#holding = settings.held.hold(owner, () => this.#giveUp());
    this.streams = new OutStreams(
      { isSingle: isSocket, limit: settings.limits.sessions },
      {
        taken: (stream) => listener.taken(stream),
        writes: (by) => this.#holding.add(by),
        attached: () => listener.attached(),
        detached: () => {
          this.#endUnlessRead();
          listener.detached();
        },
      },
    );
  }

  /**
   * Returns `true` if a request fits into the bounds of open requests, and into the bound for all sizes of the
   * principal.
   */
  hasRoom({ size }: ClientCall): boolean {
    const { owner, settings } = this.#holder;
    const { openRequests, requestCharacters } = settings.limits;
    const { count, characters } = this.requests;
    if (count >= openRequests || characters + size > requestCharacters) return false;
    return settings.held.refusal(owner, size) === undefined;
  }

  /** Counts a message to the agent, until the returned function is called. At a bound, the connection may end in this call. */
  hold(size: number): () => void {
    this.#holding.add(size);
    return () => this.#holding.add(-size);
  }

  /** Ends the streams. */
  end(cause: EndCause): void {
    this.#isOver = true;
    this.streams.end(cause);
    this.#endUnlessRead();
  }

  /** Ends the counting for an ended connection, when its last reader has written its texts. */
  #endUnlessRead(): void {
    if (this.#isOver && !this.streams.hasReader) this.#holding.end();
  }

  /** Drops the messages that are kept for a resume. If there are none, ends the connection. */
  #giveUp(): void {
    if (this.streams.dropTaken()) return;
    if (this.#isOver) this.streams.end(tooMuch);
    this.#listener.full();
    this.#holding.end();
  }
}
