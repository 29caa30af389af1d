import { type Entry, pendingQuestions, type SessionState } from "@turnkit/session";
import { type Line, plainText, withoutLinks, withStyle } from "../../render/line.js";
import { clip, screenLayout } from "../../render/wrap.js";
import { entryLines } from "../transcript/entry-lines.js";
import type { Key } from "./key.js";
import type { Browser, BrowserContext } from "./ui.js";

/** Opens the transcript at its end, with all entries folded. */
export function openBrowser(state: SessionState, context: BrowserContext): Browser {
  const browser: Browser = { cursor: 0, top: 0, unfolded: new Set() };
  const count = browserRows(state, browser, context).length;
  return placed({ ...browser, cursor: count - 1 }, count, context.rows);
}

/** Applies a key to the transcript. Returns `undefined` if the key closes it. */
export function pressBrowser(
  browser: Browser,
  key: Key,
  state: SessionState,
  context: BrowserContext,
): Browser | undefined {
  const rows = browserRows(state, browser, context);
  const to = (cursor: number) => placed({ ...browser, cursor }, rows.length, context.rows);
  const letter = key.name === "text" ? key.text : "";
  if (key.name === "escape" || letter === "q" || (key.name === "ctrl" && key.letter === "o")) return undefined;
  switch (key.name) {
    case "up":
      return to(browser.cursor - 1);
    case "down":
      return to(browser.cursor + 1);
    case "page-up":
      return to(browser.cursor - context.rows);
    case "page-down":
      return to(browser.cursor + context.rows);
    case "home":
      return to(0);
    case "end":
      return to(rows.length - 1);
    case "enter":
      return toggled(browser, state, context);
  }
  if (letter === " ") return toggled(browser, state, context);
  if (letter === "a") return refolded(browser, browser.unfolded === "all" ? new Set() : "all", state, context);
  return browser;
}

function toggled(browser: Browser, state: SessionState, context: BrowserContext): Browser {
  const key = browserRows(state, browser, context)[browser.cursor]?.key;
  if (key === undefined) return browser;
  const all = () => new Set([...state.timeline].map((entry) => entry.key));
  const unfolded = new Set(browser.unfolded === "all" ? all() : browser.unfolded);
  if (!unfolded.delete(key)) unfolded.add(key);
  return refolded(browser, unfolded, state, context);
}

/** Folds or unfolds entries. The cursor moves to the first line of its entry. */
function refolded(
  browser: Browser,
  unfolded: Browser["unfolded"],
  state: SessionState,
  context: BrowserContext,
): Browser {
  const key = browserRows(state, browser, context)[browser.cursor]?.key;
  const next = { ...browser, unfolded };
  const rows = browserRows(state, next, context);
  const cursor = rows.findIndex((row) => row.key === key);
  return placed({ ...next, cursor: Math.max(0, cursor) }, rows.length, context.rows);
}

function placed(browser: Browser, count: number, rows: number): Browser {
  const cursor = Math.max(0, Math.min(count - 1, browser.cursor));
  const top = Math.max(0, Math.min(Math.max(browser.top, cursor - rows + 1), cursor, Math.max(0, count - rows)));
  return { ...browser, cursor, top };
}

export type BrowserRow = { readonly key: string; readonly line: Line };

type Made = { readonly width: number; readonly state: SessionState; readonly lines: readonly Line[] };
/** Cache of the lines of entries: `full` for all lines, `short` for first lines. */
const drawn = { full: new WeakMap<Entry, Made>(), short: new WeakMap<Entry, Made>() };

/** Returns all lines of the transcript. Folded entries have one line. */
function browserRows(state: SessionState, { unfolded }: Browser, context: BrowserContext): readonly BrowserRow[] {
  const rows: BrowserRow[] = [];
  for (const entry of state.timeline) {
    const { key } = entry;
    const isOpen = unfolded === "all" || unfolded.has(key);
    const [head = [], ...rest] = linesOf(entry, state, context, isOpen ? "full" : "short");
    rows.push({ key, line: clip([["cyan", isOpen ? "▾ " : "▸ "], ...head], context.width) });
    for (const line of rest) rows.push({ key, line: ["  ", ...line] });
  }
  return rows;
}

export function browserLines(state: SessionState, browser: Browser, context: BrowserContext): readonly Line[] {
  const rows = browserRows(state, browser, context);
  const shown = rows.slice(browser.top, browser.top + context.rows).map(({ line }, index): Line => {
    const isCursor = browser.top + index === browser.cursor;
    return isCursor
      ? clip([["bold", "❯"], ...line.map((span) => withStyle(span, "bold"))], context.width)
      : [" ", ...line];
  });
  const blank = Array.from({ length: Math.max(0, context.rows - shown.length) }, (): Line => []);
  const where = `${Math.min(rows.length, browser.cursor + 1)}/${rows.length}`;
  const keys: Line = [["dim", `Transcript ${where}  ↑↓ PgUp PgDn  Enter unfolds  a all  Esc back`]];
  const asks = pendingQuestions(state).length > 0;
  const foot: Line = asks ? [["yellow", "The agent has a question: Esc leads to it.  "], ...keys] : keys;
  return [...shown, ...blank, clip(foot, context.width)];
}

function linesOf(
  entry: Entry,
  state: SessionState,
  context: BrowserContext,
  detail: "full" | "short",
): readonly Line[] {
  const { width, directory, files } = context;
  const known = drawn[detail].get(entry);
  // The output of commands is in the state, not in the entry. The first line of an entry shows no output.
  const isCurrent = detail === "short" || entry.type !== "tool_call" || known?.state.terminals === state.terminals;
  if (known?.width === width && isCurrent) return known.lines;
  const all = entryLines(entry, state, { width: width - 3, directory, files, detail, layout: screenLayout });
  const lines = detail === "full" ? all : [headOf(all, width)];
  drawn[detail].set(entry, { width, state, lines });
  return lines;
}

/** Returns the first line that has text, with the number of further lines. */
function headOf(lines: readonly Line[], width: number): Line {
  // The rest of a broken link is not shown.
  const first = withoutLinks(lines.find((line) => plainText(line).trim() !== "") ?? []);
  const more = lines.length - 1;
  return more > 0 ? [...clip(first, width - 10), ["dim", ` +${more}`]] : first;
}
