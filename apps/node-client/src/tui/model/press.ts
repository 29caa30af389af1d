import { openBrowser, pressBrowser } from "./browser.js";
import type { Key } from "./key.js";
import { openCancel, openPicker, pressPicker } from "./picker.js";
import { pressPrompt } from "./press-prompt.js";
import { pressQuestion, shownQuestion } from "./press-question.js";
import { inputOf } from "./text-input.js";
import { type Pressed, type Surroundings, stay, type Ui } from "./ui.js";

/** Applies a key. Keys that work everywhere are handled first, then the keys of the front panel. */
export function press(ui: Ui, key: Key, around: Surroundings): Pressed {
  if (key.name === "ctrl" && key.letter === "c") return pressCtrlC(ui, around);
  const calm: Ui = ui.quitArmed || ui.notice !== undefined ? { ...ui, quitArmed: false, notice: undefined } : ui;
  const { state, context } = around;
  if (calm.browser !== undefined) return stay(calm, { browser: pressBrowser(calm.browser, key, state, context) });
  if (key.name === "ctrl" && key.letter === "o") return stay(calm, { browser: openBrowser(state, context) });
  if (calm.picker !== undefined) return pressPicker(calm, calm.picker, key, state);
  if (key.name === "ctrl" && key.letter === "x") return openCancel(calm, around.children);
  const question = shownQuestion(calm, state);
  if (key.name === "escape" && around.isWorking) return cancelled(calm);
  if (question !== undefined && !isForPrompt(calm, key)) return pressQuestion(calm, question, key, state);
  if (key.name === "ctrl" && key.letter === "g") return openPicker(calm, "settings", state);
  if (key.name === "backtab") return openPicker(calm, "mode", state);
  return pressPrompt(calm, key, around);
}

/**
 * Returns `true` if the person had begun a prompt before a question came. The keys of the prompt must not answer the
 * question.
 */
function isForPrompt({ input }: Ui, key: Key): boolean {
  if (key.name === "page-up" || key.name === "page-down" || key.name === "escape") return false;
  return input.text !== "" && !(key.name === "ctrl" && key.letter === "n");
}

/** Cancels the agent's work. Waiting prompts return to the prompt line. */
function cancelled(ui: Ui): Pressed {
  const waiting = [...ui.queue, ui.input.text].filter((text) => text !== "").join("\n");
  const back = ui.queue.length > 0 ? { input: inputOf(waiting), queue: [] } : {};
  return { ui: { ...ui, ...back }, effects: [{ type: "cancel" }] };
}

/** Cancels the work with the first Ctrl-C, and ends the program with the second. */
function pressCtrlC(ui: Ui, { isWorking }: Surroundings): Pressed {
  if (ui.quitArmed) return { ui, effects: [{ type: "quit" }] };
  const notice = `${isWorking ? "Cancelling. " : ""}Press Ctrl-C again to end turnkit.`;
  const armed: Ui = { ...ui, quitArmed: true, notice };
  return isWorking ? cancelled(armed) : stay(armed);
}
