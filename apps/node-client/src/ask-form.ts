import type { FormRequest, PermissionDecision, UrlRequest } from "@turnkit/client";
import type { ElicitationAnswer, ElicitationField, PermissionOption } from "@turnkit/session";
import { checkFormAnswer, formDefaults } from "@turnkit/session/form";
import { choicesOf, isKnownField, readField, showField } from "./form-field.js";
import { type AskOptions, type LineDialogue, openLineDialogue } from "./line-dialogue.js";
import { chooseByAnswer } from "./permission-options.js";
import type { Page } from "./render/page.js";
import type { Choice } from "./view.js";

export type QuestionDialogue = { readonly page: Page; readonly dialogue: LineDialogue };

const DECLINE: ElicitationAnswer = { action: "decline" };
const CANCEL: ElicitationAnswer = { action: "cancel" };

/**
 * Asks a person for the values of a form, field by field. Enter accepts the suggested value. The answers `!decline` and
 * `!cancel` end the form. Nothing is sent before the person confirms all answers.
 */
export async function askForm(request: FormRequest, at: QuestionDialogue): Promise<ElicitationAnswer> {
  const { page } = at;
  const { requestedSchema: form } = request;
  const fields = Object.entries(form.properties).filter(([, field]) => isKnownField(field));
  showQuestion(page, request);
  if (form.title != null) page.lines([[["bold", form.title]]]);
  if (form.description != null) page.block(form.description, { sequences: "show" });
  page.line([
    "dim",
    "Enter takes the value in brackets, - leaves a field out. !decline or !cancel ends the questions.",
  ]);

  const answers = new Map<string, unknown>(Object.entries(formDefaults(form)));
  for (;;) {
    for (const [name, field] of fields) {
      const answer = await askField(name, field, { ...at, suggested: answers.get(name) });
      if ("action" in answer) return answer;
      answers.set(name, answer.value);
    }
    const given = Object.keys(form.properties).map((name) => [name, answers.get(name)] as const);
    const content = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    page.line(["bold", "This would be sent:"]);
    for (const [name, value] of Object.entries(content))
      page.block(`${name}: ${showField(value)}`, { sequences: "show" });
    const faults = checkFormAnswer(form, content);
    page.lines(faults.map(({ path, message }) => [["red", `${path[0]}: ${message}`]]));
    const may = faults.length > 0 ? "" : "Send it (y), ";
    const word = await choose(at, `${may}answer again (a), decline (d) or cancel (c)? `, may === "" ? "adc" : "yadc");
    if (word === "y") return { action: "accept", content };
    if (word !== "a") return word === "d" ? DECLINE : CANCEL;
  }
}

/** Asks a person to open a URL in their own browser. This program neither fetches nor opens the URL. */
export async function askUrl(request: UrlRequest, at: QuestionDialogue): Promise<ElicitationAnswer> {
  const { page } = at;
  showQuestion(page, request);
  page.block(request.url, { sequences: "show" });
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  page.lines([["  on the host ", ["bold", url?.host || "(none)"]]]);
  for (const warning of warningsOf(url)) page.line(["red", `  Careful: ${warning}`]);
  const word = await choose(at, "Do you open it in your browser (y), decline (d) or cancel (c)? ", "ydc");
  if (word === "y") return { action: "accept" };
  return word === "d" ? DECLINE : CANCEL;
}

/** Asks a person to choose one item of a list. Returns `undefined` if the person chooses nothing. */
export async function askChoice(
  title: string,
  choices: readonly Choice[],
  at: QuestionDialogue,
  details = "",
): Promise<number | undefined> {
  const { page, dialogue } = at;
  page.section("question");
  page.lines([
    [
      ["yellow", "? "],
      ["bold", title],
    ],
  ]);
  if (details !== "") page.block(details, { sequences: "show", gutter: "    " });
  for (const [index, { name, description }] of choices.entries()) {
    page.lines([[`  ${index + 1}) ${name}`, ["dim", description ? `  ${description}` : ""]]]);
  }
  for (;;) {
    const offered = choices.length === 1 ? "1" : `1–${choices.length}`;
    const line = await dialogue.ask(`Your choice (${offered}, 0 for none): `);
    page.lineEndedOutside();
    const number = line === undefined ? 0 : Number(line.trim() || Number.NaN);
    if (number === 0) return undefined;
    if (choices[number - 1] !== undefined) return number - 1;
    page.lines([["dim", `Type ${offered}, or 0 for none.`]]);
  }
}

/** Returns warnings about a URL that a person may open. */
export function warningsOf(url: URL | undefined): readonly string[] {
  if (url === undefined) return ["this is not a complete URL."];
  return [
    ...(url.protocol === "https:" ? [] : ["it does not begin with https."]),
    ...(/(^|\.)xn--/.test(url.hostname) ? ["the host has letters that may look like others."] : []),
    ...(url.username === "" && url.password === "" ? [] : ["it holds a user name, which may pose as a host."]),
  ];
}

function showQuestion(page: Page, { agent, message }: FormRequest | UrlRequest): void {
  page.section("question");
  page.lines([
    [
      ["yellow", "? Question of "],
      ["bold", agent.title ?? agent.name],
    ],
  ]);
  page.block(message, { sequences: "show" });
}

type Asking = QuestionDialogue & { readonly suggested: unknown };

async function askField(
  name: string,
  field: ElicitationField,
  { page, dialogue, suggested }: Asking,
): Promise<ElicitationAnswer | { readonly value: unknown }> {
  const { title, description } = field as { readonly title?: string | null; readonly description?: string | null };
  page.lines([[["bold", title ?? name], suggested === undefined ? "" : ` [${showField(suggested)}]`]]);
  if (description != null) page.block(description, { style: "dim", sequences: "show" });
  page.lines(choicesOf(field).map(({ label }, index) => [`  ${index + 1}) ${label}`]));
  for (;;) {
    const line = await dialogue.ask("> ");
    page.lineEndedOutside();
    if (line === undefined || line.trim() === "!cancel") return CANCEL;
    if (line.trim() === "!decline") return DECLINE;
    if (line.trim() === "-") return { value: undefined };
    if (line === "") return { value: suggested };
    const value = readField(field, line);
    const [fault] = checkFormAnswer({ type: "object", properties: { [name]: field } }, { [name]: value });
    if (fault === undefined) return { value };
    page.line(["red", fault.message]);
  }
}

/** Reads a letter that is one of the choices. Returns `undefined` without a person. */
async function choose(
  { page, dialogue }: QuestionDialogue,
  prompt: string,
  letters: string,
): Promise<string | undefined> {
  for (;;) {
    const line = await dialogue.ask(prompt);
    page.lineEndedOutside();
    const letter = line?.trim().toLowerCase().charAt(0);
    if (letter === undefined || (letter !== "" && letters.includes(letter))) return letter;
  }
}

/**
 * Reads the answer to a permission question that is already on the screen. Asks again if the answer is not valid. The
 * decision is "cancelled" if the input ends or the question is withdrawn.
 */
export async function askPerson(options: readonly PermissionOption[], asking: AskOptions): Promise<PermissionDecision> {
  const dialogue = openLineDialogue(asking);
  try {
    for (;;) {
      const line = await dialogue.ask(`Your choice (1–${options.length}; y once, a always, n no, 0 for none): `);
      const choice = line === undefined ? ({ outcome: "cancelled" } as const) : chooseByAnswer(line, options);
      if (choice !== undefined) return choice;
    }
  } finally {
    dialogue.close();
  }
}
