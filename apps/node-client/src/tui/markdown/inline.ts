import type { Token, Tokens } from "marked";
import type { Line, Span } from "../../render/line.js";
import type { Style } from "../../render/style.js";

/** Maximum nesting of styles; deeper ones stay source text. */
const MAX_NESTED = 12;

/**
 * Returns the inline parts of a block, one line for each line of the source. Nothing is hidden: a link shows its
 * address, and HTML stays source text.
 */
export function inlineLines(tokens: readonly Token[], styles: readonly Style[] = []): readonly Line[] {
  const lines: Span[][] = [[]];
  for (const span of spansOf(tokens, styles)) {
    const [style, text] = typeof span === "string" ? ([[], span] as const) : span;
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (piece !== "") (lines.at(-1) as Span[]).push(style.length === 0 ? piece : [style, piece]);
    }
  }
  return lines;
}

function spansOf(tokens: readonly Token[], styles: readonly Style[]): readonly Span[] {
  return tokens.flatMap((token): readonly Span[] => {
    switch (token.type) {
      case "strong":
        return inner(token, [...styles, "bold"]);
      case "em":
        return inner(token, [...styles, "italic"]);
      case "del":
        return inner(token, [...styles, "strikethrough"]);
      case "codespan":
        return [[[...styles, "cyan"], token.raw]];
      case "link":
        return linkSpans(token as Tokens.Link, styles);
      case "image":
        return [
          [styles, `![${token.text}](`],
          [[...styles, "underline"], String(token.href)],
          [styles, ")"],
        ];
      case "br":
        return ["\n"];
      case "escape":
        return [[styles, String(token.text)]];
      case "text":
        return "tokens" in token && token.tokens ? inner(token, styles) : [[styles, String(token.text)]];
      default:
        return [[styles, token.raw]];
    }
  });
}

function inner(token: Token, styles: readonly Style[]): readonly Span[] {
  if (styles.length > MAX_NESTED) return [[styles, token.raw]];
  return spansOf((token as Tokens.Strong).tokens ?? [], styles);
}

function linkSpans(token: Tokens.Link, styles: readonly Style[]): readonly Span[] {
  const address: Span = [[...styles, "underline"], token.href];
  const isBare = token.text === token.href || `mailto:${token.text}` === token.href;
  return isBare ? [address] : [...inner(token, styles), [styles, " ("], address, [styles, ")"]];
}
