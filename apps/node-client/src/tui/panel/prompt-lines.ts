import { type PlanEntry, type SessionState, visiblePlan } from "@turnkit/session";
import { type Line, textOf, withoutLinks } from "../../render/line.js";
import { stepLine } from "../../render/plan.js";
import { clip, lineWidth, widthOf } from "../../render/wrap.js";
import { textLines } from "../markdown/markdown-lines.js";
import { offersFor } from "../model/completion.js";
import { labelled } from "../model/folds.js";
import { foundPrompts } from "../model/history-search.js";
import { visibleRows } from "../model/picker.js";
import { INPUT_MARGIN } from "../model/press-prompt.js";
import { inputOf, type TextInput } from "../model/text-input.js";
import type { Picker, Ui } from "../model/ui.js";
import { placeIn, rowsOf } from "../model/wrapped-rows.js";
import { around, listLines } from "./list-lines.js";

export type Prompt = { readonly lines: readonly Line[]; readonly cursor: { readonly x: number; readonly y: number } };

const COMPLETIONS = 6;

/** Returns the lines of the typed text around the cursor, at most `room` lines. */
export function inputLines({ text, cursor }: TextInput, width: number, room: number): Prompt {
  const lines: Line[] = [];
  let at = { x: 2, y: 0 };
  let start = 0;
  for (const line of text.split("\n")) {
    const room = Math.max(1, width - INPUT_MARGIN);
    const rows = rowsOf(textOf(line), room);
    if (cursor >= start && cursor <= start + line.length) {
      const { row, offset } = placeIn(rows, textOf(line.slice(0, cursor - start)).length);
      const before = widthOf((rows[row] ?? "").slice(0, offset));
      at = { x: 2 + Math.min(before, room), y: lines.length + row };
    }
    lines.push(...rows.map((row): Line => [row]));
    start += line.length + 1;
  }
  const led = lines.map((line, index): Line => [["cyan", index === 0 ? "❯ " : "  "], ...line]);
  const first = Math.max(0, Math.min(at.y - Math.floor(room / 2), led.length - room));
  return { lines: led.slice(first, first + room), cursor: { x: at.x, y: at.y - first } };
}

/** Returns the commands or files that complete the typed text, at most `room` lines. */
export function completionLines(
  ui: Ui,
  state: SessionState,
  { width, room }: { readonly width: number; readonly room: number },
): readonly Line[] {
  const offered = offersFor(ui, state);
  const selected = Math.min(ui.completion, offered.length - 1);
  const widest = offered.reduce((most, { label }) => Math.max(most, label.length), 0);
  const place = { selected, room: Math.min(COMPLETIONS, room), width };
  return listLines(offered, place, ({ label, description }, isSelected) => [
    [isSelected ? ["bold", "cyan"] : "plain", `${isSelected ? "❯" : " "} ${label.padEnd(Math.min(25, widest) + 2)}`],
    ["dim", description],
  ]);
}

export function queueLines({ queue, folds }: Ui, width: number): readonly Line[] {
  const shown = queue
    .slice(0, 3)
    .map((text): Line => clip([["dim", `  ⧗ ${labelled(text, folds).replaceAll("\n", " ")}`]], width));
  const more = queue.length - shown.length;
  return more > 0 ? [...shown, [["dim", `  … ${more} more wait`]]] : shown;
}

/** Returns the reasons of refusals that go to the agent with the next prompt. */
export function reasonLines(reasons: readonly string[], width: number): readonly Line[] {
  const shown = reasons.slice(-2).map((text): Line => clip([["dim", `  ↳ with your next prompt: ${text}`]], width));
  const more = reasons.length - shown.length;
  return more > 0 ? [[["dim", `  … ${more} more reasons`]], ...shown] : shown;
}

/** Returns the rows of a list around the chosen row, at most `room` rows. */
export function pickerLines(picker: Picker, width: number, room: number): readonly Line[] {
  const rows = visibleRows(picker);
  const head: Line = [
    ["bold", picker.title],
    ["dim", picker.filter === "" ? "" : `  containing “${picker.filter}”`],
  ];
  const nothing: Line = [["dim", picker.isLoading ? "  Loading …" : nothingIn(picker)]];
  const place = { selected: picker.selected, room: Math.max(1, room - 1), width };
  const lines = listLines(rows, place, ({ name, description, isCurrent }, isSelected) => [
    [isSelected ? ["bold", "cyan"] : "plain", `${isSelected ? "❯ " : "  "}${name}`],
    [["green"], isCurrent ? " ✓" : ""],
    ["dim", description === undefined ? "" : `  ${description}`],
  ]);
  return [clip(head, width), ...(lines.length === 0 ? [nothing] : lines)];
}

function nothingIn({ rows, filter }: Picker): string {
  return rows.length === 0 && filter === "" ? "  There is nothing to choose." : "  nothing fits: Backspace";
}

/** Returns the search in earlier prompts: the found prompt, and the typed text below it. */
export function searchLines(ui: Ui, width: number, room: number): Prompt {
  const found = foundPrompts(ui);
  const { query, at } = ui.search ?? { query: "", at: 0 };
  const text = found[at];
  const lines =
    text === undefined ? [[["dim", "  nothing fits"]] as Line] : inputLines(inputOf(text), width, room - 1).lines;
  const typed = clip([["bold", "Search: "], query], width - 1);
  const count: Line = [["dim", text === undefined ? "" : `  ${at + 1} of ${found.length}`]];
  const cursor = { x: lineWidth(typed), y: lines.length };
  return { lines: [...lines, clip([...typed, ...count], width)], cursor };
}

/** Returns the steps of an unfinished plan around the current step, at most `room` lines. */
export function planLines(state: SessionState, width: number, room: number): readonly Line[] {
  const plan = visiblePlan(state);
  if (plan === undefined || room < 2) return [];
  if (plan.type === "file") return [clip([["bold", "Plan"], ` in ${(plan as { readonly uri: string }).uri}`], width)];
  if (plan.type === "markdown") {
    const { content } = plan as { readonly content: string };
    return [
      [["bold", "Plan"]],
      ...textLines(content.slice(0, 4000), width)
        .slice(0, room - 1)
        .map(withoutLinks),
    ];
  }
  if (plan.type !== "items") return [];
  const { entries } = plan as { readonly entries: readonly PlanEntry[] };
  const done = entries.filter(({ status }) => status === "completed" || status === "cancelled").length;
  if (done === entries.length) return [];
  const now = entries.findIndex(({ status }) => status === "in_progress");
  const lines = entries.map((entry) => clip(stepLine(entry, "short"), width));
  const head: Line = [
    ["bold", "Plan "],
    ["dim", `${done}/${entries.length}`],
  ];
  return [head, ...around(lines, now < 0 ? done : now, room - 1)];
}
