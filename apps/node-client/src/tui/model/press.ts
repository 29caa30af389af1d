import { openBrowser, pressBrowser } from "./browser.js";
import type { Key } from "./key.js";
import { openPicker, pressPicker } from "./picker.js";
import { pressPrompt } from "./press-prompt.js";
import { pressQuestion, shownQuestion } from "./press-question.js";
import { inputOf } from "./text-input.js";
import { type Pressed, type Surroundings, stay, type Ui } from "./ui.js";

/** What a key means now: first what is the same everywhere, then to what is in front. */
export function press(ui: Ui, key: Key, around: Surroundings): Pressed {
  if (key.name === "ctrl" && key.letter === "c") return pressCtrlC(ui, around);
  const calm: Ui = ui.quitArmed || ui.notice !== undefined ? { ...ui, quitArmed: false, notice: undefined } : ui;
  const { state, place } = around;
  if (calm.browser !== undefined) return stay(calm, { browser: pressBrowser(calm.browser, key, state, place) });
  if (key.name === "ctrl" && key.letter === "o") return stay(calm, { browser: openBrowser(state, place) });
  if (calm.picker !== undefined) return pressPicker(calm, calm.picker, key, state);
  const question = shownQuestion(calm, state);
  if (key.name === "escape" && around.isWorking) return cancelled(calm);
  if (question !== undefined) return pressQuestion(calm, question, key, state);
  if (key.name === "ctrl" && key.letter === "g") return openPicker(calm, "settings", state);
  if (key.name === "backtab") return openPicker(calm, "mode", state);
  return pressPrompt(calm, key, around);
}

/** Stops the work. What waited to be asked goes back to where it can be changed. */
function cancelled(ui: Ui): Pressed {
  const waiting = [...ui.queue, ui.input.text].filter((text) => text !== "").join("\n");
  const back = ui.queue.length > 0 ? { input: inputOf(waiting), queue: [] } : {};
  return { ui: { ...ui, ...back }, effects: [{ type: "cancel" }] };
}

/** The first stops the work, the second ends the program. */
function pressCtrlC(ui: Ui, { isWorking }: Surroundings): Pressed {
  if (ui.quitArmed) return { ui, effects: [{ type: "quit" }] };
  const notice = `${isWorking ? "Cancelling. " : ""}Press Ctrl-C again to end turnkit.`;
  const armed: Ui = { ...ui, quitArmed: true, notice };
  return isWorking ? cancelled(armed) : stay(armed);
}
