import { oneLine, sanitise, showControls } from "../sanitise.js";
import type { Paint, Style } from "./style.js";

/**
 * Part of a line: plain text, or text with one or more styles. With an address, it is a link on terminals with links. A
 * person must be able to read the address in the text.
 */
export type Span = string | readonly [style: Style | readonly Style[], text: string, address?: string | undefined];

/** Line of the output, or a line that is not wrapped yet. */
export type Line = readonly Span[];

export type BlockOptions = {
  /** Text before every line. Default: two spaces. */
  readonly gutter?: string;
  readonly style?: Style;
  /** Maximum number of lines. "… N more lines" replaces the lines beyond it. */
  readonly limit?: number;
  /** `show` makes escape sequences visible. `drop`, the default, removes them. */
  readonly sequences?: "drop" | "show";
};

const TAB = "    ";
const ASCII = /^[\x20-\x7e]*$/;

/** Returns the text of a span without cursor movements and line breaks. */
export function textOf(span: Span): string {
  const text = typeof span === "string" ? span : span[1];
  return ASCII.test(text) ? text : showControls(text).replace(/\n/g, "␊").replace(/\t/g, TAB);
}

export function restyled(span: Span, text: string): Span {
  return typeof span === "string" ? text : withAddress(span[0], text, span[2]);
}

export function withAddress(style: Style | readonly Style[], text: string, address: string | undefined): Span {
  return address === undefined ? [style, text] : [style, text, address];
}

/** Returns a line without the addresses of its links. Use it if a part of the text is not shown. */
export function withoutLinks(line: Line): Line {
  return line.map((span) => (typeof span === "string" ? span : [span[0], span[1]]));
}

export function withStyle(span: Span, style: Style): Span {
  if (typeof span === "string") return [style, span];
  return withAddress([...(typeof span[0] === "string" ? [span[0]] : span[0]), style], span[1], span[2]);
}

export function inStyle(line: Line, style: Style): Line {
  return line.map((span) => [style, typeof span === "string" ? span : span[1]]);
}

export type PaintOptions = {
  readonly read?: (span: Span) => string;
  /** Returns a painted text as a link to an address. If absent, the output has no links. */
  readonly link?: ((painted: string, address: string) => string) | undefined;
};

/** Returns a line as text with control sequences for its styles and links. */
export function paintLine(line: Line, paint: Paint, { read = textOf, link }: PaintOptions = {}): string {
  let all = "";
  for (const span of line) {
    const text = read(span);
    if (typeof span === "string" || text === "") {
      all += text;
      continue;
    }
    const [styles, , address] = span;
    let painted = text;
    if (typeof styles === "string") painted = paint(styles, text);
    else for (const style of styles) painted = paint(style, painted);
    all += link === undefined || address === undefined ? painted : link(painted, address);
  }
  return all;
}

/** Maximum length of a title or a name in a log, in characters. Some agents put whole commands into titles. */
const MAX_SHORT = 1000;

/** Returns a text on one line without tabs, with at most 1000 characters. */
export function shortened(text: string): string {
  return cut(oneLine(text.slice(0, MAX_SHORT + 1)), MAX_SHORT);
}

/** Returns a text with at most `most` characters. An ellipsis replaces the rest. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

export function plainText(line: Line): string {
  return line.map(textOf).join("");
}

/** Returns the lines of all parts. `flat` and `flatMap` take five times as long, and a part may have a million lines. */
export function allLines(parts: Iterable<readonly Line[]>): Line[] {
  const lines: Line[] = [];
  for (const part of parts) for (const line of part) lines.push(line);
  return lines;
}

/** Returns a text as lines, each with the text of `gutter` before it. Tabs are not replaced. */
export function blockLines(text: string, options: BlockOptions = {}): readonly Line[] {
  const { gutter = "  ", style = "plain", limit = Number.POSITIVE_INFINITY, sequences = "drop" } = options;
  const harmless = sequences === "drop" ? sanitise(text) : showControls(text);
  const all = (harmless.endsWith("\n") ? harmless.slice(0, -1) : harmless).split("\n");
  const blank: Line = [gutter.trimEnd()];
  const shown = all.length > limit ? all.slice(0, limit) : all;
  const lines = shown.map((line): Line => (line === "" ? blank : [gutter, style === "plain" ? line : [style, line]]));
  if (all.length > limit) lines.push([gutter, ["dim", moreLines(all.length - limit)]]);
  return lines;
}

export function moreLines(count: number): string {
  return `… ${count} more line${count === 1 ? "" : "s"}`;
}

/** Returns a text without the repetitions of a character at its end. A regular expression with `+$` would be slow. */
export function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
