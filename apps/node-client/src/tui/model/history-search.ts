import type { Key } from "./key.js";
import { inputOf } from "./text-input.js";
import { type HistorySearch, type Pressed, stay, type Ui } from "./ui.js";

/** Returns the found prompts, newest first. Each text is found once. */
export function foundPrompts({ recall, search }: Ui): readonly string[] {
  const wanted = search?.query.toLowerCase() ?? "";
  return [...new Set(recall.entries.toReversed())].filter((entry) => entry.toLowerCase().includes(wanted));
}

export function openSearch(ui: Ui): Pressed {
  if (ui.recall.entries.length === 0) return stay(ui, { notice: "There are no earlier prompts." });
  return stay(ui, { search: { query: "", at: 0 } });
}

/**
 * Applies a key to the search. Enter, Tab, and the left and right arrows put the found prompt into the prompt line,
 * where the person can edit it.
 */
export function pressSearch(ui: Ui, search: HistorySearch, key: Key): Pressed {
  const found = foundPrompts(ui);
  const move = (at: number) => stay(ui, { search: { ...search, at: Math.max(0, Math.min(found.length - 1, at)) } });
  switch (key.name) {
    case "text":
      return stay(ui, { search: { query: search.query + key.text.replaceAll("\n", " "), at: 0 } });
    case "backspace":
      return stay(ui, { search: { query: [...search.query].slice(0, -1).join(""), at: 0 } });
    case "up":
      return move(search.at + 1);
    case "down":
      return move(search.at - 1);
    case "ctrl":
      if (key.letter === "r") return move(search.at + 1);
      return key.letter === "s" ? move(search.at - 1) : stay(ui, { search: undefined });
    case "escape":
      return stay(ui, { search: undefined });
    case "enter":
    case "tab":
    case "left":
    case "right": {
      const text = found[search.at];
      if (text === undefined) return stay(ui);
      return stay(ui, { search: undefined, input: inputOf(text), completionClosed: true });
    }
    default:
      return stay(ui);
  }
}
