import type { ElicitationField, ElicitationForm } from "@turnkit/session";
import { checkFormAnswer, formDefaults } from "@turnkit/session/form";
import { choicesOf, type FieldChoice, isKnownField, readField, showField } from "../../form-field.js";
import type { Key } from "./key.js";
import { edit, emptyInput, inputOf, type TextInput } from "./text-input.js";

export type FormUi = {
  readonly requestId: string;
  /** Drafts by the names of fields. A map is used, because a hostile agent may name a field `__proto__`. */
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Index of the focused row. The buttons are the row after the last field. */
  readonly row: number;
  readonly button: number;
  readonly faults: ReadonlyMap<string, string>;
};

/** Answer that is not sent yet: typed text, or the chosen values with the choice at the cursor. */
export type Draft =
  | { readonly kind: "typed"; readonly input: TextInput }
  | { readonly kind: "chosen"; readonly values: readonly string[]; readonly at: number };

export type FormField = {
  readonly name: string;
  readonly field: ElicitationField;
  readonly choices: readonly FieldChoice[];
};

export type FormEnd =
  | { readonly action: "accept"; readonly content: { readonly [name: string]: unknown } }
  | { readonly action: "decline" | "cancel" };

export const formButtons = ["Send", "Decline", "Cancel"] as const;

/** Returns the fields of a form in their order. Fields of unknown types are left out. */
export function fieldsOf(form: ElicitationForm): readonly FormField[] {
  return Object.entries(form.properties)
    .filter(([, field]) => isKnownField(field))
    .map(([name, field]) => ({ name, field, choices: choicesOf(field) }));
}

/** Creates the state of a form, filled with the agent's suggestions. */
export function createForm(requestId: string, form: ElicitationForm): FormUi {
  const defaults = new Map(Object.entries(formDefaults(form)));
  const drafts = fieldsOf(form).map(({ name, choices }) => [name, draftOf(defaults.get(name), choices)] as const);
  return { requestId, drafts: new Map(drafts), row: 0, button: 0, faults: new Map() };
}

/** Returns the content to send. Empty fields are left out. */
function contentOf(ui: FormUi, form: ElicitationForm): { readonly [name: string]: unknown } {
  const filled = fieldsOf(form).map(({ name, field }) => [name, answerOf(ui.drafts.get(name), field)] as const);
  return { ...formDefaultsOfUnknown(form), ...Object.fromEntries(filled.filter(([, value]) => value !== undefined)) };
}

/** Applies a key to a form. Returns the changed form, or the answer if the key ends the form. */
export function pressForm(ui: FormUi, form: ElicitationForm, key: Key): FormUi | FormEnd {
  const fields = fieldsOf(form);
  const go = (row: number) => ({ ...ui, row: Math.max(0, Math.min(fields.length, row)) });
  const field = fields[ui.row];
  switch (key.name) {
    case "up":
    case "backtab":
      return go(ui.row - 1);
    case "down":
    case "tab":
      return go(ui.row + 1);
    case "enter":
      return field === undefined ? pushButton(ui, form) : go(ui.row + 1);
  }
  if (field === undefined) return { ...ui, button: moveWithin(ui.button, key, formButtons.length) };
  const draft = pressField(ui.drafts.get(field.name) ?? draftOf(undefined, field.choices), field, key);
  const faults = new Map([...ui.faults].filter(([name]) => name !== field.name));
  return { ...ui, drafts: new Map(ui.drafts).set(field.name, draft), faults };
}

function moveWithin(at: number, key: Key, count: number): number {
  if (key.name === "left") return Math.max(0, at - 1);
  return key.name === "right" ? Math.min(count - 1, at + 1) : at;
}

function pushButton(ui: FormUi, form: ElicitationForm): FormUi | FormEnd {
  if (ui.button === 1) return { action: "decline" };
  if (ui.button === 2) return { action: "cancel" };
  const content = contentOf(ui, form);
  const issues = checkFormAnswer(form, content);
  if (issues.length === 0) return { action: "accept", content };
  const faults = new Map(issues.map(({ path, message }) => [String(path[0]), message]));
  const row = fieldsOf(form).findIndex(({ name }) => faults.has(name));
  return { ...ui, faults, row: row < 0 ? ui.row : row };
}

function pressField(draft: Draft, { field, choices }: FormField, key: Key): Draft {
  if (draft.kind === "typed") return { kind: "typed", input: edit(draft.input, key) };
  const isSpace = key.name === "text" && key.text === " ";
  const typed = key.name === "text" ? Number(key.text) - 1 : Number.NaN;
  const at = choices[typed] === undefined ? moveWithin(draft.at, key, choices.length) : typed;
  const value = choices[at]?.value;
  if (field.type !== "array") {
    // The value is the choice at the cursor. Backspace removes the value.
    if (key.name === "backspace") return { ...draft, values: [] };
    const isChoice = isSpace || at !== draft.at || choices[typed] !== undefined;
    return isChoice && value !== undefined ? { kind: "chosen", at, values: [value] } : { ...draft, at };
  }
  const isToggled = (isSpace || choices[typed] !== undefined) && value !== undefined;
  if (!isToggled) return { ...draft, at };
  const has = draft.values.includes(value);
  const values = choices.filter((one) => (one.value === value ? !has : draft.values.includes(one.value)));
  return { kind: "chosen", at, values: values.map((one) => one.value) };
}

function draftOf(value: unknown, choices: readonly FieldChoice[]): Draft {
  if (choices.length === 0) {
    return { kind: "typed", input: value === undefined ? emptyInput : inputOf(showField(value)) };
  }
  const wanted: readonly unknown[] = Array.isArray(value) ? value : [value];
  const values = choices.filter((one) => wanted.some((it) => String(it) === one.value)).map((one) => one.value);
  const at = choices.findIndex((one) => one.value === values[0]);
  return { kind: "chosen", values, at: Math.max(0, at) };
}

function answerOf(draft: Draft | undefined, field: ElicitationField): unknown {
  if (draft === undefined) return undefined;
  if (draft.kind === "typed") return draft.input.text === "" ? undefined : readField(field, draft.input.text);
  if (field.type === "array") return draft.values.length === 0 ? undefined : draft.values;
  const [value] = draft.values;
  return field.type === "boolean" && value !== undefined ? value === "true" : value;
}

/** Returns the suggestions for fields of unknown types, which are sent unchanged. */
function formDefaultsOfUnknown(form: ElicitationForm): { readonly [name: string]: unknown } {
  const known = new Set(fieldsOf(form).map(({ name }) => name));
  return Object.fromEntries(Object.entries(formDefaults(form)).filter(([name]) => !known.has(name)));
}
