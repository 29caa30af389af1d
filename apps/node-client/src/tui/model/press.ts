import { openBrowser, pressBrowser } from "./browser.js";
import { foldsIn } from "./folds.js";
import { openSearch, pressSearch } from "./history-search.js";
import type { Key } from "./key.js";
import { cycleMode, openCancel, pressPicker } from "./picker.js";
import { clearDraft, pressPrompt } from "./press-prompt.js";
import { pressQuestion, questionUi, shownQuestion } from "./press-question.js";
import { inputOf } from "./text-input.js";
import { type Pressed, type Surroundings, stay, type Ui } from "./ui.js";

/** Applies a key. Keys that work everywhere are handled first, then the keys of the front panel. */
export function press(ui: Ui, key: Key, around: Surroundings): Pressed {
  if (key.name === "ctrl" && key.letter === "c") return pressCtrlC(ui, around);
  if (key.name === "ctrl" && key.letter === "d" && ui.quitArmed) return { ui, effects: [{ type: "quit" }] };
  if (key.name === "ctrl" && key.letter === "z") return { ui, effects: [{ type: "suspend" }] };
  const calm = withoutOldFolds(
    ui.quitArmed || ui.notice !== undefined ? { ...ui, quitArmed: false, notice: undefined } : ui,
  );
  const { state, questions, context } = around;
  if (calm.browser !== undefined) return stay(calm, { browser: pressBrowser(calm.browser, key, state, context) });
  if (calm.search !== undefined) return pressSearch(calm, calm.search, key);
  if (key.name === "ctrl" && key.letter === "o") return stay(calm, { browser: openBrowser(state, context) });
  if (calm.picker !== undefined) return pressPicker(calm, calm.picker, key, state);
  if (key.name === "ctrl" && key.letter === "x") return openCancel(calm, around.children);
  const question = shownQuestion(calm, questions);
  const isFront = question !== undefined && !around.isUnseen && !isForPrompt(calm, key);
  const isReason = isFront && questionUi(calm, question).reason !== undefined;
  if (key.name === "escape" && around.isWorking && !isReason) return cancelled(calm);
  if (isFront) return pressQuestion(calm, question, key, around);
  if (key.name === "ctrl" && key.letter === "g") return { ui: calm, effects: [{ type: "edit" }] };
  if (key.name === "ctrl" && key.letter === "r") return openSearch(calm);
  if (key.name === "backtab") return cycleMode(calm, state);
  return pressPrompt(calm, key, around);
}

/** Drops the folds when no text can contain one. */
function withoutOldFolds(ui: Ui): Ui {
  const { text, killed = "", past = [] } = ui.input;
  const isTyped = text !== "" || past.length > 0 || foldsIn(killed, ui.folds).length > 0;
  const isUsed = isTyped || ui.queue.length > 0 || ui.recall.at !== undefined;
  return isUsed || ui.folds.size === 0 ? ui : { ...ui, folds: new Map() };
}

/**
 * Returns `true` if the person had begun a prompt before the question arrived. The keys of the prompt must not answer
 * the question.
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

/**
 * Ends the person's command if one runs. Otherwise, the first Ctrl-C cancels the work. Without work, the first Ctrl-C
 * closes the search or clears the draft. A second Ctrl-C directly afterwards ends the program. While the agent starts,
 * the first Ctrl-C ends the program if there is no typed text and no waiting prompt.
 */
function pressCtrlC(ui: Ui, { isWorking, hasCommand, isStarting }: Surroundings): Pressed {
  if (hasCommand) return { ui, effects: [{ type: "end command" }] };
  if (ui.search !== undefined) return stay(ui, { search: undefined });
  if (ui.quitArmed === "ctrl-c") return { ui, effects: [{ type: "quit" }] };
  const end = "Press Ctrl-C again to end turnkit.";
  if (isStarting && ui.queue.length === 0 && ui.input.text === "") return { ui, effects: [{ type: "quit" }] };
  if (isStarting && ui.queue.length > 0) return cancelled({ ...ui, quitArmed: "ctrl-c", notice: end });
  if (isWorking && !isStarting) return cancelled({ ...ui, quitArmed: "ctrl-c", notice: `Cancelling. ${end}` });
  const { ui: cleared, effects } = clearDraft(ui);
  const notice = cleared.notice === ui.notice ? end : `${cleared.notice} ${end}`;
  return { ui: { ...cleared, quitArmed: "ctrl-c", notice }, effects };
}
