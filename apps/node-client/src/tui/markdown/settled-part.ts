import type { Token, Tokens } from "marked";
import { plainText, textOf } from "../../render/line.js";
import { showControls } from "../../sanitise.js";
import { inlineSpans, tokenLines } from "./markdown-lines.js";
import { codeOpening, type SettledPart } from "./markdown-stream.js";

/** Number of rows of a paragraph that stay open. */
const OPEN = 2;

/**
 * Returns the beginning of an unfinished paragraph, list or block of code that can be printed. Otherwise, the whole
 * block would be drawn with each frame, and a smaller terminal would move its beginning into the history.
 */
export function settledPart(token: Token, width: number): SettledPart | undefined {
  switch (token.type) {
    case "code":
      return settledCode(token as Tokens.Code);
    case "list":
      return settledList(token as Tokens.List);
    case "paragraph":
      return settledParagraph(token as Tokens.Paragraph, width);
    default:
      return undefined;
  }
}

function settledCode(token: Tokens.Code): SettledPart | undefined {
  const opening = codeOpening.exec(token.raw)?.[0];
  if (opening === undefined) return undefined;
  // The last whole line stays open, because a rest without a line would be an empty block.
  const last = token.raw.lastIndexOf("\n");
  const end = token.raw.lastIndexOf("\n", last - 1);
  if (end < opening.length) return undefined;
  const text = token.raw.slice(opening.length, end);
  return { token: { ...token, text }, length: end + 1, again: opening, isApart: false };
}

function settledList(token: Tokens.List): SettledPart | undefined {
  const items = token.items.slice(0, -1);
  const raw = items.map((item) => item.raw).join("");
  const isPart = items.length > 0 && token.raw.startsWith(raw) && beginsItem.test(token.raw.slice(raw.length));
  if (!isPart) return undefined;
  const next = token.ordered ? { start: Number(token.start || 1) + items.length } : {};
  return { token: { ...token, items }, length: raw.length, again: "", isApart: token.loose, ...next };
}

/** Matches an item that has a text. The mark of an item without a text could be the beginning of another block. */
const beginsItem = /^ {0,3}(?:[-+*]|\d{1,9}[.)]) {1,4}[^\s-]/;

function settledParagraph(token: Tokens.Paragraph, width: number): SettledPart | undefined {
  const counts = tokenLines(token, width).map((line) => letterCount(plainText(line)));
  const cuts = cutsOf(token);
  if (cuts === undefined) return undefined;
  for (let row = counts.length - OPEN; row > 0; row -= 1) {
    const letters = counts.slice(0, row).reduce((sum, count) => sum + count, 0);
    const cut = cuts.get(letters);
    // If the rest begins with a letter, it is a paragraph too, and not a list or a heading.
    if (cut === undefined || !/^\p{L}/u.test(token.raw.slice(cut.at))) continue;
    return { token: { ...token, tokens: cut.tokens }, length: cut.at, again: "", isApart: false };
  }
  return undefined;
}

type Cut = { readonly at: number; readonly tokens: Token[] };

/** Characters of a plain text that may form a link or a style with later text. */
const unclear = /[*`~[<&\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u;

/** Returns the places at which a paragraph can be cut, by the number of letters before them. */
function cutsOf({ raw, text, tokens }: Tokens.Paragraph): ReadonlyMap<number, Cut> | undefined {
  if (!raw.startsWith(text) || tokens.map((token) => token.raw).join("") !== text) return undefined;
  const cuts = new Map<number, Cut>();
  let at = 0;
  let letters = 0;
  for (const [index, token] of tokens.entries()) {
    const isPlain = token.type === "text" && !("tokens" in token && token.tokens) && token.text === token.raw;
    if (isPlain && (unclear.test(token.raw) || showControls(token.raw) !== token.raw)) return cuts;
    if (isPlain) {
      let from = 0;
      let counted = letters;
      for (const { 0: blank, index: start } of token.raw.matchAll(/\s+/g)) {
        counted += letterCount(token.raw.slice(from, start));
        from = start + blank.length;
        const part = token.raw.slice(0, start);
        const before = tokens.slice(0, index);
        cuts.set(counted, { at: at + from, tokens: [...before, { type: "text", raw: part, text: part } as Token] });
      }
    }
    at += token.raw.length;
    letters += inlineSpans([token]).reduce((sum, span) => sum + letterCount(textOf(span)), 0);
  }
  return cuts;
}

/** Returns the number of characters that are not blanks. Blanks at the end of a row are not drawn. */
function letterCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (!/\s/.test(text.charAt(at))) count += 1;
  return count;
}
