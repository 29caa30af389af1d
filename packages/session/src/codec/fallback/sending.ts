import type { ClientCapabilities } from "../../call.js";
import type { Lost } from "../losses.js";

/** Number of records below which no record is removed. */
const LEAST = 1024;

/**
 * Records of what an encoder has sent, by id. A record exists at least as long as its subject is in the sender's state.
 * If there are twice as many records as after the last removal, the records of missing subjects are removed.
 */
export class Sent<V> {
  /** The map is created for the first record. An encoder has six of these maps, and most sessions use none. */
  #records: Map<string, V> | undefined;
  readonly #least: number;
  #most: number;
  #rounds = 0;

  /** Creates an empty collection of records. With fewer than `least` records, no record is removed. */
  constructor(least = LEAST) {
    this.#least = least;
    this.#most = least;
  }

  /**
   * Returns the number of removals until now. New names contain this number, so that they never equal the name of a
   * removed record.
   */
  get rounds(): number {
    return this.#rounds;
  }

  get size(): number {
    return this.#records?.size ?? 0;
  }

  get(id: string): V | undefined {
    return this.#records?.get(id);
  }

  has(id: string): boolean {
    return this.#records?.has(id) === true;
  }

  /**
   * Stores a record. At a limit, also removes old records. `isKept` returns `true` for an id that is still in the
   * state.
   */
  set(id: string, record: V, isKept: (id: string) => boolean): void {
    this.#records ??= new Map();
    const records = this.#records.set(id, record);
    if (records.size <= this.#most) return;
    for (const known of records.keys()) if (known !== id && !isKept(known)) records.delete(known);
    this.#most = Math.max(this.#least, 2 * records.size);
    this.#rounds += 1;
  }

  ids(): Iterable<string> {
    return this.#records?.keys() ?? [];
  }

  delete(id: string): void {
    this.#records?.delete(id);
  }
}

/** Terminals by the tool calls that contain them, and the sent length of each terminal. */
export type ShownTerminals = {
  /** Ids of the tool calls that contain a terminal, by terminal id. */
  readonly users: Sent<Set<string>>;
  /** Length of a terminal's output in bytes when its text was last sent, by tool call and terminal. */
  readonly sent: Sent<Map<string, number>>;
  /** Ids of tool calls with new output that was not sent yet, because it is too short for an update. */
  readonly behind: Sent<true>;
};

/** Creates the records of an encoder that has not sent any terminal. */
export const createShownTerminals = (): ShownTerminals => ({ users: new Sent(), sent: new Sent(), behind: new Sent() });

/** State of one encoder in version 1 or seed. All its parts share it. */
export type Sending = {
  readonly peer: ClientCapabilities;
  readonly terminals: ShownTerminals;
  /** `true` if clients have terminals in the dialect. */
  readonly clientTerminals: boolean;
  /**
   * `true` if the content of tool calls may contain links to other sessions. Otherwise, the title of the session
   * replaces the link.
   */
  readonly linksSessions: boolean;
  /** Plans that were sent as text: their message id, their text, and the number of new ids. */
  readonly planTexts: Sent<{ readonly messageId: string; readonly text: string; readonly times: number }>;
  readonly lost: Lost;
};
