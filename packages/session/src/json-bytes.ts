import { bytesOf } from "./bytes.js";
import { utf8Length } from "./terminal-bytes.js";

/** Maximum number of bytes that JSON needs for a UTF-16 unit. */
export const JSON_CHARACTER_BYTES = 6;
/** Maximum number of bytes that JSON needs for a member, without its name and its text. */
export const JSON_MEMBER_BYTES = 26;

/** Depth at which {@link fitsAsJson} stops counting. */
const DEPTH = 100;
/** Length from which a text is scanned, in UTF-16 units. */
const LONG = 4_194_304;

/** Characters that JSON writes as one byte. `SHORT` contains those with at most two bytes. */
const PLAIN = /^[ !#-[\]-~]*$/;
const PRINTED = /^[\t\n\r -~]*$/;

/** Returns the size of a value as JSON, in bytes of UTF-8. */
export const jsonBytes = (value: unknown): number => utf8Length(JSON.stringify(value) ?? "");

/**
 * Returns `true` if the size of a value as JSON is surely at most `most` bytes. This is faster than writing the JSON.
 */
export const fitsAsJson = (value: object, most: number): boolean => mostBytes(value, most, 0) <= most;

/**
 * Returns an upper bound of the size in bytes. For a value that is nested too deeply, the bound is infinite. Counting
 * stops above `most`.
 */
function mostBytes(value: object, most: number, depth: number): number {
  if (depth > DEPTH) return Number.POSITIVE_INFINITY;
  // A persistent list has already counted its size, as at least half of its size as JSON.
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

/**
 * Returns the maximum size of a text in bytes. Only long texts are scanned, because a scan takes a third of the time
 * for writing JSON.
 */
function mostBytesOfText(text: string): number {
  if (text.length < LONG) return JSON_CHARACTER_BYTES * text.length;
  return text.length * (PLAIN.test(text) ? 1 : PRINTED.test(text) ? 2 : JSON_CHARACTER_BYTES);
}
