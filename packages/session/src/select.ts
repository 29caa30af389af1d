import type { ContentBlock, Icon } from "./content.js";
import type { Entry, MessageEntry, ToolCallEntry } from "./entry.js";
import type { Keyed } from "./keyed.js";
import { MAIN_PLAN, type Plan } from "./plan.js";
import { lineOf, type Sequence } from "./sequence.js";
import type { ConfigChoice, ConfigOption, SelectOption } from "./settings.js";
import type { PendingElicitation, PendingPermission, SessionState } from "./state.js";
import { toolCallKey } from "./timeline.js";
import type { ToolCallStatus } from "./tool-call.js";

type Joined = { readonly length: number; readonly text: string };

/** The text of a growing message is carried on from what was joined before, so drawing each frame stays cheap. */
const joined = new WeakMap<object, Joined>();

/**
 * The text of a message: its text blocks joined with nothing between them (V1-UPD-08). Blocks of other types are left
 * out; `entry.content` has them all. Costs only what was added since it was last asked of the same message.
 */
export function messageText(entry: { readonly content: Sequence<ContentBlock> }): string {
  return joinedText(entry.content);
}

/** {@link messageText} of any sequence of blocks, such as the summary of a compaction. */
export function joinedText(content: Sequence<ContentBlock>): string {
  const line = lineOf(content);
  const known = joined.get(line);
  const start = known !== undefined && known.length <= content.length ? known : { length: 0, text: "" };
  let { text } = start;
  for (let position = start.length; position < content.length; position++) {
    const block = content.at(position);
    if (block?.type === "text") text += block.text;
  }
  if (known === undefined || content.length > known.length) joined.set(line, { length: content.length, text });
  return text;
}

/** Works a view out once for each object that it is a view of, so that asking again gives the identical answer. */
export function oncePer<K extends object, R>(compute: (key: K) => R): (key: K) => R {
  const known = new WeakMap<K, { readonly value: R }>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) {
      found = { value: compute(key) };
      known.set(key, found);
    }
    return found.value;
  };
}

/** The newest message of the timeline, growing or not. */
export function currentMessage(state: SessionState): MessageEntry | undefined {
  for (let position = state.timeline.length - 1; position >= 0; position--) {
    const entry = state.timeline.at(position);
    if (entry?.type === "message") return entry;
  }
  return undefined;
}

/** The plan to show: the main one, else the newest that has something in it. */
export function visiblePlan(state: SessionState): Plan | undefined {
  const main = state.plans.get(MAIN_PLAN);
  if (main !== undefined && !isEmpty(main)) return main;
  for (let position = state.plans.length - 1; position >= 0; position--) {
    const plan = state.plans.at(position);
    if (plan !== undefined && !isEmpty(plan)) return plan;
  }
  return undefined;
}

const isEmpty = (plan: Plan): boolean => plan.type === "items" && plan.entries.length === 0;

/** A question that waits for a person, with the tool call that it is about as that stands now. */
export type PendingQuestion = { readonly toolCall: ToolCallEntry | undefined } & (
  | { readonly type: "permission"; readonly question: PendingPermission }
  | { readonly type: "elicitation"; readonly question: PendingElicitation }
);

/**
 * The questions that wait for a person: those for a permission, then those of the agent (forms and pages), each oldest
 * first. A page that the person went to is no question any more; `state.pendingElicitations` has it until it is done.
 */
export const pendingQuestions: (state: SessionState) => readonly PendingQuestion[] = /* @__PURE__ */ oncePer(
  (state: SessionState) => {
    const toolCallOf = (toolCallId: string | undefined): ToolCallEntry | undefined => {
      const entry = toolCallId === undefined ? undefined : state.timeline.get(toolCallKey(toolCallId));
      return entry?.type === "tool_call" ? entry : undefined;
    };
    const questions: PendingQuestion[] = state.pendingPermissions.map((question) => {
      const { subject } = question;
      const toolCallId = subject?.type === "tool_call" ? subject.toolCall.toolCallId : undefined;
      return { type: "permission", question, toolCall: toolCallOf(toolCallId) };
    });
    for (const question of state.pendingElicitations) {
      if (question.status === "accepted") continue;
      questions.push({ type: "elicitation", question, toolCall: toolCallOf(question.toolCallId) });
    }
    return questions.length === 0 ? NOTHING : questions;
  },
);

const AUTH_REQUIRED = -32000;

/**
 * Whether the newest prompt came to nothing because the agent wants a login first (`-32000`). Who is logged in is no
 * part of a session's state: it is a fact of the connection, the same for all of its sessions.
 */
export function needsLogin(state: SessionState): boolean {
  for (let position = state.timeline.length - 1; position >= 0; position--) {
    const entry = state.timeline.at(position);
    if (entry?.type !== "message" || entry.prompt === undefined) continue;
    if (entry.prompt.status === "failed") return entry.prompt.error?.code === AUTH_REQUIRED;
    break;
  }
  return state.lastTurn?.error?.code === AUTH_REQUIRED;
}

/** The tool calls that have one of the given statuses, oldest first; the identical answer for the same timeline. */
export function toolCallsByStatus(
  state: SessionState,
  ...statuses: readonly ToolCallStatus[]
): readonly ToolCallEntry[] {
  const known = foundByStatus(state.timeline);
  const asked = JSON.stringify(statuses);
  let found = known.get(asked);
  if (found === undefined) {
    const all: ToolCallEntry[] = [];
    for (const entry of state.timeline) {
      if (entry.type === "tool_call" && statuses.includes(entry.status)) all.push(entry);
    }
    found = all.length === 0 ? NOTHING : all;
    known.set(asked, found);
  }
  return found;
}

const foundByStatus = /* @__PURE__ */ oncePer((_: Keyed<Entry>) => new Map<string, readonly ToolCallEntry[]>());

/** One for all that is empty, so that a view stays the same object while there is nothing in it. */
const NOTHING: readonly never[] = /* @__PURE__ */ Object.freeze([]);

/** An option as a menu: what is chosen and what there is to choose from, groups made flat. */
export type Choices = {
  readonly option: SelectOption;
  readonly current: ConfigChoice | undefined;
  readonly choices: readonly ConfigChoice[];
};

/** The session's modes, whichever way the agent offers them. */
export const selectModes = (state: SessionState): Choices | undefined => modesOf(state.configOptions ?? NONE);

/** The session's models, whichever way the agent offers them. */
export const selectModels = (state: SessionState): Choices | undefined => modelsOf(state.configOptions ?? NONE);

const NONE: readonly ConfigOption[] = [];
const modesOf = /* @__PURE__ */ oncePer((options: readonly ConfigOption[]) => choicesOf(options, "mode"));
const modelsOf = /* @__PURE__ */ oncePer((options: readonly ConfigOption[]) => choicesOf(options, "model"));

function choicesOf(options: readonly ConfigOption[], category: string): Choices | undefined {
  const option = options.find(
    (candidate): candidate is SelectOption => candidate.category === category && candidate.type === "select",
  );
  if (option === undefined) return undefined;
  const choices = option.options.flatMap((choice) => ("groupId" in choice ? choice.options : [choice]));
  return { option, current: choices.find((choice) => choice.value === option.currentValue), choices };
}

/**
 * The icons of a link that may be fetched, in their order: from `https:` or `data:`, and for that background if one is
 * named. Fetch them without credentials and follow no redirect to another scheme or origin; `mimeType` counts more than
 * what the server says.
 */
export function selectIcons(icons: readonly Icon[] | null | undefined, theme?: "light" | "dark"): readonly Icon[] {
  const fits = (icon: Icon) => theme === undefined || icon.theme == null || icon.theme === theme;
  return (icons ?? []).filter((icon) => /^(?:https|data):/i.test(icon.src) && fits(icon));
}
