import type { PermissionDecision } from "@turnkit/client";
import type { PendingPermission, PermissionOption } from "@turnkit/session";
import { decisionOn, inShownOrder, optionOfKind } from "../../permission-options.js";
import { cut } from "../../render/line.js";
import { oneLine } from "../../sanitise.js";
import { answered, choose } from "./choice.js";
import type { Key } from "./key.js";
import { edit, emptyInput } from "./text-input.js";
import { type Pressed, type QuestionUi, stay, type Ui } from "./ui.js";

/** Letters that choose an option by its kind. The name of the option does not matter. */
const kinds: Readonly<Record<string, "allow_once" | "allow_always" | "reject_once">> = {
  ...{ y: "allow_once", a: "allow_always", n: "reject_once" },
};

const CANCELLED: PermissionDecision = { outcome: "cancelled" };

/**
 * Applies a key to a permission question. A letter or a digit decides, and an arrow moves the choice. Enter confirms
 * the choice. After a letter or a digit, the caller presses Enter if no other key follows immediately.
 */
export function pressPermission(
  ui: Ui,
  { decided, stray = "", ...at }: QuestionUi,
  { requestId, options: given }: PendingPermission,
  key: Key,
): Pressed {
  const options = inShownOrder(given);
  const set = (change: Partial<QuestionUi>) => stay(ui, { question: { ...at, ...change } });
  if (key.name === "text") {
    const letter = key.text.toLowerCase();
    const isDigit = /^\d$/.test(letter);
    // The rest of a prompt must not answer the question.
    if (!isDigit && (stray !== "" || letter.length > 1)) {
      return stay(ui, { question: at, input: edit(ui.input, { ...key, text: stray + key.text }) });
    }
    if (letter === "b") return set({ reason: emptyInput });
    const option = optionFor(letter, options);
    if (option !== undefined) return set({ selected: options.indexOf(option), decided: "selected" });
    if (letter === "n") return set({ decided: "refuse" });
    return set(isDigit ? {} : { stray: key.text });
  }
  const chosen = choose(at.selected, key, options.length);
  if (chosen !== "enter") return set(chosen === undefined ? {} : { selected: chosen });
  const option = options[at.selected ?? -1];
  const decision = decided === "refuse" ? CANCELLED : option && decisionOn(option, options);
  return decision === undefined ? set({}) : answered(ui, { type: "answer", requestId, decision });
}

function optionFor(letter: string, options: readonly PermissionOption[]): PermissionOption | undefined {
  if (/^[1-9]$/.test(letter)) return options[Number(letter) - 1];
  const kind = kinds[letter];
  return kind && optionOfKind(kind, options);
}

/** Maximum number of reasons that wait for a prompt. The oldest is dropped. */
const MAX_REASONS = 20;

/** Key in `_meta` of a question that takes the reason of a refusal with its answer (turnkit-agent). */
const REASON = "turnkit.reason";

/** Returns true if the agent takes the reason of a refusal with the answer to this question. */
export const takesReason = ({ _meta }: PendingPermission): boolean => _meta?.[REASON] === true;

/**
 * Applies a key to the reason of a refusal. Enter refuses. The reason goes to the agent with the answer, or with the next
 * prompt if the question takes no reason.
 */
export function pressReason(ui: Ui, at: QuestionUi, question: PendingPermission, key: Key): Pressed {
  const { requestId, options, title } = question;
  const reason = at.reason ?? emptyInput;
  if (key.name === "escape") return stay(ui, { question: { ...at, reason: undefined } });
  if (key.name !== "enter") return stay(ui, { question: { ...at, reason: edit(reason, key) } });
  const option = optionOfKind("reject_once", options);
  const decision = option === undefined ? CANCELLED : (decisionOn(option, options) ?? CANCELLED);
  const text = reason.text.trim();
  if (takesReason(question) && text !== "") {
    return answered(ui, { type: "answer", requestId, decision: { ...decision, _meta: { [REASON]: text } } });
  }
  const reasons = text === "" ? ui.reasons : [...ui.reasons, reasonText(title, text)].slice(-MAX_REASONS);
  return answered({ ...ui, reasons }, { type: "answer", requestId, decision });
}

/** Maximum length of the title in a reason. A short title is enough, because the agent asked the question. */
const MAX_TITLE = 200;

function reasonText(title: string, reason: string): string {
  return `I did not allow “${cut(oneLine(title), MAX_TITLE)}”, because ${reason}`;
}
