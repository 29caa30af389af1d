import type { ElicitationQuestion, PendingPermission, PendingQuestion, SessionState } from "@turnkit/session";
import { warningsOf } from "../../ask-form.js";
import { showControls } from "../../sanitise.js";
import { formUi, urlChoices } from "../model/press-question.js";
import type { QuestionUi } from "../model/ui.js";
import type { Line } from "../text/line.js";
import { wrap, wrapText } from "../text/wrap.js";
import { type EntryPlace, gutterLines, toolCallLines } from "../transcript/tool-call-lines.js";
import { formLines } from "./form-lines.js";

/** A question as it is drawn: what it is about may be scrolled, what it may be answered with stays in sight. */
export type QuestionPanel = {
  readonly about: readonly Line[];
  readonly answers: readonly Line[];
  /** The line of `about` that has to be in sight: where something is being filled in. */
  readonly focus?: number;
};

/** What a question needs besides itself. */
export type QuestionPlace = {
  readonly state: SessionState;
  readonly width: number;
  readonly directory: string;
  /** The name of the agent. */
  readonly agent: string;
};

/** A question of the agent. Nothing that the person decides by is cut or hidden: controls in it are made visible. */
export function questionPanel(question: PendingQuestion, at: QuestionUi, place: QuestionPlace): QuestionPanel {
  if (question.type === "permission") return permissionPanel(question, question.question, { ...place, at });
  const elicitation: ElicitationQuestion = question.question;
  const { width, agent } = place;
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
  { toolCall }: PendingQuestion,
  { title, description, subject, options }: PendingPermission,
  { at, state, width, directory }: QuestionPlace & { readonly at: QuestionUi },
): QuestionPanel {
  const place: EntryPlace = { width, directory, detail: "full" };
  const about: Line[] = wrapText(showControls(title), width, {
    first: [
      ["yellow", "? "],
      ["bold", "Permission: "],
    ],
    rest: ["  "],
  });
  if (description !== undefined) about.push(...wrapText(showControls(description), width, { first: ["  "] }));
  const command = subject as { readonly type: string; readonly command?: string; readonly cwd?: string } | undefined;
  if (command?.type === "command") {
    const { command: line = "", cwd = "" } = command;
    about.push(...wrapText(showControls(line), width, { first: [["bold", "  $ "]], rest: ["    "], at: "width" }));
    about.push([["dim", `  in ${cwd}`]]);
  }
  if (toolCall !== undefined) about.push(...toolCallLines(toolCall, state, place));
  else if (subject?.type === "tool_call") about.push(...gutterLines(JSON.stringify(subject), { width, limit: 200 }));
  const names = options.map(({ name, kind }) => ({ name, note: String(kind).replaceAll("_", " ") }));
  return { about, answers: choiceLines(names, at.selected, width) };
}

/** Things to choose from, by their numbers. */
function choiceLines(
  choices: readonly { readonly name: string; readonly note?: string }[],
  selected: number | undefined,
  width: number,
): readonly Line[] {
  return choices.flatMap(({ name, note }, index) => {
    const isChosen = index === selected;
    const mark = isChosen ? "❯ " : "  ";
    const line: Line = [
      [isChosen ? ["bold", "cyan"] : "plain", `${index + 1}) ${name}`],
      ["dim", note ? `  ${note}` : ""],
    ];
    return wrap(line, width, { first: [["cyan", mark]], rest: ["     "] });
  });
}
