/**
 * Makes the text of an agent harmless for a terminal. An agent may send control sequences, which can also come from a
 * file or a web page:
 *
 * - OSC 52 writes to the clipboard.
 * - OSC 8 hides the address of a link.
 * - CSI overwrites earlier text.
 * - Bidirectional overrides change the visible order of code.
 *
 * Results of this module contain no control bytes except `\n` and `\t`.
 */

import { invisibleClass, isInvisible } from "./invisible.js";

/** Cleans text that arrives in pieces. It also finds sequences and characters that are split between two pieces. */
export interface Sanitiser {
  /** Returns the harmless text that is complete after this piece. */
  write(chunk: string): string;
  /** Returns the remaining text. Call it once, after the last piece. */
  end(): string;
}

type Mode = "text" | "escape" | "escape_intermediate" | "csi" | "string";

const ESC = 0x1b;
/**
 * Characters that begin a sequence with a payload: DCS, SOS, OSC, PM and APC. BEL or ST ends the payload. These
 * characters follow ESC. The 8-bit forms are below.
 */
const STRING_AFTER_ESC = new Set(["P", "X", "]", "^", "_"]);
const STRING_IN_8_BITS = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);
const CSI_IN_8_BITS = 0x9b;
/** BEL, CAN, SUB and the 8-bit ST. */
const ENDS_STRING = new Set([0x07, 0x18, 0x1a, 0x9c]);

/** Characters after which a joiner is ordinary: emoji, and letters of Arabic and of Indian and neighbouring scripts. */
const MAY_JOIN = new RegExp(
  `[\\p{Extended_Pictographic}\\p{Emoji_Modifier}${[
    ...["Arabic", "Syriac", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada"],
    ...["Malayalam", "Sinhala", "Khmer", "Myanmar"],
  ]
    .map((script) => `\\p{Script=${script}}`)
    .join("")}]|\\ufe0f`,
  "u",
);
const MAY_BE_EMOJI = /\p{Extended_Pictographic}|[0-9#*]/u;
const PLAIN_ASCII = /^[\t\n\x20-\x7e]*$/;
/** Characters that must be replaced before a text is shown. Other characters are copied without a check of each. */
const RISKY = new RegExp(`[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\p{Cs}${invisibleClass}]`, "gu");

const isRisky = (code: number) =>
  code < 0xa0
    ? (code < 0x20 && code !== 0x09 && code !== 0x0a) || code > 0x7e
    : isInvisible(code) || (code >= 0xd800 && code <= 0xdfff);

function nextRisky(text: string, from: number): number {
  RISKY.lastIndex = from;
  return RISKY.exec(text)?.index ?? text.length;
}

function charBefore(text: string, at: number): string {
  const isPair = at > 1 && text.charCodeAt(at - 1) >= 0xdc00 && text.charCodeAt(at - 1) <= 0xdfff;
  return text.slice(at - (isPair ? 2 : 1), at);
}

const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;

/**
 * Creates a {@link Sanitiser} for text of messages and output of commands. Escape sequences are removed. Other control
 * characters become visible (`␇`, `<U+202E>`), and a carriage return becomes a line break. If a decision of a person
 * depends on the text, as with commands and diffs, use {@link showControls}, which removes nothing.
 */
export function createSanitiser(): Sanitiser {
  let mode: Mode = "text";
  let previous = "";
  let held = "";

  const take = (char: string, code: number): string => {
    const inside = mode === "text" ? undefined : follow(mode, char, code);
    // A character that does not continue a sequence is text, or begins another sequence.
    mode = inside ?? begin(code);
    if (inside !== undefined) return "";
    const before = previous;
    previous = char;
    if (mode !== "text" || (char === "\n" && before === "\r")) return "";
    return char === "\r" ? "\n" : visible(char, code, before);
  };

  return {
    write(chunk) {
      if (mode === "text" && held === "" && previous !== "\r" && PLAIN_ASCII.test(chunk)) {
        previous = chunk.at(-1) ?? previous;
        return chunk;
      }
      let text = held + chunk;
      held = "";
      if (HIGH_SURROGATE_AT_END.test(text)) {
        held = text.slice(-1);
        text = text.slice(0, -1);
      }
      // Each part is a separate text, and all parts are joined at the end. Adding single characters to one text would
      // take three times as long.
      const parts: string[] = [];
      for (let at = 0; at < text.length; ) {
        const code = text.codePointAt(at) ?? 0;
        const end = mode === "text" && previous !== "\r" && !isRisky(code) ? nextRisky(text, at) : at;
        if (end > at) {
          parts.push(text.slice(at, end));
          previous = charBefore(text, end);
          at = end;
          continue;
        }
        const char = String.fromCodePoint(code);
        parts.push(take(char, code));
        at += char.length;
      }
      return parts.join("");
    },
    end() {
      const rest = held === "" || mode !== "text" ? "" : "\ufffd";
      held = "";
      mode = "text";
      previous = "";
      return rest;
    },
  };
}

/** Cleans a complete text as {@link createSanitiser} does. */
export function sanitise(text: string): string {
  const sanitiser = createSanitiser();
  return sanitiser.write(text) + sanitiser.end();
}

/** Makes every control character visible, so escape sequences are shown as text. */
export function showControls(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = nextRisky(text, at);
    if (end > at) parts.push(text.slice(at, end));
    let previous = end === 0 ? "" : charBefore(text, end);
    at = end;
    // Risky characters often follow each other. A search for each single character would take longer.
    for (let code = text.codePointAt(at); code !== undefined && isRisky(code); code = text.codePointAt(at)) {
      const char = String.fromCodePoint(code);
      parts.push(visible(char, code, previous));
      previous = char;
      at += char.length;
    }
  }
  return parts.join("");
}

/**
 * Makes a title or a path safe for one line. Control characters become visible, as in {@link showControls}; line breaks
 * and tabs are removed.
 */
export function oneLine(text: string): string {
  return showControls(text).replace(/\n/g, "␊").replace(/\t/g, " ");
}

/** Returns the mode that begins with a character outside of a sequence. */
function begin(code: number): Mode {
  if (code === ESC) return "escape";
  if (code === CSI_IN_8_BITS) return "csi";
  return STRING_IN_8_BITS.has(code) ? "string" : "text";
}

/** Returns the mode after a character of a sequence; `undefined` if the character does not continue the sequence. */
function follow(mode: Exclude<Mode, "text">, char: string, code: number): Mode | undefined {
  const isFinal = (first: number) => code >= first && code <= 0x7e;
  const isIntermediate = code >= 0x20 && code <= 0x2f;
  switch (mode) {
    case "escape":
      if (char === "[") return "csi";
      if (STRING_AFTER_ESC.has(char)) return "string";
      if (isIntermediate) return "escape_intermediate";
      return isFinal(0x30) ? "text" : undefined;
    case "escape_intermediate":
      if (isIntermediate) return mode;
      return isFinal(0x30) ? "text" : undefined;
    case "csi":
      if (code >= 0x20 && code <= 0x3f) return mode;
      return isFinal(0x40) ? "text" : undefined;
    case "string":
      if (ENDS_STRING.has(code)) return "text";
      if (code === ESC) return "escape"; // usually ESC \, which "escape" drops
      // A line break ends a string that has no end mark. Otherwise a single introducer could hide the rest of a
      // conversation.
      return char === "\n" || char === "\r" ? undefined : mode;
  }
}

/** Pictures of the control characters below a space, such as `␇`. */
const pictures: readonly string[] = Array.from({ length: 0x20 }, (_, code) => String.fromCodePoint(0x2400 + code));

function visible(char: string, code: number, previous: string): string {
  if (char === "\n" || char === "\t") return char;
  if (code < 0x20) return pictures[code] as string;
  if (code < 0x7f) return char;
  if (code === 0x7f) return "␡";
  if (code < 0xa0) return named(code);
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  if (!isInvisible(code)) return char;
  // After an emoji, this selector chooses its picture in colours.
  if (code === 0xfe0f && MAY_BE_EMOJI.test(previous)) return char;
  const joiner = code === 0x200c || code === 0x200d;
  return joiner && MAY_JOIN.test(previous) ? char : named(code);
}

const names = new Map<number, string>();

/** Returns the visible code of a character, such as `<U+202E>`. */
function named(code: number): string {
  const known = names.get(code) ?? `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  names.set(code, known);
  return known;
}
