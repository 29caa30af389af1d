import type { ElicitationForm } from "@turnkit/session";
import { showControls } from "../../sanitise.js";
import { type Draft, type FormField, type FormUi, fieldsOf, formButtons } from "../model/form.js";
import type { Line, Span } from "../text/line.js";
import { wrap, wrapText } from "../text/wrap.js";

/** A form, and its buttons; all answers are in sight before they are sent. */
export function formLines(
  ui: FormUi,
  form: ElicitationForm,
  width: number,
): { readonly about: readonly Line[]; readonly answers: readonly Line[]; readonly focus: number } {
  const fields = fieldsOf(form);
  const about: Line[] = [];
  if (form.title != null) about.push(...wrap([["bold", form.title]], width, { first: ["  "] }));
  if (form.description != null) about.push(...wrapText(showControls(form.description), width, { first: ["  "] }));
  let focus = 0;
  for (const [row, field] of fields.entries()) {
    if (row <= ui.row) focus = about.length;
    about.push(...fieldLines(field, ui, row === ui.row, width, form));
  }
  const onButtons = ui.row >= fields.length;
  const buttons: Line = formButtons.flatMap((name, index): Span[] => {
    const isChosen = onButtons && index === ui.button;
    return [isChosen ? [["bold", "cyan"], `❯ ${name}`] : `  ${name}`, "   "];
  });
  return { about, answers: [buttons], focus };
}

function fieldLines(
  { name, field, choices }: FormField,
  ui: FormUi,
  isHere: boolean,
  width: number,
  form: ElicitationForm,
): readonly Line[] {
  const { title, description } = field as { readonly title?: string | null; readonly description?: string | null };
  const draft = ui.drafts[name];
  const fault = ui.faults[name];
  const isNeeded = form.required?.includes(name) === true;
  const head: Line = [[isHere ? ["bold", "cyan"] : "bold", `${title ?? name}${isNeeded ? " *" : ""}: `]];
  const value: Line = draft === undefined ? [] : valueSpans(draft, isHere, choices, field.type === "array");
  return [
    ...wrap([...head, ...value], width, { first: [["cyan", isHere ? "❯ " : "  "]], rest: ["    "] }),
    ...(isHere && description != null ? wrapText(showControls(description), width, { first: [["dim", "    "]] }) : []),
    ...(fault === undefined ? [] : wrap([["red", fault]], width, { first: ["    "] })),
  ];
}

function valueSpans(draft: Draft, isHere: boolean, choices: FormField["choices"], isSeveral: boolean): Line {
  if (draft.kind === "typed") {
    const { text, cursor } = draft.input;
    return isHere ? [text.slice(0, cursor), ["cyan", "▏"], text.slice(cursor)] : [text];
  }
  if (!isHere) {
    const chosen = choices.filter(({ value }) => draft.values.includes(value)).map(({ label }) => label);
    return [chosen.join(", ")];
  }
  return choices.flatMap(({ value, label }, index): Span[] => {
    const isOn = draft.values.includes(value);
    const box = isSeveral ? (isOn ? "[x] " : "[ ] ") : isOn ? "(•) " : "( ) ";
    return [[index === draft.at ? ["underline"] : isOn ? "plain" : "dim", `${box}${label}`], "  "];
  });
}
