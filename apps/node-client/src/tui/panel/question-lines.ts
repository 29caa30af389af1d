import type { AskedAbout } from "@turnkit/client/broker";
import type { ElicitationForm, ElicitationQuestion, PendingPermission, ToolCallPatch } from "@turnkit/session";
import { warningsOf } from "../../ask-form.js";
import type { OpenQuestion } from "../../child-sessions.js";
import { inShownOrder } from "../../permission-options.js";
import { alwaysText } from "../../permission-scope.js";
import type { RenderContext } from "../../render/context.js";
import type { Line, Span } from "../../render/line.js";
import { coveredLines, optionLabel, questionLines } from "../../render/permission.js";
import type { CoveredCall } from "../../render/tool-call.js";
import { screenLayout, wrap, wrapText } from "../../render/wrap.js";
import { showControls } from "../../sanitise.js";
import { type Draft, type FormField, type FormUi, fieldsOf, formButtons } from "../model/form.js";
import { takesReason } from "../model/press-permission.js";
import { formUi, urlChoices } from "../model/press-question.js";
import type { QuestionUi } from "../model/ui.js";

/** Lines of a question. `about` can be scrolled, and `answers` are always visible. */
export type QuestionPanel = {
  readonly about: readonly Line[];
  readonly answers: readonly Line[];
  /** Index of the line in `about` with the focused field. This line must be visible. */
  readonly focus?: number;
  /** Index of the line in `answers` that must be visible. */
  readonly chosen?: number;
};

export type QuestionContext = {
  readonly width: number;
  readonly directory: string;
  readonly agent: string;
  /** Returns the scope of a permanent answer to a question. */
  readonly always: (requestId: string) => AskedAbout["always"];
};

/**
 * Returns the lines of a question of the agent. No text that the person needs for a decision is cut. Control characters
 * in it are visible.
 */
export function questionPanel(question: OpenQuestion, at: QuestionUi, context: QuestionContext): QuestionPanel {
  if (question.type === "permission") return permissionPanel(question, question.question, { ...context, at });
  const elicitation: ElicitationQuestion = question.question;
  const { width, agent } = context;
  const about: Line[] = [
    ...wrap(
      [
        ["yellow", "? Question of "],
        ["bold", agent],
      ],
      width,
    ),
    ...wrapText(showControls(elicitation.message), width, { first: ["  "] }),
  ];
  if (elicitation.mode === "form") {
    const { requestedSchema: form } = elicitation as Extract<ElicitationQuestion, { mode: "form" }>;
    const panel = formLines(formUi(at, question.question.requestId, form), form, width);
    return { about: [...about, ...panel.about], answers: panel.answers, focus: about.length + panel.focus };
  }
  const { url } = elicitation as Extract<ElicitationQuestion, { mode: "url" }>;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return {
    about: [
      ...about,
      ...wrap([["underline", showControls(url)]], width, { first: ["  "], at: "width" }),
      ["  on the host ", ["bold", parsed?.host || "(none)"]],
      ...warningsOf(parsed).map((warning): Line => [["red", `  Careful: ${warning}`]]),
    ],
    answers: choiceLines(
      urlChoices.map(({ name }) => ({ name })),
      at.selected,
      width,
    ),
  };
}

function permissionPanel(
  { toolCall, terminals }: OpenQuestion,
  question: PendingPermission,
  { at, width, directory, always }: QuestionContext & { readonly at: QuestionUi },
): QuestionPanel {
  const context: RenderContext = { width, directory, detail: "full", layout: screenLayout };
  const { subject, options } = question;
  const about: Line[] = [...questionLines(question, context)];
  const told = subject?.type === "tool_call" ? (subject.toolCall as ToolCallPatch) : undefined;
  const call =
    toolCall ?? (told && { kind: "other", ...told, locations: told.locations ?? [], content: told.content ?? [] });
  if (call !== undefined) about.push(...coveredLines(call as CoveredCall, question.title, { terminals, context }));
  const text = alwaysText(always(question.requestId), directory);
  const rows = inShownOrder(options).map((option, index) => [
    ...choiceLine(
      { name: optionLabel(option), note: String(option.kind).replaceAll("_", " ") },
      index,
      at.selected,
      width,
    ),
    ...(String(option.kind).endsWith("_always") ? wrap([["dim", text]], width, { first: ["     "] }) : []),
  ]);
  const reason = reasonLines(at, question, width);
  const isTyped = at.reason !== undefined;
  const chosen = isTyped ? rows.flat().length + reason.length - 1 : rows.slice(0, at.selected ?? 0).flat().length;
  return { about, answers: [...rows.flat(), ...reason], chosen };
}

/** Returns the line that offers to refuse with a reason, or the reason while it is typed. */
function reasonLines({ reason }: QuestionUi, question: PendingPermission, width: number): readonly Line[] {
  if (reason === undefined) {
    const when = takesReason(question) ? "the agent reads the reason now" : "the reason goes with your next prompt";
    return wrap(["b) No, because …", ["dim", `  ${when}`]], width, {
      first: ["  "],
      rest: ["     "],
    });
  }
  const { text, cursor } = reason;
  const typed: Line = [["bold", "No, because "], text.slice(0, cursor), ["cyan", "▏"], text.slice(cursor)];
  return wrap(typed, width, { first: [["cyan", "❯ "]], rest: ["  "] });
}

function choiceLines(
  choices: readonly { readonly name: string; readonly note?: string }[],
  selected: number | undefined,
  width: number,
): readonly Line[] {
  return choices.flatMap((choice, index) => choiceLine(choice, index, selected, width));
}

function choiceLine(
  { name, note }: { readonly name: string; readonly note?: string },
  index: number,
  selected: number | undefined,
  width: number,
): readonly Line[] {
  const isChosen = index === selected;
  const mark = isChosen ? "❯ " : "  ";
  const line: Line = [
    [isChosen ? ["bold", "cyan"] : "plain", `${index + 1}) ${name}`],
    ["dim", note ? `  ${note}` : ""],
  ];
  return wrap(line, width, { first: [["cyan", mark]], rest: ["     "] });
}

function formLines(
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
  const draft = ui.drafts.get(name);
  const fault = ui.faults.get(name);
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
