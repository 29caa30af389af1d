import type { ContentBlock, Icon } from "./content.js";
import type { Entry, MessageEntry, ToolCallEntry } from "./entry.js";
import type { Keyed } from "./keyed.js";
import { MAIN_PLAN, type Plan } from "./plan.js";
import { lineOf, type Sequence } from "./sequence.js";
import type { ConfigChoice, ConfigOption, SelectOption } from "./settings.js";
import type { PendingPermission, SessionState } from "./state.js";
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

/** A question that waits for a decision, with the tool call that it is about as that stands now. */
export type PendingQuestion = { readonly question: PendingPermission; readonly toolCall: ToolCallEntry | undefined };

/** The questions that wait for a decision, oldest first. */
export const pendingQuestions: (state: SessionState) => readonly PendingQuestion[] = /* @__PURE__ */ oncePer(
  (state: SessionState) =>
    state.pendingPermissions.map((question) => {
      const { subject } = question;
      const entry =
        subject?.type === "tool_call" ? state.timeline.get(toolCallKey(subject.toolCall.toolCallId)) : undefined;
      return { question, toolCall: entry?.type === "tool_call" ? entry : undefined };
    }),
);

/** The tool calls that have one of the given statuses, oldest first. */
export function toolCallsByStatus(
  state: SessionState,
  ...statuses: readonly ToolCallStatus[]
): readonly ToolCallEntry[] {
  const found: ToolCallEntry[] = [];
  for (const entry of state.timeline) {
    if (entry.type === "tool_call" && statuses.includes(entry.status)) found.push(entry);
  }
  return found;
}

/** A file that tool calls say they changed. */
export type ChangedFile = {
  /** Absolute. */
  readonly path: string;
  /** Before the first change that knows it; `null` if the file was new. */
  readonly oldText?: string | null;
  /** After the last change that knows it. */
  readonly newText?: string | null;
  /** Ids of the tool calls, in their order. */
  readonly toolCallIds: readonly string[];
};

/** The files that tool calls changed, by their diffs; calls that failed or were cancelled do not count. */
export function changedFiles(state: SessionState): readonly ChangedFile[] {
  return filesOf(state.timeline);
}

const filesOf = /* @__PURE__ */ oncePer((timeline: Keyed<Entry>): readonly ChangedFile[] => {
  const files = new Map<string, ChangedFile>();
  for (const entry of timeline) {
    if (entry.type !== "tool_call" || entry.status === "failed" || entry.status === "cancelled") continue;
    for (const item of entry.content) {
      if (item.type !== "diff") continue;
      for (const { path, oldText, newText, operation } of item.changes) {
        const known = files.get(path);
        const before = known === undefined ? (operation === "add" ? null : oldText) : known.oldText;
        const ids = known?.toolCallIds ?? [];
        const toolCallIds = ids.includes(entry.toolCallId) ? ids : [...ids, entry.toolCallId];
        files.set(path, { path, oldText: before, newText: operation === "delete" ? null : newText, toolCallIds });
      }
    }
  }
  return [...files.values()];
});

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
