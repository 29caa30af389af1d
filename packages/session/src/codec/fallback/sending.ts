import type { ClientCapabilities } from "../../call.js";
import type { Lost } from "../losses.js";

/** Number of records below which none is removed. */
const LEAST = 1024;

/**
 * Records of what was sent, by id. A record stays at least as long as its subject is in the sender's state. Records of
 * dropped subjects are removed when there are twice as many records as after the last removal.
 */
export class Sent<V> {
  /** Created for the first record: an encoder has six of these, and most sessions use none. */
  #records: Map<string, V> | undefined;
  readonly #least: number;
  #most: number;
  #rounds = 0;

  /** Creates empty records. With fewer than `least` none is removed. */
  constructor(least = LEAST) {
    this.#least = least;
    this.#most = least;
  }

  /** Returns the number of clean-ups so far. New names include it, so that they never equal a removed one. */
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

  /** Stores a record, and removes old ones at a limit. `isKept` returns true for an id that the state still has. */
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

/** Terminals by the tool calls that show them, and how much of each was sent. */
export type ShownTerminals = {
  /** Tool calls by the terminal that they show. */
  readonly users: Sent<Set<string>>;
  /** Bytes that each terminal of a tool call had put out when its text was sent last. */
  readonly sent: Sent<Map<string, number>>;
  /** Tool calls with new terminal output that is too short for an update so far. */
  readonly behind: Sent<true>;
};

/** Creates the records of an encoder that has shown no terminal. */
export const noTerminals = (): ShownTerminals => ({ users: new Sent(), sent: new Sent(), behind: new Sent() });

/** State of one encoder, shared by its parts, for dialects without terminals of the agent. */
export type Sending = {
  readonly peer: ClientCapabilities;
  readonly terminals: ShownTerminals;
  /** True if the dialect has terminals of the client. */
  readonly clientTerminals: boolean;
  /** True if tool calls may hold links to other sessions. Otherwise the title of the session stands there. */
  readonly linksSessions: boolean;
  /** Plans that were sent as text: their id, the text, and the number of new starts. */
  readonly planTexts: Sent<{ readonly messageId: string; readonly text: string; readonly times: number }>;
  readonly lost: Lost;
};
