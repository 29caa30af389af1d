import type { Token, Tokens } from "marked";
import type { FileLinks } from "../../render/file-links.js";
import { allLines, type Line, restyled, type Span, trimEndOf, withAddress, withStyle } from "../../render/line.js";
import type { Style } from "../../render/style.js";
import { webAddress } from "../../render/web-address.js";
import { clip, lineWidth, wrap, wrapText } from "../../render/wrap.js";
import type { Highlighter } from "./highlighter.js";
import { languageOf } from "./language-modes.js";
import { createMarkdownStream, type MarkdownBlock } from "./markdown-stream.js";

/** Minimum width of a block in columns. Each level of nesting takes some columns, so this width limits the depth. */
const NARROWEST = 8;

/** Parts of the appearance of a text that depend on other objects. */
export type Look = {
  /** Colours of code. Without it, all code has one colour. */
  readonly highlighter?: Highlighter | undefined;
  /** Links to files. Without it, paths are plain text. */
  readonly files?: FileLinks | undefined;
};

/**
 * Returns blocks as lines of at most `width` columns. An empty line precedes each block, unless the block continues the
 * previous one.
 */
export function markdownLines(blocks: readonly MarkdownBlock[], width: number, look: Look = {}): readonly Line[] {
  return allLines(
    blocks.flatMap(({ token, joined }) => {
      const lines = tokenLines(token, width, { ...look, joined });
      return joined ? [lines] : [[[]], lines];
    }),
  );
}

export function textLines(text: string, width: number, look: Look = {}): readonly Line[] {
  const stream = createMarkdownStream();
  return markdownLines([...stream.write(text), ...stream.end()], width, look).slice(1);
}

type BlockOptions = Look & {
  /** `true` for the rest of a block that was cut. */
  readonly joined?: boolean;
};

export function tokenLines(token: Token, width: number, options: BlockOptions = {}): readonly Line[] {
  if (width < NARROWEST) return rawLines(token, width);
  switch (token.type) {
    case "heading":
      return wrapped(inlineLines(childrenOf(token), options, ["bold"]), width, [
        ["dim", `${"#".repeat(token.depth)} `],
      ]);
    case "paragraph":
    case "text":
      return wrapped(inlineLines("tokens" in token && token.tokens ? token.tokens : [token], options), width);
    case "code":
      return codeLines(token as Tokens.Code, width, options);
    case "list":
      return listLines(token as Tokens.List, width, options);
    case "blockquote":
      return apart(childrenOf(token), Math.max(1, width - 2), options).map((line) => [["dim", "│ "], ...line]);
    case "table":
      return tableLines(token as Tokens.Table, width, options);
    case "hr":
      return [[["dim", "─".repeat(Math.min(width, 40))]]];
    case "space":
      return [];
    default:
      return rawLines(token, width);
  }
}

function rawLines({ raw }: Token, width: number): readonly Line[] {
  return wrapText(trimEndOf(raw, "\n"), width);
}

function childrenOf(token: Token): readonly Token[] {
  return (token as { readonly tokens?: readonly Token[] }).tokens ?? [];
}

function apart(tokens: readonly Token[], width: number, { highlighter, files }: Look): readonly Line[] {
  const blocks = tokens.filter(({ type }) => type !== "space");
  return blocks.flatMap((token, index) => [
    ...(index === 0 ? [] : [[]]),
    ...tokenLines(token, width, { highlighter, files }),
  ]);
}

function wrapped(lines: readonly Line[], width: number, first: Line = []): readonly Line[] {
  return lines.flatMap((line, index) => wrap(line, width, index === 0 ? { first, rest: [] } : {}));
}

function codeLines(
  { text, lang }: Tokens.Code,
  width: number,
  { joined = false, highlighter }: BlockOptions,
): readonly Line[] {
  // The end of a growing block gets its colours when it is printed.
  const style = languageOf(lang) === undefined ? "cyan" : "plain";
  const coloured = highlighter?.lines(text, lang, joined) ?? text.split("\n").map((line): Line => [[style, line]]);
  const lines = coloured.flatMap((line) => wrap(line, width, { first: ["  "], at: "width" }));
  return lang && !joined ? [[["dim", `  ${lang}`]], ...lines] : lines;
}

function listLines(
  { items, ordered, start, loose }: Tokens.List,
  width: number,
  { highlighter, files }: Look,
): readonly Line[] {
  return items.flatMap((item, index) => {
    const mark = ordered ? `${Number(start || 1) + index}. ` : "- ";
    const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    const inside = Math.max(1, width - mark.length);
    const tokens = item.tokens.filter(({ type }) => type !== "space");
    const lines = tokens.flatMap((token) => tokenLines(token, inside, { highlighter, files }));
    const [first = [], ...rest] = lines;
    const gap: readonly Line[] = loose && index > 0 ? [[]] : [];
    return [
      ...gap,
      [["dim", mark], ...(box === "" ? [] : [box]), ...first] as Line,
      ...rest.map((line): Line => [" ".repeat(mark.length), ...line]),
    ];
  });
}

const GAP = " │ ";

/** Returns a table in columns if it fits. Otherwise each row becomes a list of its cells with their headings. */
function tableLines({ header, rows, align }: Tokens.Table, width: number, look: Look): readonly Line[] {
  const heads = header.map((cell) => cellLine(cell, look).map((span) => withStyle(span, "bold")));
  const body = rows.map((row) => row.map((cell) => cellLine(cell, look)));
  const widths = heads.map((head, column) =>
    Math.max(lineWidth(head), ...body.map((row) => lineWidth(row[column] ?? []))),
  );
  const total = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1);
  if (total > width) return stacked(heads, body, width);
  const rowLine = (row: readonly Line[]): Line =>
    widths.flatMap((columns, column): Span[] => [
      ...(column === 0 ? [] : [["dim", GAP] as const]),
      ...aligned(row[column] ?? [], columns, align[column]),
    ]);
  const rule: Line = [["dim", widths.map((columns) => "─".repeat(columns)).join("─┼─")]];
  return [rowLine(heads), rule, ...body.map(rowLine)];
}

/**
 * Returns each cell as a paragraph behind its heading. Long headings are whole in the first row, and cut in the other rows.
 */
function stacked(heads: readonly Line[], body: readonly (readonly Line[])[], width: number): readonly Line[] {
  if (body.length === 0) return heads.flatMap((head) => wrap(head, width));
  const short = heads.map((head) => clip(head, width));
  return body.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => {
      const head = (index === 0 ? heads : short)[column] ?? [];
      return wrap([...head, ": ", ...cell], width, { rest: ["  "] });
    }),
  ]);
}

function aligned(cell: Line, columns: number, align: string | null | undefined): Line {
  const blank = columns - lineWidth(cell);
  const left = align === "right" ? blank : align === "center" ? Math.floor(blank / 2) : 0;
  return [" ".repeat(left), ...cell, " ".repeat(blank - left)];
}

function cellLine(cell: Tokens.TableCell, look: Look): Line {
  return inlineLines(cell.tokens, look).flatMap((line, index) => (index === 0 ? [...line] : [" ", ...line]));
}

/** Maximum nesting of styles. Deeper styles are shown as source text. */
const MAX_NESTED = 12;

/**
 * Returns the text of a block, one line for each line of the source. Nothing is hidden: a link has its address after
 * it, and HTML is shown as source text.
 */
function inlineLines(tokens: readonly Token[], { files }: Look, styles: readonly Style[] = []): readonly Line[] {
  const lines: Span[][] = [[]];
  for (const span of inlineSpans(tokens, styles)) {
    const text = typeof span === "string" ? span : span[1];
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (piece === "") continue;
      const whole = restyled(span, piece);
      (lines.at(-1) as Span[]).push(...(files?.spans(whole) ?? [whole]).map(withoutEmptyStyle));
    }
  }
  return lines;
}

function withoutEmptyStyle(span: Span): Span {
  return typeof span !== "string" && span[0].length === 0 && span[2] === undefined ? span[1] : span;
}

export function inlineSpans(tokens: readonly Token[], styles: readonly Style[] = []): readonly Span[] {
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
        return [[styles, `![${token.text}](`], addressSpan(String(token.href), styles), [styles, ")"]];
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
  return inlineSpans((token as Tokens.Strong).tokens ?? [], styles);
}

function linkSpans(token: Tokens.Link, styles: readonly Style[]): readonly Span[] {
  const isBare = token.text === token.href || `http://${token.text}` === token.href;
  const address = addressSpan(isBare ? token.text : token.href, styles);
  return isBare ? [address] : [...inner(token, styles), [styles, " ("], address, [styles, ")"]];
}

/**
 * Returns an address as a link to itself. The text before an address is not a link, because the text may look like
 * another address.
 */
function addressSpan(shown: string, styles: readonly Style[]): Span {
  return withAddress([...styles, "underline"], shown, webAddress(shown));
}
