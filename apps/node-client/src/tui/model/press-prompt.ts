import { newerPrompt, olderPrompt, withPrompt } from "../prompt-history.js";
import { type OwnName, readTyped } from "./commands.js";
import { type Offer, offersFor } from "./completion.js";
import { addFold, type Fold, foldsIn, isLongPaste, unfolded, withoutMarks } from "./folds.js";
import type { Key } from "./key.js";
import { openPicker } from "./picker.js";
import { cleared, edit, inputOf, type TextInput } from "./text-input.js";
import { MAX_QUEUE, type Pressed, type Surroundings, stay, type Ui } from "./ui.js";
import { moveByRow } from "./wrapped-rows.js";

/** Number of columns beside the typed text: its mark, and a column for the cursor. */
export const INPUT_MARGIN = 3;

export function pressPrompt(ui: Ui, key: Key, around: Surroundings): Pressed {
  const { input } = ui;
  const offered = offersFor(ui, around.state);
  if (offered.length > 0) {
    const pressed = pressCompletion(ui, key, { offered, around });
    if (pressed !== undefined) return pressed;
  }
  switch (key.name) {
    case "enter":
      return isContinued(input) ? stay(ui, { input: continued(input) }) : submit(ui, around);
    case "ctrl":
      if (key.letter === "d" && input.text === "") return pressEnd(ui, around);
      break;
    case "up":
    case "down": {
      const isWhole = foldsIn(input.text, ui.folds).length === 0;
      const moved = isWhole ? moveByRow(input, key.name, around.context.width - INPUT_MARGIN) : input;
      const next = moved === input ? edit(input, key) : moved;
      return next === input ? recall(ui, key.name) : stay(ui, { input: next });
    }
    case "tab":
      return stay(ui);
    case "escape":
      return clearDraft(ui);
    case "text":
      return typed(ui, withoutMarks(key.text), key.isPaste === true ? around : undefined);
  }
  return edited(ui, edit(input, key));
}

/** Ends the program. While the agent works or a prompt waits, the first press only says what would be lost. */
function pressEnd(ui: Ui, { isWorking, isStarting }: Surroundings): Pressed {
  if (ui.queue.length === 0 && (!isWorking || isStarting)) return { ui, effects: [{ type: "quit" }] };
  const lost = ui.queue.length > 0 ? "Prompts are waiting." : "The agent works.";
  return stay(ui, { quitArmed: "ctrl-d", notice: `${lost} Press Ctrl-D again to end turnkit.` });
}

function edited(ui: Ui, next: TextInput): Pressed {
  const { input } = ui;
  if (next === input) return stay(ui);
  const isNew = next.text !== input.text;
  return stay(ui, { input: next, ...(isNew && { completion: 0, completionClosed: false }) });
}

/** Applies a key to the list of commands or files. It uses arrows and Tab, and Enter if the text is incomplete. */
function pressCompletion(
  ui: Ui,
  key: Key,
  { offered, around }: { readonly offered: readonly Offer[]; readonly around: Surroundings },
): Pressed | undefined {
  const at = Math.min(ui.completion, offered.length - 1);
  const { input } = offered[at] as Offer;
  // A completed folder offers the files inside.
  const isOpen = input.text[input.cursor - 1] === "/" && input.text !== "/";
  switch (key.name) {
    case "up":
      return stay(ui, { completion: (at + offered.length - 1) % offered.length });
    case "down":
      return stay(ui, { completion: (at + 1) % offered.length });
    case "escape":
      return stay(ui, { completionClosed: true });
    case "enter":
      if (isComplete(ui.input, input)) return undefined;
      // A command without arguments needs no second Enter.
      if (isCommand(input)) return submit({ ...ui, input }, around);
      return stay(ui, { input, completion: 0, completionClosed: !isOpen });
    case "tab":
      return stay(ui, { input, completion: 0, completionClosed: !isOpen });
    default:
      return undefined;
  }
}

/** Returns `true` for a whole command that takes no arguments. The completion of any other text ends with a space. */
function isCommand({ text }: TextInput): boolean {
  return text.startsWith("/") && !/[\s/]$/.test(text);
}

/** Returns `true` if a completed text only adds a space at the cursor. */
function isComplete(typed: TextInput, completed: TextInput): boolean {
  return typed.text.slice(0, typed.cursor) === completed.text.slice(0, completed.cursor).trimEnd();
}

/**
 * Inserts typed text, or text that was pasted at a place. The path of a picture becomes the picture. A long paste becomes
 * a fold. A command line for the shell is always shown whole.
 */
function typed(ui: Ui, text: string, pastedAt: Surroundings | undefined): Pressed {
  if (pastedAt !== undefined && !ui.input.text.startsWith("!")) {
    const image = pastedAt.imageIn?.(text);
    if (image !== undefined) return insertFold(ui, image.fold, image.notice);
    if (isLongPaste(text)) return insertFold(ui, { type: "paste", text });
  }
  return edited(ui, edit(ui.input, { name: "text", text }));
}

/** Inserts a fold at the cursor, and shows a notice about it. */
export function insertFold(ui: Ui, fold: Fold, notice?: string): Pressed {
  const added = addFold(ui.folds, fold);
  if (added === undefined) return stay(ui, { notice: "The prompt has no room for this text." });
  return edited({ ...ui, folds: added.folds, notice }, edit(ui.input, { name: "text", text: added.mark }));
}

/** Clears the typed text. It becomes the newest earlier prompt, so the key Up brings it back. */
export function clearDraft(ui: Ui): Pressed {
  const { input, folds, recall } = ui;
  if (input.text.trim() === "") return stay(ui, { input: cleared(input) });
  return stay(ui, {
    ...{ input: cleared(input), completion: 0, completionClosed: false },
    ...{ recall: withPrompt(recall, unfolded(input.text, folds)), notice: "The draft is cleared. ↑ brings it back." },
  });
}

/** Returns `true` if a backslash before the cursor turns Enter into a line break. */
function isContinued({ text, cursor }: TextInput): boolean {
  return text[cursor - 1] === "\\";
}

/** Replaces the backslash with a line break. In a command line for the shell, the backslash stays. */
function continued(input: TextInput): TextInput {
  const before = input.text.startsWith("!") ? input : edit(input, { name: "backspace" });
  return edit(before, { name: "newline" });
}

function submit(ui: Ui, around: Surroundings): Pressed {
  const text = ui.input.text.trimEnd();
  // Reasons of refusals can also be sent without a prompt.
  const isAlone = ui.reasons.length > 0 && !around.isWorking;
  if (text.trim() === "") {
    if (around.isDead) return { ui, effects: [{ type: "restart" }] };
    return isAlone ? { ui, effects: [{ type: "prompt", text: "" }] } : stay(ui);
  }
  const sent: Ui = {
    ...{ ...ui, input: cleared(ui.input), recall: withPrompt(ui.recall, unfolded(text, ui.folds)) },
    ...{ completion: 0, completionClosed: false },
  };
  const meaning = readTyped(text, around.state);
  switch (meaning.type) {
    case "refused":
      return stay(ui, { notice: meaning.notice });
    case "own":
      if (conversations.has(meaning.name) && around.isWorking) {
        const notice = around.isStarting ? "The agent is starting." : "The agent works. Esc cancels its work.";
        return stay(ui, { notice });
      }
      return runOwn(sent, meaning.name, { ...around, rest: meaning.rest });
    case "shell":
      if (around.hasCommand) return stay(ui, { notice: "A command is running. Ctrl-C ends it." });
      if (foldsIn(text, ui.folds).length > 0) return stay(ui, { notice: "A command line cannot contain folded text." });
      return { ui: sent, effects: [{ type: "run", command: meaning.command }] };
    case "prompt":
      // The draft stays until an agent can get it.
      if (around.isDead) return { ui, effects: [{ type: "restart" }] };
      if (!around.isWorking) return { ui: sent, effects: [{ type: "prompt", text: meaning.text }] };
      if (ui.queue.length >= MAX_QUEUE) return stay(ui, { notice: `${MAX_QUEUE} prompts are waiting already.` });
      return stay(sent, { queue: [...ui.queue, meaning.text] });
  }
}

/** Commands that replace the conversation. */
const conversations: ReadonlySet<OwnName> = new Set(["new", "clear", "resume"]);

function runOwn(ui: Ui, name: OwnName, { state, rest, isDead }: Surroundings & { readonly rest: string }): Pressed {
  switch (name) {
    case "new":
    case "clear":
      return { ui, effects: [{ type: "open" }] };
    case "resume":
      if (isDead) return stay(ui, { notice: "There is no agent now. Press Enter to start or connect again." });
      return { ui, effects: [{ type: "browse", filter: rest }] };
    case "attach":
    case "quit":
    case "help":
      return { ui, effects: [{ type: name }] };
    case "settings":
    case "mode":
    case "model":
      return openPicker(ui, name, { state, filter: rest });
  }
}

/**
 * Puts an earlier prompt into the prompt line. The key Up first takes back the last waiting prompt, and then goes
 * through the history.
 */
function recall(ui: Ui, direction: "up" | "down"): Pressed {
  const waiting = ui.queue.at(-1);
  if (direction === "up" && waiting !== undefined && ui.input.text === "") {
    return stay(ui, { input: inputOf(waiting), queue: ui.queue.slice(0, -1) });
  }
  const step = direction === "up" ? olderPrompt(ui.recall, ui.input.text) : newerPrompt(ui.recall);
  if (step === undefined) return stay(ui);
  return stay(ui, {
    input: { ...inputOf(step.text), killed: ui.input.killed },
    recall: step.recall,
    completionClosed: true,
  });
}
