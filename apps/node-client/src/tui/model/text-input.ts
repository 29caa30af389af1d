import { clusterEnd, clusterStart } from "../../render/cluster.js";
import type { Key } from "./key.js";

/** Text with the position of the cursor, in UTF-16 units. */
export type TextInput = {
  readonly text: string;
  readonly cursor: number;
  /** Text that was deleted last as a word or a part of a line. */
  readonly killed?: string | undefined;
  /** Earlier texts, oldest first. */
  readonly past?: readonly TextInput[] | undefined;
  /** Kind of the last change. Further changes of this kind are taken back together. */
  readonly changing?: "typing" | "erasing" | "killing" | undefined;
};

export const emptyInput: TextInput = { text: "", cursor: 0 };

/** Maximum length of a text in characters. The rest is dropped. */
const MAX_INPUT = 256 * 1024;

/** Maximum number of stored earlier texts. */
const MAX_PAST = 100;

export function inputOf(text: string): TextInput {
  return { text, cursor: text.length };
}

/** Returns an empty input that keeps the deleted text. */
export const cleared = ({ killed }: TextInput): TextInput => ({
  ...emptyInput,
  ...(killed !== undefined && { killed }),
});

/**
 * Applies a key to a text. Returns the same object if the key has no effect. Up and Down move between the lines of the
 * text. They have no effect in the first and the last line.
 */
export function edit(input: TextInput, key: Key): TextInput {
  if (key.name === "ctrl" && key.letter === "_") return undone(input);
  const next = applied(input, key);
  if (next === input) return input;
  if (next.text === input.text) return { ...next, changing: undefined };
  const changing = changeOf(key, next.killed !== input.killed);
  // Each word that is typed is a change of its own.
  const isSame = changing === input.changing && !(key.name === "text" && input.text[input.cursor - 1] === " ");
  const { past: _, ...before } = input;
  const past = isSame ? input.past : [...(input.past ?? []), before].slice(-MAX_PAST);
  return { ...next, past, changing };
}

function changeOf(key: Key, isKill: boolean): TextInput["changing"] {
  if (isKill) return "killing";
  if (key.name === "text") return key.text.length < 3 && key.isPaste !== true ? "typing" : undefined;
  return key.name === "backspace" || key.name === "delete" ? "erasing" : undefined;
}

function undone({ killed, past = [], ...input }: TextInput): TextInput {
  const before = past.at(-1);
  if (before === undefined) return { ...input, killed, past };
  return { ...before, killed, past: past.slice(0, -1), changing: undefined };
}

function applied(input: TextInput, key: Key): TextInput {
  const { text, cursor } = input;
  switch (key.name) {
    case "text":
      return insert(input, key.text);
    case "newline":
      return insert(input, "\n");
    case "backspace":
      return remove(input, before(text, cursor), cursor);
    case "delete":
      return remove(input, cursor, after(text, cursor));
    case "delete-word":
      return kill(input, wordBefore(text, cursor), cursor);
    case "left":
      return moved(input, before(text, cursor));
    case "right":
      return moved(input, after(text, cursor));
    case "word-left":
      return moved(input, wordBefore(text, cursor));
    case "word-right":
      return moved(input, wordAfter(text, cursor));
    case "home":
      return moved(input, lineStart(text, cursor));
    case "end":
      return moved(input, lineEnd(text, cursor));
    case "up":
    case "down":
      return vertically(input, key.name);
    case "ctrl":
      return control(input, key.letter);
    default:
      return input;
  }
}

/** Keys for letters with Ctrl, as in a shell. */
const keysOfLetters: Readonly<
  Record<string, "home" | "end" | "left" | "right" | "backspace" | "delete" | "delete-word">
> = {
  ...{ a: "home", e: "end", b: "left", f: "right", h: "backspace", d: "delete", w: "delete-word" },
};

function control(input: TextInput, letter: string): TextInput {
  const { text, cursor } = input;
  const name = keysOfLetters[letter];
  if (name !== undefined) return applied(input, { name });
  if (letter === "k") return kill(input, cursor, lineEnd(text, cursor));
  if (letter === "y" && input.killed !== undefined) return insert(input, input.killed);
  return letter === "u" ? kill(input, lineStart(text, cursor), cursor) : input;
}

function insert(input: TextInput, added: string): TextInput {
  const { text, cursor } = input;
  const taken = added.slice(0, MAX_INPUT - text.length);
  return { ...input, text: text.slice(0, cursor) + taken + text.slice(cursor), cursor: cursor + taken.length };
}

function remove(input: TextInput, from: number, to: number): TextInput {
  if (from === to) return input;
  return { ...input, text: input.text.slice(0, from) + input.text.slice(to), cursor: from };
}

/** Deletes a part of a text and stores it. Parts that are deleted one after the other are stored together. */
function kill(input: TextInput, from: number, to: number): TextInput {
  if (from === to) return input;
  const { text, cursor, killed = "", changing } = input;
  const part = text.slice(from, to);
  const isNext = changing === "killing";
  return { ...remove(input, from, to), killed: isNext ? (to > cursor ? killed + part : part + killed) : part };
}

function moved(input: TextInput, cursor: number): TextInput {
  return cursor === input.cursor ? input : { ...input, cursor };
}

function vertically(input: TextInput, direction: "up" | "down"): TextInput {
  const { text, cursor } = input;
  const start = lineStart(text, cursor);
  const column = cursor - start;
  if (direction === "up") {
    if (start === 0) return input;
    const above = lineStart(text, start - 1);
    return moved(input, whole(text, Math.min(above + column, start - 1)));
  }
  const end = lineEnd(text, cursor);
  return end === text.length ? input : moved(input, whole(text, Math.min(end + 1 + column, lineEnd(text, end + 1))));
}

/** Returns the start of the grapheme before the cursor. */
function before(text: string, cursor: number): number {
  return cursor === 0 ? 0 : clusterStart(text, cursor);
}

/** Returns the start of the grapheme at a position. The position may be inside the grapheme. */
export function whole(text: string, place: number): number {
  if (place >= text.length || place === lineStart(text, place)) return place;
  const start = before(text, place);
  return after(text, start) > place ? start : place;
}

function after(text: string, cursor: number): number {
  return cursor >= text.length ? cursor : clusterEnd(text, cursor);
}

function wordBefore(text: string, cursor: number): number {
  // This loop replaces a regular expression, because an expression that ends with `$` would be tried at every
  // character.
  let start = cursor;
  while (start > 0 && isBlank(text, start - 1)) start -= 1;
  while (start > 0 && !isBlank(text, start - 1)) start -= 1;
  return start;
}

const isBlank = (text: string, at: number): boolean => /\s/.test(text.charAt(at));

function wordAfter(text: string, cursor: number): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
}

function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
}
