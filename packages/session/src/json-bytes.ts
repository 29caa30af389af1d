import { bytesOf } from "./bytes.js";

/** Most bytes of a UTF-16 unit of a text in JSON. */
export const JSON_CHARACTER_BYTES = 6;
/** Most bytes of a member in JSON, beside its name and the text that it holds. */
export const JSON_MEMBER_BYTES = 26;

/** Depth below which {@link fitsAsJson} does not count. */
const DEPTH = 100;
/** Length from which a text is scanned. */
const LONG = 4_194_304;

/** Characters that JSON writes as one byte, and characters that it writes as at most two. */
const PLAIN = /^[ !#-[\]-~]*$/;
const PRINTED = /^[\t\n\r -~]*$/;

const encoder = /* @__PURE__ */ new TextEncoder();

/** Returns the bytes of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value) ?? "").length;

/** Returns true if an upper bound of the bytes of a value as JSON is within `most`. Writing the JSON takes longer. */
export const fitsAsJson = (value: object, most: number): boolean => mostBytes(value, most, 0) <= most;

/** Returns the upper bound, which is infinite for a value nested too deeply. Stops counting past `most`. */
function mostBytes(value: object, most: number, depth: number): number {
  if (depth > DEPTH) return Number.POSITIVE_INFINITY;
  // A persistent list has counted its bytes already, as at least half of those of its JSON.
  if ("toJSON" in value) return JSON_CHARACTER_BYTES * bytesOf(value);
  const isList = Array.isArray(value);
  let bytes = 0;
  for (const key in value) {
    const member = (value as { readonly [key: string]: unknown })[key];
    bytes += JSON_MEMBER_BYTES + (isList ? 0 : JSON_CHARACTER_BYTES * key.length);
    if (typeof member === "string") bytes += mostBytesOfText(member);
    else if (typeof member === "object" && member !== null) bytes += mostBytes(member, most - bytes, depth + 1);
    if (bytes > most) return bytes;
  }
  return bytes;
}

/** Returns the most bytes of a text. Only long texts are scanned: a scan takes a third of the time of JSON. */
function mostBytesOfText(text: string): number {
  if (text.length < LONG) return JSON_CHARACTER_BYTES * text.length;
  return text.length * (PLAIN.test(text) ? 1 : PRINTED.test(text) ? 2 : JSON_CHARACTER_BYTES);
}
