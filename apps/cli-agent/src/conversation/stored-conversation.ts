import type { ContentBlock, Entry, SessionState } from "@turnkit/agent";
import { expandCommand } from "../commands.js";
import type { AssistantPart, ConversationItem, ToolResult } from "../model.js";
import { textOfOutput } from "../tools/output-text.js";
import { type Recalling, recallConversation } from "./recall.js";

/** Prompt whose content is in the timeline of the session. */
type StoredPrompt = { readonly role: "user"; readonly promptId: string };
type StoredItem = ConversationItem | StoredPrompt;

/** Conversation of a model, in the form in which a log stores it with the session. */
export type StoredConversation = {
  readonly items: readonly StoredItem[];
  /** Id of the newest prompt when the conversation was stored. Later prompts are only in the timeline. */
  readonly through?: string;
};

type Past = Pick<SessionState, "timeline">;

/** Maximum size of a stored conversation in bytes of JSON. A log takes 1 MiB for all data of a session. */
const MAX_BYTES = 700 * 1024;

/** Length to which an old result of a tool is cut if the conversation is too large. */
const MAX_OLD_RESULT = 1_000;

/**
 * Returns a conversation for the log, with the results of tools. Prompts are left out, because the timeline has them.
 * Pictures become notes. Above the bound, the oldest results are cut, and then the oldest turns are left out.
 */
export function storeConversation(
  conversation: readonly ConversationItem[],
  { timeline }: Past,
  maxBytes = MAX_BYTES,
): StoredConversation {
  const known = promptsOf(timeline);
  const items = conversation.map((item): StoredItem => {
    if (item.role === "tool") return { ...item, content: item.content.map(withoutPicture) };
    if (item.role !== "user") return item;
    const { promptId } = item;
    if (promptId !== undefined && known.has(promptId)) return { role: "user", promptId };
    return { ...item, content: item.content.map(noted) };
  });
  const sizes = items.map(bytesOf);
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (let at = 0; at < items.length && total > maxBytes; at += 1) {
    const item = items[at];
    if (item === undefined || item.role === "user") continue;
    items[at] =
      item.role === "tool"
        ? { ...item, content: item.content.map(cutResult) }
        : { ...item, content: item.content.filter(({ type }) => type === "text" || type === "tool-call") };
    const size = bytesOf(items[at] as StoredItem);
    total += size - (sizes[at] ?? 0);
    sizes[at] = size;
  }
  let first = 0;
  while (total > maxBytes && first < items.length) {
    const next = items.findIndex(({ role }, at) => at > first && role === "user");
    const end = next < 0 ? items.length : next;
    total -= sizes.slice(first, end).reduce((sum, size) => sum + size, 0);
    first = end;
  }
  const through = [...known.keys()].at(-1);
  return { items: items.slice(first), through };
}

/**
 * Returns the conversation of a restored session: the stored conversation, and then the turns that only the timeline
 * has, such as a turn during which the agent was killed. Without stored data, only the timeline is used.
 *
 * @param past state of the session after its restore, before its next prompt
 */
export function restoreConversation(
  past: Past,
  { stored, own = [] }: { readonly stored: StoredConversation | undefined } & Pick<Recalling, "own">,
): ConversationItem[] {
  if (!isStored(stored)) return recallConversation(past, { own });
  const prompts = promptsOf(past.timeline);
  const items = stored.items.map((item): ConversationItem => {
    if (item.role !== "user" || "content" in item) return item;
    const content = prompts.get(item.promptId) ?? [{ type: "text", text: "[This message was not kept.]" }];
    return { role: "user", content: expandCommand(content, own), promptId: item.promptId };
  });
  return recallConversation({ timeline: entriesAfter(past, stored.through) }, { own, before: items });
}

/** Returns the entries after the turn of the prompt `through`. */
function* entriesAfter({ timeline }: Past, through: string | undefined): Generator<Entry> {
  // If the timeline does not contain the prompt, the state has dropped it, or there was no prompt.
  let isBefore = through !== undefined;
  let isNewer = through === undefined;
  for (const entry of timeline) {
    const promptId = entry.type === "message" && entry.role === "user" ? entry.messageId : undefined;
    if (promptId !== undefined && !isBefore) isNewer = true;
    if (promptId === through) isBefore = false;
    if (isNewer) yield entry;
  }
}

function promptsOf(timeline: Past["timeline"]): ReadonlyMap<string, readonly ContentBlock[]> {
  const prompts = new Map<string, readonly ContentBlock[]>();
  for (const entry of timeline) {
    if (entry.type !== "message" || entry.role !== "user" || entry.messageId === undefined) continue;
    prompts.set(entry.messageId, entry.content.toArray());
  }
  return prompts;
}

function withoutPicture(result: ToolResult): ToolResult {
  const { output } = result;
  if (output.type !== "picture") return result;
  return { ...result, output: { type: "text", value: `${output.text} It was not kept: read it again.` } };
}

function noted(block: ContentBlock): ContentBlock {
  const isBinary =
    block.type === "image" || block.type === "audio" || (block.type === "resource" && "blob" in block.resource);
  return isBinary ? { type: "text", text: `[An attachment (${block.type}) was not kept.]` } : block;
}

function cutResult(result: ToolResult): ToolResult {
  const text = textOfOutput(result.output);
  if (text.length <= MAX_OLD_RESULT) return result;
  const value = `${text.slice(0, MAX_OLD_RESULT)}\n[The rest was not kept: call the tool again if you need it.]`;
  return { ...result, output: { type: "text", value } };
}

const bytesOf = (item: StoredItem): number => Buffer.byteLength(JSON.stringify(item));

/** Returns `true` for data of this form. Another version of the program may have stored other data. */
function isStored(stored: StoredConversation | undefined): stored is StoredConversation {
  const isPart = (part: Partial<AssistantPart & ToolResult> | null) => typeof part === "object" && part !== null;
  const isItem = (item: Partial<ConversationItem> | null) =>
    /^(?:user|assistant|tool)$/.test(item?.role ?? "") &&
    (Array.isArray(item?.content) ? item.content.every(isPart) : item?.role === "user" && "promptId" in item);
  return Array.isArray(stored?.items) && stored.items.every(isItem);
}
