import type { SessionState } from "@turnkit/session";
import { browserRows } from "../panel/browser-lines.js";
import type { Key } from "./key.js";
import type { Browser, BrowserPlace } from "./ui.js";

/** Opens the transcript at its end, with everything folded. */
export function openBrowser(state: SessionState, place: BrowserPlace): Browser {
  const browser: Browser = { cursor: 0, top: 0, unfolded: new Set() };
  const count = browserRows(state, browser, place).length;
  return placed({ ...browser, cursor: count - 1 }, count, place.rows);
}

/** Applies a key to the transcript; `undefined` closes it. */
export function pressBrowser(
  browser: Browser,
  key: Key,
  state: SessionState,
  place: BrowserPlace,
): Browser | undefined {
  const rows = browserRows(state, browser, place);
  const to = (cursor: number) => placed({ ...browser, cursor }, rows.length, place.rows);
  const letter = key.name === "text" ? key.text : "";
  if (key.name === "escape" || letter === "q" || (key.name === "ctrl" && key.letter === "o")) return undefined;
  switch (key.name) {
    case "up":
      return to(browser.cursor - 1);
    case "down":
      return to(browser.cursor + 1);
    case "page-up":
      return to(browser.cursor - place.rows);
    case "page-down":
      return to(browser.cursor + place.rows);
    case "home":
      return to(0);
    case "end":
      return to(rows.length - 1);
    case "enter":
      return toggled(browser, state, place);
  }
  if (letter === " ") return toggled(browser, state, place);
  if (letter === "a") return refolded(browser, browser.unfolded === "all" ? new Set() : "all", state, place);
  return browser;
}

function toggled(browser: Browser, state: SessionState, place: BrowserPlace): Browser {
  const key = browserRows(state, browser, place)[browser.cursor]?.key;
  if (key === undefined) return browser;
  const all = () => new Set([...state.timeline].map((entry) => entry.key));
  const unfolded = new Set(browser.unfolded === "all" ? all() : browser.unfolded);
  if (!unfolded.delete(key)) unfolded.add(key);
  return refolded(browser, unfolded, state, place);
}

/** Folds or unfolds entries. The cursor moves to the head of its entry. */
function refolded(browser: Browser, unfolded: Browser["unfolded"], state: SessionState, place: BrowserPlace): Browser {
  const key = browserRows(state, browser, place)[browser.cursor]?.key;
  const next = { ...browser, unfolded };
  const rows = browserRows(state, next, place);
  const cursor = rows.findIndex((row) => row.key === key);
  return placed({ ...next, cursor: Math.max(0, cursor) }, rows.length, place.rows);
}

function placed(browser: Browser, count: number, rows: number): Browser {
  const cursor = Math.max(0, Math.min(count - 1, browser.cursor));
  const top = Math.max(0, Math.min(Math.max(browser.top, cursor - rows + 1), cursor, Math.max(0, count - rows)));
  return { ...browser, cursor, top };
}
