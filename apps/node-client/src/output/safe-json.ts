import { invisibleClass } from "../invisible.js";

/**
 * Characters that are valid in JSON but unsafe on a terminal: DEL, 8-bit controls, line separators, bidirectional
 * controls, and invisible characters.
 */
const UNSAFE = new RegExp(`[\\u007f-\\u009f${invisibleClass}]`, "gu");

/** Returns JSON that is safe to print, with invisible characters as escapes. A parser reads the same value from it. */
export function safeJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? "null").replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  let units = "";
  for (let at = 0; at < character.length; at++) {
    units += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return units;
}
