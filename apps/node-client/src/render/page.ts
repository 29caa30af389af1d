import type { Sanitiser } from "../sanitise.js";
import { createSanitiser, oneLine, sanitise, showControls } from "../sanitise.js";
import type { Paint, Style } from "./style.js";

/** A piece of a line: plain text, or text in a style. */
export type Span = string | readonly [style: Style, text: string];

/** How a {@link Page.block} looks. */
export type BlockOptions = {
  /** Stands before every line; two spaces unless said otherwise. */
  readonly gutter?: string;
  readonly style?: Style | ((line: string) => Style);
  /** Lines shown at most; the rest becomes "… N more lines". */
  readonly limit?: number;
  /** `show` makes escape sequences readable, `drop` (the default) removes them. */
  readonly sequences?: "drop" | "show";
};

/**
 * The only way to the screen. It makes every text harmless by itself, so that no part of the renderer can forget to, and
 * it knows whether the cursor stands in the middle of a line.
 */
export interface Page {
  /** One line. Line breaks inside it are made visible, so that a title cannot pose as a line of this program. */
  line(...spans: Span[]): void;
  /** Text of several lines, with a gutter. */
  block(text: string, options?: BlockOptions): void;
  /** Text that comes in pieces; pieces with the same key run on. */
  flow(key: string, style: Style, text: string): void;
  /** Ends an open line and leaves an empty one where the subject changes. */
  section(name: string): void;
  /** Says that somebody else (the person who answers a question) has just ended the line. */
  lineEndedOutside(): void;
}

/** Longest piece of a line, in characters. Titles come from agents, and some put whole commands there. */
const MAX_SPAN = 1000;

/** Makes a page over `write`, which gets complete text in order. */
export function createPage(write: (text: string) => void, paint: Paint): Page {
  let lineOpen = false;
  /** Prose often ends with an empty line of its own. */
  let afterEmptyLine = false;
  let section: string | undefined;
  let flowing: { readonly key: string; readonly sanitiser: Sanitiser } | undefined;

  const endLine = () => {
    flowing = undefined;
    if (lineOpen) write("\n");
    lineOpen = false;
  };
  const paintSpan = (span: Span) => {
    const [style, text] = typeof span === "string" ? (["plain", span] as const) : span;
    return text === "" ? "" : paint(style, clip(oneLine(text)));
  };

  return {
    line(...spans) {
      endLine();
      write(`${spans.map(paintSpan).join("")}\n`);
      afterEmptyLine = false;
    },
    block(text, { gutter = "  ", style = "plain", limit = Number.POSITIVE_INFINITY, sequences = "drop" } = {}) {
      endLine();
      const harmless = sequences === "drop" ? sanitise(text) : showControls(text);
      const lines = harmless.replace(/\n$/, "").split("\n");
      for (const line of lines.slice(0, limit)) {
        const look = typeof style === "function" ? style(line) : style;
        write(line === "" ? `${gutter.trimEnd()}\n` : `${gutter}${paint(look, line)}\n`);
      }
      if (lines.length > limit) write(`${gutter}${paint("dim", moreLines(lines.length - limit))}\n`);
      afterEmptyLine = false;
    },
    flow(key, style, text) {
      if (flowing?.key !== key) {
        endLine();
        flowing = { key, sanitiser: createSanitiser() };
      }
      const harmless = flowing?.sanitiser.write(text) ?? "";
      if (harmless === "") return;
      // Colours are closed before a line break, so that a dim thought cannot dim what a log viewer puts after it.
      write(harmless.replace(/[^\n]+/g, (piece) => paint(style, piece)));
      afterEmptyLine = harmless.endsWith("\n\n") || (harmless === "\n" && !lineOpen);
      lineOpen = !harmless.endsWith("\n");
    },
    section(name) {
      if (name === section) return;
      endLine();
      if (section !== undefined && !afterEmptyLine) write("\n");
      afterEmptyLine = true;
      section = name;
    },
    lineEndedOutside() {
      lineOpen = false;
    },
  };
}

/** What stands for lines that are not shown. */
export function moreLines(count: number): string {
  return `… ${count} more line${count === 1 ? "" : "s"}`;
}

function clip(text: string): string {
  return text.length > MAX_SPAN ? `${text.slice(0, MAX_SPAN).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
