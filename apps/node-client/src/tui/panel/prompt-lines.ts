import { type AvailableCommand, type PlanEntry, type SessionState, visiblePlan } from "@turnkit/session";
import type { Line } from "../../render/line.js";
import { stepLine } from "../../render/plan.js";
import { clip, lineWidth, wrap } from "../../render/wrap.js";
import { textLines } from "../markdown/markdown-lines.js";
import { visibleRows } from "../model/picker.js";
import { commandsOf, completions, type SlashCommand } from "../model/press-prompt.js";
import type { TextInput } from "../model/text-input.js";
import type { Picker, Ui } from "../model/ui.js";

export type Prompt = { readonly lines: readonly Line[]; readonly cursor: { readonly x: number; readonly y: number } };

const COMPLETIONS = 6;

/** Returns the lines of the typed text around the cursor, at most `room` lines. */
export function inputLines({ text, cursor }: TextInput, width: number, room: number): Prompt {
  const lines: Line[] = [];
  let at = { x: 2, y: 0 };
  let start = 0;
  for (const line of text.split("\n")) {
    const wrapped = wrap([line], width - 3, { at: "width" });
    if (cursor >= start && cursor <= start + line.length) {
      const before = wrap([line.slice(0, cursor - start)], width - 3, { at: "width" });
      at = { x: 2 + lineWidth(before.at(-1) ?? []), y: lines.length + before.length - 1 };
    }
    lines.push(...wrapped);
    start += line.length + 1;
  }
  const led = lines.map((line, index): Line => [["cyan", index === 0 ? "❯ " : "  "], ...line]);
  const first = Math.max(0, Math.min(at.y - Math.floor(room / 2), led.length - room));
  return { lines: led.slice(first, first + room), cursor: { x: at.x, y: at.y - first } };
}

/** Returns the commands that match the typed text, at most `room` lines. */
export function completionLines(
  ui: Ui,
  available: readonly AvailableCommand[] | undefined,
  width: number,
  room = COMPLETIONS,
): readonly Line[] {
  const offered = ui.completionClosed ? [] : completions(ui.input.text, commandsOf(available));
  const selected = Math.min(ui.completion, offered.length - 1);
  const names = offered.map(({ name }) => name.length);
  const column = Math.min(24, Math.max(0, ...names)) + 2;
  const lines = offered.map((command, index) => clip(commandLine(command, index === selected, column), width));
  return aroundWithCount(lines, selected, Math.min(COMPLETIONS, room));
}

function commandLine({ name, description, hint }: SlashCommand, isChosen: boolean, column: number): Line {
  return [
    [isChosen ? ["bold", "cyan"] : "plain", `${isChosen ? "❯" : " "} /${name.padEnd(column)}`],
    ["dim", `${description}${hint === undefined ? "" : `  <${hint}>`}`],
  ];
}

export function queueLines(queue: readonly string[], width: number): readonly Line[] {
  const shown = queue.slice(0, 3).map((text): Line => clip([["dim", `  ⧗ ${text.replaceAll("\n", " ")}`]], width));
  const more = queue.length - shown.length;
  return more > 0 ? [...shown, [["dim", `  … ${more} more wait`]]] : shown;
}

/** Returns the rows of a list around the chosen row, at most `room` rows. */
export function pickerLines(picker: Picker, width: number, room: number): readonly Line[] {
  const rows = visibleRows(picker);
  const lines = rows.map(({ name, description, isCurrent }, index): Line => {
    const isChosen = index === picker.selected;
    const text: Line = [
      [isChosen ? ["bold", "cyan"] : "plain", `${isChosen ? "❯ " : "  "}${name}`],
      [["green"], isCurrent ? " ✓" : ""],
      ["dim", description === undefined ? "" : `  ${description}`],
    ];
    return clip(text, width);
  });
  const head: Line = [
    ["bold", picker.title],
    ["dim", picker.filter === "" ? "" : `  containing “${picker.filter}”`],
  ];
  const nothing: Line = [["dim", "  nothing fits: Backspace"]];
  return [
    clip(head, width),
    ...(lines.length === 0 ? [nothing] : aroundWithCount(lines, picker.selected, Math.max(1, room - 1))),
  ];
}

/** Returns at most `room` lines around the chosen line. If lines are hidden, the last line has their number. */
function aroundWithCount(lines: readonly Line[], selected: number, room: number): readonly Line[] {
  if (lines.length <= room || room < 2) return around(lines, selected, Math.max(0, room));
  const shown = around(lines, selected, room - 1);
  return [...shown, [["dim", `  … ${lines.length - shown.length} more: ↑↓`]]];
}

/** Returns at most `room` items of a list around the chosen item. */
export function around<T>(items: readonly T[], selected: number, room: number): readonly T[] {
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), items.length - room));
  return items.slice(first, first + room);
}

/** Returns the steps of an unfinished plan around the current step, at most `room` lines. */
export function planLines(state: SessionState, width: number, room: number): readonly Line[] {
  const plan = visiblePlan(state);
  if (plan === undefined || room < 2) return [];
  if (plan.type === "file") return [clip([["bold", "Plan"], ` in ${(plan as { readonly uri: string }).uri}`], width)];
  if (plan.type === "markdown") {
    const { content } = plan as { readonly content: string };
    return [[["bold", "Plan"]], ...textLines(content.slice(0, 4000), width).slice(0, room - 1)];
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
