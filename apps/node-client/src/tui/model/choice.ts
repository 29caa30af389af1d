import type { Key } from "./key.js";
import type { Effect, Pressed, Ui } from "./ui.js";

/** Moves the choice with an arrow or a digit. Enter confirms the choice. */
export function choose(selected: number | undefined, key: Key, count: number): number | undefined | "enter" {
  switch (key.name) {
    case "enter":
      return "enter";
    case "down":
    case "tab":
      return selected === undefined ? 0 : Math.min(count - 1, selected + 1);
    case "up":
    case "backtab":
      return selected === undefined ? count - 1 : Math.max(0, selected - 1);
    case "text": {
      const index = /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : -1;
      return index >= 0 && index < count ? index : selected;
    }
    default:
      return selected;
  }
}

/** Closes a question with an answer. The next question begins without a choice. */
export function answered(ui: Ui, effect: Effect): Pressed {
  return { ui: { ...ui, question: { scrolled: 0 } }, effects: [effect] };
}
