import {
  type ElicitationForm,
  type ElicitationQuestion,
  type PendingQuestion,
  pendingQuestions,
  type SessionState,
} from "@turnkit/session";
import { decisionOn, optionOfKind } from "../../ask-form.js";
import { createForm, type FormUi, pressForm } from "./form.js";
import type { Key } from "./key.js";
import { type Effect, type Pressed, type QuestionUi, stay, type Ui } from "./ui.js";

/** Answers to the question to open a URL. */
export const urlChoices = [
  { name: "I open it in my browser", action: "accept" },
  { name: "Decline", action: "decline" },
  { name: "Cancel", action: "cancel" },
] as const;

/** Returns the shown question. This is the chosen question while it is open, otherwise the oldest one. */
export function shownQuestion({ question }: Ui, state: SessionState): PendingQuestion | undefined {
  const open = pendingQuestions(state);
  return open.find((one) => one.question.requestId === question.requestId) ?? open[0];
}

/** Returns the person's position in a question. In a new question, nothing is chosen or scrolled. */
export function questionUi({ question }: Ui, { question: { requestId } }: PendingQuestion): QuestionUi {
  return question.requestId === requestId ? question : { requestId, scrolled: 0 };
}

export function formUi(question: QuestionUi, requestId: string, form: ElicitationForm): FormUi {
  return question.form?.requestId === requestId ? question.form : createForm(requestId, form);
}

export function pressQuestion(ui: Ui, question: PendingQuestion, key: Key, state: SessionState): Pressed {
  const at = questionUi(ui, question);
  const set = (change: Partial<QuestionUi>) => stay(ui, { question: { ...at, ...change } });
  if (key.name === "ctrl" && key.letter === "n") return nextQuestion(ui, question, state);
  if (key.name === "page-up") return set({ scrolled: Math.max(0, at.scrolled - 5) });
  if (key.name === "page-down") return set({ scrolled: at.scrolled + 5 });
  const { requestId } = question.question;
  // While the agent works, Escape cancels the work and all its questions.
  if (key.name === "escape") {
    const decision =
      question.type === "permission" ? ({ outcome: "cancelled" } as const) : ({ action: "cancel" } as const);
    return answered(ui, { type: "answer", requestId, decision });
  }
  if (question.type === "permission") {
    const { options } = question.question;
    const kind = key.name === "text" ? kinds[key.text] : undefined;
    const ofKind = kind && optionOfKind(kind, options);
    if (ofKind !== undefined) return set({ selected: options.indexOf(ofKind) });
    const chosen = choose(at.selected, key, options.length);
    if (chosen !== "enter") return set({ selected: chosen });
    const option = options[at.selected ?? -1];
    const decision = option && decisionOn(option, options);
    return decision === undefined ? stay(ui) : answered(ui, { type: "answer", requestId, decision });
  }
  const elicitation: ElicitationQuestion = question.question;
  if (elicitation.mode === "form") {
    const { requestedSchema } = elicitation as Extract<ElicitationQuestion, { mode: "form" }>;
    const next = pressForm(formUi(at, requestId, requestedSchema), requestedSchema, key);
    return "action" in next
      ? answered(ui, { type: "answer", requestId, decision: next })
      : set({ form: next, scrolled: 0 });
  }
  const chosen = choose(at.selected, key, urlChoices.length);
  if (chosen !== "enter") return set({ selected: chosen });
  const choice = urlChoices[at.selected ?? -1];
  return choice === undefined
    ? stay(ui)
    : answered(ui, { type: "answer", requestId, decision: { action: choice.action } });
}

/** Letters that choose an option by its kind. The name of the option does not matter. */
const kinds: Readonly<Record<string, "allow_once" | "allow_always" | "reject_once">> = {
  ...{ y: "allow_once", a: "allow_always", n: "reject_once" },
};

/** Moves the choice with an arrow or a digit. Enter confirms the choice. */
function choose(selected: number | undefined, key: Key, count: number): number | undefined | "enter" {
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

function answered(ui: Ui, effect: Effect): Pressed {
  return { ui: { ...ui, question: { scrolled: 0 } }, effects: [effect] };
}

function nextQuestion(ui: Ui, question: PendingQuestion, state: SessionState): Pressed {
  const open = pendingQuestions(state);
  const next = open[(open.indexOf(question) + 1) % open.length];
  return stay(ui, { question: { scrolled: 0, ...(next && { requestId: next.question.requestId }) } });
}
