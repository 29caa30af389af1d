import { type BlockOptions, moreLines, type Page } from "../../render/page.js";
import { sanitise, showControls } from "../../sanitise.js";
import type { Line } from "./line.js";

/** What the renderers of the one-shot mode draw, as lines for the screen instead of text for a stream. */
export function linesOf(draw: (page: Page) => void): readonly Line[] {
  const lines: Line[] = [];
  const page: Page = {
    line: (...spans) => void lines.push(spans),
    block(text, { gutter = "  ", style = "plain", limit = Number.POSITIVE_INFINITY, sequences }: BlockOptions = {}) {
      const harmless = sequences === "show" ? showControls(text) : sanitise(text);
      const all = harmless.replace(/\n$/, "").split("\n");
      for (const line of all.slice(0, limit)) lines.push([gutter, [lookOf(style, line), line]]);
      if (all.length > limit) lines.push([gutter, ["dim", moreLines(all.length - limit)]]);
    },
    flow: (_, style, text) => void lines.push([[style, text]]),
    section() {},
    lineEndedOutside() {},
  };
  draw(page);
  return lines;
}

function lookOf(style: NonNullable<BlockOptions["style"]>, line: string) {
  return typeof style === "function" ? style(line) : style;
}
