import type { ElicitationForm, ElicitationQuestion, PendingQuestion } from "@turnkit/session";
import type { OpenQuestion } from "../../child-sessions.js";
import { answered, choose } from "./choice.js";
import { createForm, type FormUi, pressForm } from "./form.js";
import type { Key } from "./key.js";
import { pressPermission, pressReason } from "./press-permission.js";
import { type Pressed, type QuestionUi, type Surroundings, stay, type Ui } from "./ui.js";

export const urlChoices = [
  { name: "I open it in my browser", action: "accept" },
  { name: "Decline", action: "decline" },
  { name: "Cancel", action: "cancel" },
] as const;

/** Returns the shown question. This is the chosen question while it is open, otherwise the oldest one. */
export function shownQuestion({ question }: Ui, open: readonly OpenQuestion[]): OpenQuestion | undefined {
  return open.find((one) => one.question.requestId === question.requestId) ?? open[0];
}

/** Returns the person's position in a question. In a new question, nothing is chosen or scrolled. */
export function questionUi({ question }: Ui, { question: { requestId } }: PendingQuestion): QuestionUi {
  return question.requestId === requestId ? question : { requestId, scrolled: 0 };
}

export function formUi(question: QuestionUi, requestId: string, form: ElicitationForm): FormUi {
  return question.form?.requestId === requestId ? question.form : createForm(requestId, form);
}

export function pressQuestion(
  ui: Ui,
  question: PendingQuestion,
  key: Key,
  { questions, page = 5 }: Pick<Surroundings, "questions" | "page">,
): Pressed {
  const at = questionUi(ui, question);
  const set = (change: Partial<QuestionUi>) => stay(ui, { question: { ...at, ...change } });
  if (key.name === "ctrl" && key.letter === "n") return nextQuestion(ui, question, questions);
  if (key.name === "page-up") return set({ scrolled: Math.max(0, at.scrolled - page) });
  if (key.name === "page-down") return set({ scrolled: at.scrolled + page });
  const { requestId } = question.question;
  if (question.type === "permission" && at.reason !== undefined) return pressReason(ui, at, question.question, key);
  // While the agent works, Escape cancels the work and all open questions.
  if (key.name === "escape") {
    const decision =
      question.type === "permission" ? ({ outcome: "cancelled" } as const) : ({ action: "cancel" } as const);
    return answered(ui, { type: "answer", requestId, decision });
  }
  if (question.type === "permission") return pressPermission(ui, at, question.question, key);
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

function nextQuestion(ui: Ui, { question }: PendingQuestion, open: readonly OpenQuestion[]): Pressed {
  const at = open.findIndex((one) => one.question.requestId === question.requestId);
  const next = open[(at + 1) % open.length];
  return stay(ui, { question: { scrolled: 0, requestId: next?.question.requestId } });
}
