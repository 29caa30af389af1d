import { sanitise } from "../sanitise.js";
import { type Line, moreLines } from "./line.js";

export type WrapOptions = {
  /** Text before the first line; its width is taken from all lines. */
  readonly first?: Line;
  /** Text before the other lines; as wide as `first`. */
  readonly rest?: Line;
  /** Place of the breaks: between words (the default), or at the width, as for code. */
  readonly at?: "words" | "width";
};

/** Functions that fit lines to the columns of the output. */
export type Layout = {
  /** Breaks a line into lines of at most `width` columns. */
  readonly wrap: (line: Line, width: number, options?: WrapOptions) => readonly Line[];
  /** Breaks a text of several lines. */
  readonly wrapText: (text: string, width: number, options?: WrapOptions) => readonly Line[];
  readonly clip: (line: Line, width: number) => Line;
};

export type EntryPlace = {
  /** Columns of the screen. A log is not wrapped. */
  readonly width: number;
  /** Paths inside it are shown relative to it. */
  readonly directory: string;
  /**
   * - `log`: lines of output that only grows
   * - `short`: the beginning of long texts, on a screen
   * - `full`: everything that a screen can scroll
   */
  readonly detail: "log" | "short" | "full";
  readonly layout: Layout;
};

/** Layout of a log: lines of any length. A program without a screen does not load the measuring of texts. */
const logLayout: Layout = {
  wrap: (line) => [line],
  wrapText: (text) => text.split("\n").map((line) => [line]),
  clip: (line) => line,
};

export function logPlace(directory: string): EntryPlace {
  return { width: Number.POSITIVE_INFINITY, directory, detail: "log", layout: logLayout };
}

/** Characters of one text that are read at most: more than any limit of lines shows. */
const MAX_TEXT = 256 * 1024;

/** Returns text in the gutter of a screen; "… N more lines" replaces what exceeds the limit. */
export function gutterLines(text: string, { width, layout }: EntryPlace, limit: number): readonly Line[] {
  const lines = layout.wrapText(sanitise(text.slice(0, MAX_TEXT)).replace(/^\n+|\n+$/g, ""), width, {
    first: [["dim", "  │ "]],
    at: "width",
  });
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit), [["dim", `  │ ${moreLines(lines.length - limit)}`]]];
}
