import { sanitise } from "../sanitise.js";
import { type Line, moreLines } from "./line.js";
import { wrapText } from "./wrap.js";

/** Layout of an entry. */
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
};

/** Returns the layout of a log. */
export function logPlace(directory: string): EntryPlace {
  return { width: Number.POSITIVE_INFINITY, directory, detail: "log" };
}

/** Layout of text in a gutter on a screen. */
export type GutterPlace = { readonly width: number; readonly limit: number };

/** Characters of one text that are read at most: more than any limit of lines shows. */
const MAX_TEXT = 256 * 1024;

/** Returns text in the gutter of a screen; "… N more lines" replaces what exceeds the limit. */
export function gutterLines(text: string, { width, limit }: GutterPlace): readonly Line[] {
  const lines = wrapText(sanitise(text.slice(0, MAX_TEXT)).replace(/^\n+|\n+$/g, ""), width, {
    first: [["dim", "  │ "]],
    at: "width",
  });
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit), [["dim", `  │ ${moreLines(lines.length - limit)}`]]];
}
