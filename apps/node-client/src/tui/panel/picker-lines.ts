import { type Picker, visibleRows } from "../model/picker.js";
import type { Line } from "../text/line.js";
import { clip } from "../text/wrap.js";

/** A list to choose from, as much of it as fits around the chosen row. */
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
    ...(lines.length === 0 ? [nothing] : around(lines, picker.selected, Math.max(1, room - 1))),
  ];
}

/** The part of a list that has `room`, with the chosen row in it. */
export function around<T>(items: readonly T[], selected: number, room: number): readonly T[] {
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), items.length - room));
  return items.slice(first, first + room);
}
