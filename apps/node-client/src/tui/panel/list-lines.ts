import type { Line } from "../../render/line.js";
import { clip } from "../../render/wrap.js";

export type ListPlace = {
  readonly selected: number;
  /** Maximum number of lines. */
  readonly room: number;
  readonly width: number;
};

/**
 * Returns the lines of the items around the selected one. If there is no room for all items, the last line has the
 * number of hidden items.
 */
export function listLines<T>(
  items: readonly T[],
  { selected, room, width }: ListPlace,
  draw: (item: T, isSelected: boolean) => Line,
): readonly Line[] {
  const count = items.length <= room ? room : Math.max(1, room - 1);
  const first = firstAround(items.length, selected, count);
  const shown = items.slice(first, first + count);
  const lines = shown.map((item, index) => clip(draw(item, first + index === selected), width));
  if (items.length === shown.length || room < 2) return lines.slice(0, Math.max(0, room));
  const hint = `  … ${items.length - shown.length} more: ↑↓`;
  return [...lines, clip([["dim", hint]], width)];
}

/** Returns at most `room` items of a list around the chosen item. */
export function around<T>(items: readonly T[], selected: number, room: number): readonly T[] {
  const first = firstAround(items.length, selected, room);
  return items.slice(first, first + room);
}

function firstAround(count: number, selected: number, room: number): number {
  return Math.max(0, Math.min(selected - Math.floor(room / 2), count - room));
}
