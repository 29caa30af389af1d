import { MAX_ID_LENGTH } from "../wire/limits.js";
import { CURSOR_KEY } from "../wire/resumption.js";

/** Minimum number of newest cursors among which a duplicate is found. At most twice as many are stored. */
const REMEMBERED = 1024;

/** Position in one stream, by the cursors of its messages. Cursors are compared and never read. */
// REM-38
export class Position {
  /** Cursor of the last message, or `undefined` before the first one. */
  cursor: string | undefined;
  #seen = new Set<string>();
  /** The cursors before those of `#seen`. */
  #before: ReadonlySet<string> = new Set();

  /** Moves to a cursor. Returns `false` if its message has arrived before. */
  moveTo(cursor: string): boolean {
    if (this.#seen.has(cursor) || this.#before.has(cursor)) return false;
    this.cursor = cursor;
    // A full set is kept as a whole, because removing one cursor for each message took a tenth of the client's time.
    if (this.#seen.size === REMEMBERED) {
      this.#before = this.#seen;
      this.#seen = new Set();
    }
    this.#seen.add(cursor);
    return true;
  }
}

/** Removes the cursor from a message, and returns it. */
export function takeCursor(message: unknown): string | undefined {
  const envelope = message as { _meta?: { [key: string]: unknown } } | null;
  const meta = envelope?._meta;
  if (typeof meta !== "object" || meta === null) return undefined;
  const { [CURSOR_KEY]: cursor, ...others } = meta;
  if (!isCursor(cursor)) return undefined;
  if (Object.keys(others).length > 0) envelope!._meta = others;
  else delete envelope!._meta;
  return cursor;
}

/** Returns `true` for a text that can be a cursor. */
export const isCursor = (cursor: unknown): cursor is string =>
  typeof cursor === "string" && cursor !== "" && cursor.length <= MAX_ID_LENGTH;
