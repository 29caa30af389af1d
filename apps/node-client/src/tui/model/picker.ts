import type { ConfigOption, SessionState } from "@turnkit/session";
import { type Choices, selectModels, selectModes } from "@turnkit/session";
import type { WorkingChild } from "../../child-sessions.js";
import type { Key } from "./key.js";
import { type Picker, type PickerRow, type Pressed, stay, type Ui } from "./ui.js";

/**
 * Opens a list to choose from. If the list is empty, shows a notice. If the filter fits one value only, chooses this
 * value.
 */
export function openPicker(ui: Ui, name: string, { state, filter = "" }: Wanted): Pressed {
  const picker = pickerFor(name, state);
  if (picker === undefined) return stay(ui, { notice: `The agent offers no ${name} to choose.` });
  const filtered = { ...picker, ...(filter !== "" && { filter, selected: 0 }) };
  const rows = visibleRows(filtered);
  return filter !== "" && rows.length === 1 ? choose(ui, rows[0], state) : stay(ui, { picker: filtered });
}

type Wanted = { readonly state: SessionState; readonly filter?: string };

/** Chooses the next mode. The agent may not have confirmed the last choice yet. */
export function cycleMode(ui: Ui, state: SessionState): Pressed {
  const modes = selectModes(state);
  if (modes === undefined || modes.choices.length < 2)
    return stay(ui, { notice: "The agent offers no mode to choose." });
  const { option, choices } = modes;
  const last = choices.findIndex(({ value }) => value === (ui.wantedMode ?? option.currentValue));
  const next = choices[(last + 1) % choices.length];
  if (next === undefined) return stay(ui);
  const effect = { type: "set", configId: option.configId, value: next.value } as const;
  return { ui: { ...ui, wantedMode: next.value }, effects: [effect] };
}

/** Opens the list of the child sessions that the user may cancel. */
// P-SUB-12
export function openCancel(ui: Ui, children: readonly WorkingChild[] = []): Pressed {
  const rows = children
    .filter(({ isCancellable }) => isCancellable)
    .map(({ id: childId, name }) => ({ childId, name, isCurrent: false }));
  if (rows.length === 0) return stay(ui, { notice: "There is no subagent to cancel." });
  return stay(ui, { picker: { title: "Cancel a subagent", rows, selected: 0, filter: "" } });
}

function pickerFor(name: string, state: SessionState): Picker | undefined {
  if (name === "mode" || name === "model") {
    const choices = name === "mode" ? selectModes(state) : selectModels(state);
    return choices && valuesPicker(choices.option, choices);
  }
  const rows = (state.configOptions ?? []).flatMap((option) => {
    const value = currentName(option);
    const { configId, name: title } = option;
    return value === undefined ? [] : [{ configId, name: `${title}: ${value}`, isCurrent: false }];
  });
  return rows.length === 0 ? undefined : { title: "Settings", rows, selected: 0, filter: "" };
}

export function visibleRows({ rows, filter }: Picker): readonly PickerRow[] {
  const wanted = filter.toLowerCase();
  return rows.filter(({ name, searched = name }) => searched.toLowerCase().includes(wanted));
}

export function pressPicker(ui: Ui, picker: Picker, key: Key, state: SessionState): Pressed {
  const rows = visibleRows(picker);
  const open = (change: Partial<Picker>) => stay(ui, { picker: { ...picker, ...change } });
  switch (key.name) {
    case "up":
    case "backtab":
      return open({ selected: Math.max(0, picker.selected - 1) });
    case "down":
    case "tab":
      return open({ selected: Math.min(rows.length - 1, picker.selected + 1) });
    case "text":
      return open({ filter: picker.filter + key.text, selected: 0 });
    case "backspace":
      return open({ filter: picker.filter.slice(0, -1), selected: 0 });
    case "escape":
      return stay(ui, { picker: undefined });
    case "enter":
      return choose(ui, rows[picker.selected], state);
    default:
      return stay(ui);
  }
}

function choose(ui: Ui, row: PickerRow | undefined, state: SessionState): Pressed {
  if (row === undefined) return stay(ui);
  if ("childId" in row) {
    return { ui: { ...ui, picker: undefined }, effects: [{ type: "cancel", childId: row.childId }] };
  }
  if ("session" in row) {
    // After an error, such as a failed storage, the agent may need the session to be restored.
    if (row.isCurrent && state.lastTurn?.error === undefined)
      return stay(ui, { picker: undefined, notice: "This conversation is open already." });
    return { ui: { ...ui, picker: undefined }, effects: [{ type: "open", session: row.session }] };
  }
  if (row.value === undefined) {
    const option = state.configOptions?.find(({ configId }) => configId === row.configId);
    return stay(ui, { picker: option && valuesPicker(option) });
  }
  const effects = row.isCurrent ? [] : [{ type: "set", configId: row.configId, value: row.value } as const];
  return { ui: { ...ui, picker: undefined }, effects };
}

function valuesPicker(option: ConfigOption, choices = choicesOf(option)): Picker {
  const { configId } = option;
  const rows: PickerRow[] =
    option.type === "boolean"
      ? [true, false].map((value) => ({
          ...{ configId, value, name: value ? "on" : "off" },
          isCurrent: option.currentValue === value,
        }))
      : (choices?.choices ?? []).map(({ value, name, description }) => ({
          ...{ configId, value, name, description: description ?? undefined },
          isCurrent: value === choices?.current?.value,
        }));
  const selected = Math.max(
    0,
    rows.findIndex(({ isCurrent }) => isCurrent),
  );
  return { title: option.name, rows, selected, filter: "" };
}

function currentName(option: ConfigOption): string | undefined {
  if (option.type === "boolean") return option.currentValue ? "on" : "off";
  const choices = choicesOf(option);
  return choices && (choices.current?.name ?? choices.option.currentValue);
}

function choicesOf(option: ConfigOption): Choices | undefined {
  if (option.type !== "select") return undefined;
  const choices = option.options.flatMap((choice) => ("groupId" in choice ? choice.options : [choice]));
  return { option, choices, current: choices.find(({ value }) => value === option.currentValue) };
}
