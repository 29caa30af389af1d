import { sanitise } from "../sanitise.js";
import type { FileLinks } from "./file-links.js";
import { type Line, moreLines, trimEndOf } from "./line.js";

export type WrapOptions = {
  /** Text before the first line. Its width reduces the width of the first line. */
  readonly first?: Line;
  /** Text before the other lines, `first` if absent. Its width reduces the width of these lines. */
  readonly rest?: Line;
  /** Position of the breaks: between words (the default), or at the width, as in code. */
  readonly at?: "words" | "width";
};

export type Layout = {
  /** Breaks a line into lines of at most `width` columns. */
  readonly wrap: (line: Line, width: number, options?: WrapOptions) => readonly Line[];
  /** Breaks a text with several lines into lines of at most `width` columns. */
  readonly wrapText: (text: string, width: number, options?: WrapOptions) => readonly Line[];
  readonly clip: (line: Line, width: number) => Line;
};

export type RenderContext = {
  /** Number of columns of the screen. A log is not wrapped. */
  readonly width: number;
  /** Directory of the session. Paths inside it are shown relative to it. */
  readonly directory: string;
  /**
   * - `log`: output to which lines are only added
   * - `short`: the screen, with only the beginning of long texts
   * - `full`: the transcript, in which everything can be scrolled
   */
  readonly detail: "log" | "short" | "full";
  readonly layout: Layout;
  /** Links to files. Without it, places in files are plain text. */
  readonly files?: FileLinks | undefined;
};

/**
 * Layout of a log, whose lines have any length. It has its own functions, so a program without a screen does not load
 * the code that measures text.
 */
const logLayout: Layout = {
  wrap: (line) => [line],
  wrapText: (text) => text.split("\n").map((line) => [line]),
  clip: (line) => line,
};

export function logContext(directory: string): RenderContext {
  return { width: Number.POSITIVE_INFINITY, directory, detail: "log", layout: logLayout };
}

/** Maximum number of characters that are read of one text. Limits on lines always cut a text before this length. */
const MAX_TEXT = 256 * 1024;

/**
 * Returns the lines of a text on a screen, with spaces before each line. "… N more lines" replaces the lines beyond the
 * limit.
 */
export function gutterLines(text: string, { width, layout }: RenderContext, limit: number): readonly Line[] {
  const lines = layout.wrapText(trimEndOf(sanitise(text.slice(0, MAX_TEXT)).replace(/^\n+/, ""), "\n"), width, {
    first: [["dim", "  │ "]],
    at: "width",
  });
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit), [["dim", `  │ ${moreLines(lines.length - limit)}`]]];
}
