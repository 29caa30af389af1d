import type { PermissionOption, PermissionQuestion } from "@turnkit/session";
import { asSentence, textOf } from "@turnkit/transport";
import { checkFields } from "./check-values.js";

/** Kinds of options of the protocol. The first two allow. */
const KINDS: readonly string[] = ["allow_once", "allow_always", "reject_once", "reject_always"];

type Fields = { readonly [name: string]: unknown };

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const isText = (value: unknown): value is string => typeof value === "string";

const OPTIONS = 'Pass a question such as { options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }] }.';

/** Report of a question that is not asked. */
export type QuestionMistake = { readonly message: string; readonly error?: unknown };

/**
 * Returns the mistake in the arguments of a question, if the user would otherwise see a different question or none. A list
 * in place of the question would ask with the default options. Never throws.
 *
 * @param call name of the function that asks
 */
export function questionMistake(call: string, question: Partial<PermissionQuestion>): QuestionMistake | undefined {
  try {
    const mistake = shapeMistake(question) ?? optionsMistake(question.options) ?? subjectMistake(question.subject);
    if (mistake !== undefined) return { message: `${call} got ${mistake[0]}, and counts as refused. ${mistake[1]}` };
    checkCall(`${call} subject toolCall`, question.subject);
    return undefined;
  } catch (error) {
    // The content of the tool call has another form, or a getter of the question threw.
    return { message: `${asSentence(textOf(error))} The question of ${call} counts as refused.`, error };
  }
}

/** The failure, and the remedy. */
type Mistake = readonly [got: string, advice: string];

function shapeMistake(question: Partial<PermissionQuestion>): Mistake | undefined {
  if (typeof question !== "object" || Array.isArray(question)) {
    return [`${Array.isArray(question) ? "a list" : `a ${typeof question}`} in place of a question`, OPTIONS];
  }
  // All members are read here, because a getter may throw.
  const { title, description } = { ...question };
  if (title !== undefined && !isText(title)) return ["a title that is not text", "Pass the title as text."];
  const isDescribed = description == null || isText(description);
  return isDescribed ? undefined : ["a description that is not text", "Pass the description as text."];
}

function optionsMistake(options: readonly PermissionOption[] | undefined): Mistake | undefined {
  if (options === undefined) return undefined;
  const isOption = (one: Partial<PermissionOption>): boolean => [one?.optionId, one?.name, one?.kind].every(isText);
  if (!Array.isArray(options) || !options.every(isOption)) return ["options of another form", OPTIONS];
  if (options.length === 0) return ["no options", `${OPTIONS} Leave out \`options\` to ask with the default options.`];
  const unknown = options.find(({ kind }) => !KINDS.includes(kind) && !kind.startsWith("_"))?.kind;
  if (unknown !== undefined)
    return [`an option of kind ${JSON.stringify(unknown)}`, `The kinds are ${KINDS.join(", ")}.`];
  // The first of them would count, also if the user chooses another.
  const ids = options.map(({ optionId }) => optionId);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  return twice === undefined
    ? undefined
    : [`two options with the optionId ${JSON.stringify(twice)}`, "Pass an own optionId for each option."];
}

const SUBJECT =
  'Call `ask` of the tool call, or pass a subject such as { type: "tool_call", toolCall: { toolCallId: call.id, title } }.';
const COMMAND = 'Pass a subject such as { type: "command", command, cwd }.';

/** Returns the mistake in a subject. The user would not see it, and would decide about something else. */
function subjectMistake(subject: unknown): Mistake | undefined {
  if (subject == null) return undefined;
  const { type, toolCall, command, cwd, requestPermission } = fieldsOf(subject);
  if (typeof requestPermission === "function") return ["a tool call as its subject", SUBJECT];
  const isForm = isText(type) && (type !== "tool_call" || isText(fieldsOf(toolCall).toolCallId));
  if (!isForm) return ["a subject of another form", SUBJECT];
  if (type === "command") {
    return isText(command) && isText(cwd) ? undefined : ["a command without its text or its folder", COMMAND];
  }
  if (type === "tool_call" || type.startsWith("_")) return undefined;
  return [
    `a subject of the type ${JSON.stringify(type.slice(0, 60))}`,
    `The types are tool_call and command. ${SUBJECT}`,
  ];
}

/** @throws TypeError for a subject whose tool call has content or locations of another form */
function checkCall(call: string, subject: PermissionQuestion["subject"]): void {
  if (subject?.type === "tool_call" && "toolCall" in subject) checkFields(call, subject.toolCall);
}
