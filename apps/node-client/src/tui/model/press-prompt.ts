import type { AvailableCommand } from "@turnkit/session";
import { newer, older, remembered } from "../prompt-history.js";
import type { Key } from "./key.js";
import { openPicker } from "./picker.js";
import { edit, emptyInput, inputOf } from "./text-input.js";
import { MAX_QUEUE, type Pressed, type Surroundings, stay, type Ui } from "./ui.js";

export function pressPrompt(ui: Ui, key: Key, around: Surroundings): Pressed {
  const { input } = ui;
  const commands = commandsOf(around.state.availableCommands);
  const offered = ui.completionClosed ? [] : completions(input.text, commands);
  if (offered.length > 0) {
    const pressed = pressCompletion(ui, key, offered);
    if (pressed !== undefined) return pressed;
  }
  switch (key.name) {
    case "enter":
      return submit(ui, around, commands);
    case "ctrl":
      if (key.letter === "d" && input.text === "") return { ui, effects: [{ type: "quit" }] };
      break;
    case "up":
    case "down": {
      const next = edit(input, key);
      return next === input ? recall(ui, key.name) : stay(ui, { input: next });
    }
    case "tab":
    case "escape":
      return stay(ui);
  }
  const next = edit(input, key);
  if (next === input) return stay(ui);
  const isNew = next.text !== input.text;
  return stay(ui, { input: next, ...(isNew && { completion: 0, completionClosed: false }) });
}

/** Applies a key to the list of commands. The list uses arrows and Tab, and Enter if the name is incomplete. */
function pressCompletion(ui: Ui, key: Key, offered: readonly SlashCommand[]): Pressed | undefined {
  const at = Math.min(ui.completion, offered.length - 1);
  const chosen = offered[at] as SlashCommand;
  const completed = `/${chosen.name}${chosen.hint === undefined ? "" : " "}`;
  switch (key.name) {
    case "up":
      return stay(ui, { completion: (at + offered.length - 1) % offered.length });
    case "down":
      return stay(ui, { completion: (at + 1) % offered.length });
    case "tab":
      return stay(ui, { input: inputOf(completed), completion: 0, completionClosed: true });
    case "escape":
      return stay(ui, { completionClosed: true });
    case "enter":
      if (ui.input.text === `/${chosen.name}`) return undefined;
      return stay(ui, { input: inputOf(completed), completion: 0, completionClosed: true });
    default:
      return undefined;
  }
}

function submit(ui: Ui, around: Surroundings, commands: readonly SlashCommand[]): Pressed {
  const text = ui.input.text.trimEnd();
  if (text.trim() === "") return stay(ui);
  const cleared: Ui = {
    ...{ ...ui, input: emptyInput, recall: remembered(ui.recall, text) },
    ...{ completion: 0, completionClosed: false },
  };
  const own = ownCommands.find((command) => text === `/${command.name}` && commands.includes(command));
  if (own?.name === "quit") return { ui: cleared, effects: [{ type: "quit" }] };
  if (own !== undefined) return openPicker(cleared, own.name, around.state);
  if (!around.isWorking) return { ui: cleared, effects: [{ type: "prompt", text }] };
  if (ui.queue.length >= MAX_QUEUE) return stay(ui, { notice: `${MAX_QUEUE} prompts are waiting already.` });
  return stay(cleared, { queue: [...ui.queue, text] });
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
  const step = direction === "up" ? older(ui.recall, ui.input.text) : newer(ui.recall);
  if (step === undefined) return stay(ui);
  return stay(ui, { input: inputOf(step.text), recall: step.recall, completionClosed: true });
}

export type SlashCommand = { readonly name: string; readonly description: string; readonly hint?: string };

/** Commands of this program. An agent's command with the same name replaces a command of this program. */
const ownCommands: readonly SlashCommand[] = [
  { name: "settings", description: "choose mode, model and the like" },
  { name: "mode", description: "choose the mode" },
  { name: "model", description: "choose the model" },
  { name: "quit", description: "end turnkit" },
];

/** Returns all commands: first the agent's, then those of this program. */
export function commandsOf(available: readonly AvailableCommand[] | undefined): readonly SlashCommand[] {
  const theirs = (available ?? []).map(({ name, description, input }) => ({
    ...{ name, description },
    ...(input?.hint !== undefined && { hint: input.hint }),
  }));
  const names = new Set(theirs.map(({ name }) => name));
  return [...theirs, ...ownCommands.filter(({ name }) => !names.has(name))];
}

/** Returns the commands that begin with the typed text after the slash. */
export function completions(text: string, commands: readonly SlashCommand[]): readonly SlashCommand[] {
  const typed = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  const names = (test: (name: string) => boolean) => commands.filter(({ name }) => test(name.toLowerCase()));
  const beginning = names((name) => name.startsWith(typed));
  return beginning.length > 0 ? beginning : names((name) => name.includes(typed));
}
