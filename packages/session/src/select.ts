import { checkOption } from "./check-option.js";
import type { ContentBlock, Icon } from "./content.js";
import type { Entry, MessageEntry, ToolCallEntry } from "./entry.js";
import { kept } from "./patch.js";
import { lineOf } from "./persistent-list.js";
import { DEFAULT_PLAN_ID, type Plan } from "./plan.js";
import { type ConfigChoice, type ConfigOption, choicesOf, type SelectOption, selectOf } from "./settings.js";
import { AUTHOR } from "./slice/prompts.js";
import type { PendingElicitation, PendingPermission, SessionState } from "./state.js";
import { toolCallKey } from "./timeline.js";
import type { ToolCallPatch, ToolCallStatus } from "./tool-call.js";
import type { KeyedList, PersistentList } from "./vector.js";

const MESSAGE = "a message of a state. Read a state from JSON with readSnapshot";

/** Result for the first `length` items of a list, and the result of the request before. */
type Joined<R> = { readonly length: number; readonly value: R; readonly before?: Joined<R> };

/**
 * Returns a function that joins the items of a growing list with `extend`. Only new items are read, so each frame costs little.
 */
function joining<R>(empty: R, extend: (value: R, content: PersistentList<ContentBlock>, from: number) => R) {
  const joined = new WeakMap<object, Joined<R>>();
  return (content: PersistentList<ContentBlock>): R => {
    checkOption(typeof content?.toArray === "function", "messageText", typeof content, MESSAGE);
    const line = lineOf(content);
    const longest = joined.get(line);
    let known = longest;
    while (known !== undefined && known.length > content.length) known = known.before;
    if (known?.length === content.length) return known.value;
    const value = known === undefined ? extend(empty, content, 0) : extend(known.value, content, known.length);
    // A view that shows the new text also reads the previous text.
    const before = longest && { ...longest, before: undefined };
    const { length } = content;
    if (longest === undefined || length > longest.length) joined.set(line, { length, value, before });
    return value;
  };
}

/**
 * Returns the text of a message: its text blocks, without separators. Blocks of other types are left out;
 * `entry.content` contains all blocks. The cost grows with the text that was added since the last call for the same
 * message.
 */
// V1-UPD-08
export function messageText(entry: { readonly content: PersistentList<ContentBlock> }): string {
  return joinedText(entry.content);
}

/** Returns the {@link messageText} of any list of blocks, such as the summary of a compaction. */
export const joinedText: (content: PersistentList<ContentBlock>) => string = /* @__PURE__ */ joining(
  "",
  (text, content, from) => {
    let joined = text;
    for (let at = from; at < content.length; at++) {
      const block = content.at(at);
      if (block?.type === "text") joined += block.text;
    }
    return joined;
  },
);

/**
 * Returns the content of a message for a view: texts and other blocks, in order. Text blocks that follow each other are one
 * text. The cost grows with the content that was added since the last call for the same message.
 */
export function messageParts(entry: {
  readonly content: PersistentList<ContentBlock>;
}): readonly (string | ContentBlock)[] {
  return joinedParts(entry.content);
}

const joinedParts = /* @__PURE__ */ joining<readonly (string | ContentBlock)[]>([], (before, content, from) => {
  const parts = [...before];
  for (let at = from; at < content.length; at++) {
    const block = content.at(at) as ContentBlock;
    const last = parts.at(-1);
    if (block.type !== "text") parts.push(block);
    else if (typeof last === "string") parts[parts.length - 1] = last + block.text;
    else parts.push(block.text);
  }
  return parts;
});

/** Returns a function that computes a view once for each object. A second call returns the same result. */
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

/** Returns the newest message of the timeline. The message may still grow. */
export function currentMessage(state: SessionState): MessageEntry | undefined {
  return newest(state.timeline, (entry) => entry.type === "message") as MessageEntry | undefined;
}

/** Returns the newest item for which `is` returns `true`. The search begins at the end, so older items cost nothing. */
function newest<T>(items: PersistentList<T>, is: (item: T) => boolean): T | undefined {
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position) as T;
    if (is(item)) return item;
  }
  return undefined;
}

/** Returns the plan to show. This is the default plan, or else the newest plan that is not empty. */
export function visiblePlan({ plans }: SessionState): Plan | undefined {
  const main = plans.get(DEFAULT_PLAN_ID);
  return main !== undefined && hasContent(main) ? main : newest(plans, hasContent);
}

const hasContent = (plan: Plan): boolean => plan.type !== "items" || plan.entries.length > 0;

/** Question that waits for a person, with the current state of its tool call. */
export type PendingQuestion = { readonly toolCall: ToolCallEntry | undefined } & (
  | { readonly type: "permission"; readonly question: PendingPermission }
  | { readonly type: "elicitation"; readonly question: PendingElicitation }
);

/** Last result for a list of permission questions. The next state often contains the same list. */
const lastAsked = /* @__PURE__ */ new WeakMap<readonly PendingPermission[], readonly PendingQuestion[]>();

/**
 * Returns the questions that wait for a person: permissions, followed by forms and URLs. Each group begins with the
 * oldest. If the person has opened a URL, its question is left out; `state.pendingElicitations` contains it until the
 * task is done. Returns the same list as long as no question and no tool call of a question changes.
 */
export const pendingQuestions: (state: SessionState) => readonly PendingQuestion[] = /* @__PURE__ */ oncePer(
  (state: SessionState) => {
    const toolCallOf = (toolCallId: string | null | undefined): ToolCallEntry | undefined =>
      toolCallId == null ? undefined : (state.timeline.get(toolCallKey(toolCallId)) as ToolCallEntry | undefined);
    const questions: PendingQuestion[] = state.pendingPermissions.map((question) => {
      const { subject } = question;
      const about = (subject?.type === "tool_call" ? subject.toolCall : subject) as Partial<ToolCallPatch> | undefined;
      return { type: "permission", question, toolCall: toolCallOf(about?.toolCallId) };
    });
    for (const question of state.pendingElicitations) {
      if (question.status === "accepted") continue;
      questions.push({ type: "elicitation", question, toolCall: toolCallOf(question.toolCallId) });
    }
    const last = lastAsked.get(state.pendingPermissions) ?? NOTHING;
    const now = kept<readonly PendingQuestion[]>(last, questions);
    lastAsked.set(state.pendingPermissions, now);
    return now;
  },
);

const AUTH_REQUIRED = -32000;

/**
 * Returns `true` if the newest prompt failed because the agent requires a login (`-32000`). A login is valid for the
 * connection and all its sessions.
 */
export function needsLogin(state: SessionState): boolean {
  const asked = newest(state.timeline, (entry) => entry.type === "message" && entry.prompt !== undefined);
  const prompt = (asked as MessageEntry | undefined)?.prompt;
  const failed = prompt?.status === "failed" ? prompt : state.lastTurn;
  return failed?.error?.code === AUTH_REQUIRED;
}

/**
 * Returns the tool calls with one of the given statuses, oldest first. For the same timeline, the same list is
 * returned.
 */
export function toolCallsByStatus(
  state: SessionState,
  ...statuses: readonly ToolCallStatus[]
): readonly ToolCallEntry[] {
  const known = foundByStatus(state.timeline);
  const asked = JSON.stringify(statuses);
  let found = known.get(asked);
  if (found === undefined) {
    const all = [...state.timeline].filter(
      (entry): entry is ToolCallEntry => entry.type === "tool_call" && statuses.includes(entry.status),
    );
    found = all.length === 0 ? NOTHING : all;
    known.set(asked, found);
  }
  return found;
}

const foundByStatus = /* @__PURE__ */ oncePer((_: KeyedList<Entry>) => new Map<string, readonly ToolCallEntry[]>());

/** Shared empty list, so that an empty view is always the same object. */
export const NOTHING: readonly never[] = /* @__PURE__ */ Object.freeze([]);

/** Option as a menu: the current choice, and all choices without their groups. */
export type Choices = {
  readonly option: SelectOption;
  readonly current: ConfigChoice | undefined;
  readonly choices: readonly ConfigChoice[];
};

/** Returns the modes of the session, in every form in which an agent can offer them. */
export const selectModes = (state: SessionState): Choices | undefined => modesOf(state.configOptions ?? NOTHING);

/** Returns the models of the session, in every form in which an agent can offer them. */
export const selectModels = (state: SessionState): Choices | undefined => modelsOf(state.configOptions ?? NOTHING);

const modesOf = /* @__PURE__ */ oncePer((options: readonly ConfigOption[]) => menuOf(options, "mode"));
const modelsOf = /* @__PURE__ */ oncePer((options: readonly ConfigOption[]) => menuOf(options, "model"));

function menuOf(options: readonly ConfigOption[], category: string): Choices | undefined {
  const option = selectOf(options, category);
  if (option === undefined) return undefined;
  const choices = choicesOf(option);
  return { option, current: choices.find((choice) => choice.value === option.currentValue), choices };
}

/**
 * Returns the icons of a link that a user interface may fetch, in order. They have an address with `https:` or `data:`,
 * and fit the background if `theme` is given. Fetch them without credentials. Follow no redirect to another scheme or
 * origin. `mimeType` is more reliable than the type that the server sends.
 */
export function selectIcons(icons: readonly Icon[] | null | undefined, theme?: "light" | "dark"): readonly Icon[] {
  const fits = (icon: Icon) => theme === undefined || icon.theme == null || icon.theme === theme;
  return (icons ?? []).filter((icon) => /^(?:https|data):/i.test(icon.src) && fits(icon));
}

/**
 * Returns the name of the author of a user's message, if a gateway has sent it. The name is empty for an author without a
 * name. Returns `undefined` for a message of this side, and for sessions with one client.
 */
export function selectAuthor({ _meta, chunkMeta }: MessageEntry): string | undefined {
  const author = (_meta ?? chunkMeta)?.[AUTHOR];
  return typeof author === "string" ? author : undefined;
}
