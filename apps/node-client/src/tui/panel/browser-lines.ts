import { type Entry, pendingQuestions, type SessionState } from "@turnkit/session";
import { type Line, plainText, withStyle } from "../../render/line.js";
import { clip, screenLayout } from "../../render/wrap.js";
import type { Browser, BrowserPlace } from "../model/ui.js";
import { entryLines } from "../transcript/entry-lines.js";

export type BrowserRow = { readonly key: string; readonly line: Line };

type Made = { readonly width: number; readonly state: SessionState; readonly lines: readonly Line[] };
/** Drawn entries, and their heads. */
const drawn = { full: new WeakMap<Entry, Made>(), short: new WeakMap<Entry, Made>() };

/** Returns all lines of the transcript as it is folded. */
export function browserRows(state: SessionState, { unfolded }: Browser, place: BrowserPlace): readonly BrowserRow[] {
  const rows: BrowserRow[] = [];
  for (const entry of state.timeline) {
    const { key } = entry;
    const isOpen = unfolded === "all" || unfolded.has(key);
    const [head = [], ...rest] = linesOf(entry, state, place, isOpen ? "full" : "short");
    rows.push({ key, line: clip([["cyan", isOpen ? "▾ " : "▸ "], ...head], place.width) });
    for (const line of rest) rows.push({ key, line: ["  ", ...line] });
  }
  return rows;
}

export function browserLines(state: SessionState, browser: Browser, place: BrowserPlace): readonly Line[] {
  const rows = browserRows(state, browser, place);
  const shown = rows.slice(browser.top, browser.top + place.rows).map(({ line }, index): Line => {
    const isCursor = browser.top + index === browser.cursor;
    return isCursor
      ? clip([["bold", "❯"], ...line.map((span) => withStyle(span, "bold"))], place.width)
      : [" ", ...line];
  });
  const blank = Array.from({ length: Math.max(0, place.rows - shown.length) }, (): Line => []);
  const where = `${Math.min(rows.length, browser.cursor + 1)}/${rows.length}`;
  const keys: Line = [["dim", `Transcript ${where}  ↑↓ PgUp PgDn  Enter unfolds  a all  Esc back`]];
  const asks = pendingQuestions(state).length > 0;
  const foot: Line = asks ? [["yellow", "The agent has a question: Esc leads to it.  "], ...keys] : keys;
  return [...shown, ...blank, clip(foot, place.width)];
}

function linesOf(entry: Entry, state: SessionState, place: BrowserPlace, detail: "full" | "short"): readonly Line[] {
  const { width, directory } = place;
  const known = drawn[detail].get(entry);
  // Output of commands is in the state, not in the entry. A head shows none.
  const isCurrent = detail === "short" || entry.type !== "tool_call" || known?.state.terminals === state.terminals;
  if (known?.width === width && isCurrent) return known.lines;
  const all = entryLines(entry, state, { width: width - 3, directory, detail, layout: screenLayout });
  const lines = detail === "full" ? all : [headOf(all, width)];
  drawn[detail].set(entry, { width, state, lines });
  return lines;
}

/** Returns the first line with text, and the number of further lines. */
function headOf(lines: readonly Line[], width: number): Line {
  const first = lines.find((line) => plainText(line).trim() !== "") ?? [];
  const more = lines.length - 1;
  return more > 0 ? [...clip(first, width - 10), ["dim", ` +${more}`]] : first;
}
