import type { ContentBlock, Entry, ToolCallContent, ToolCallEntry } from "@turnkit/agent";
import { UNDO } from "../checkpoints/undo-command.js";
import { expandCommand, isCompactCommand } from "../commands.js";
import { membersOf } from "../members.js";
import type { AssistantPart, ConversationItem, ToolOutput, ToolResult } from "../model.js";
import type { OwnCommand } from "../own-commands/own-command.js";
import { WEB_SEARCH } from "../web-search/found.js";
import { summaryItem } from "./compaction.js";

/** Largest number of characters of an old output in the conversation. */
const MAX_OUTPUT = 20_000;

export type Recalling = {
  readonly own?: readonly OwnCommand[];
  /** Conversation before the first entry. */
  readonly before?: readonly ConversationItem[];
};

/**
 * Rebuilds the model's conversation from the log of a restored session. The result has the prompts, the answers, the
 * tool calls with the results that the user saw, and the summary in place of compacted items. Two things are lost:
 * thoughts, and texts that a tool read without showing them.
 */
export function recallConversation(
  { timeline }: { readonly timeline: Iterable<Entry> },
  { own = [], before = [] }: Recalling = {},
): ConversationItem[] {
  let items: ConversationItem[] = [...before];
  let said: AssistantPart[] = [];
  let results: ToolResult[] = [];
  let isUndone = false;
  const flush = () => {
    if (said.length > 0) items.push({ role: "assistant", content: said });
    if (results.length > 0) items.push({ role: "tool", content: results });
    said = [];
    results = [];
  };
  for (const entry of timeline) {
    if (entry.type === "message" && entry.role === "user") {
      flush();
      isUndone = false;
      items.push({ role: "user", content: expandCommand(entry.content.toArray(), own), promptId: entry.messageId });
    } else if (isUndone) {
      // The answer to `/undo` is for the user only.
    } else if (undoneBy(entry) !== undefined) {
      flush();
      const start = items.findIndex((item) => item.role === "user" && item.promptId === undoneBy(entry));
      if (start >= 0) items = items.slice(0, start);
      isUndone = true;
    } else if (entry.type === "message" && entry.role === "agent") {
      // Text after tool results belongs to the next answer.
      if (results.length > 0) flush();
      said.push({ type: "text", text: textOf(entry.content.toArray()) });
    } else if (entry.type === "tool_call" && entry.name === WEB_SEARCH) {
      // The provider ran this search, so it is not a call of a tool of the agent.
      if (results.length > 0) flush();
      said.push({ type: "text", text: textForModel(entry.rawOutput) ?? `[${entry.title}]` });
    } else if (entry.type === "tool_call") {
      said.push({
        type: "tool-call",
        toolCallId: entry.toolCallId,
        toolName: entry.name ?? "tool",
        input: entry.rawInput ?? {},
      });
      results.push({ toolCallId: entry.toolCallId, toolName: entry.name ?? "tool", output: outputOf(entry) });
    } else if (entry.type === "compaction" && entry.status === "completed") {
      flush();
      items = [summaryItem(textOf(entry.summary.toArray())), ...keptTurn(items)];
    }
  }
  flush();
  return items;
}

/**
 * Returns the items that a compaction left unchanged. For a compaction during a turn, these items are the prompt and
 * the steps after it. For `/compact`, there are no such items.
 */
function keptTurn(items: readonly ConversationItem[]): readonly ConversationItem[] {
  const start = items.findLastIndex(({ role }) => role === "user");
  const prompt = items[start];
  return prompt?.role === "user" && !isCompactCommand(prompt.content) ? items.slice(start) : [];
}

/** Returns the id of the prompt that a tool call took back. Returns `undefined` for every other entry. */
function undoneBy(entry: Entry): unknown {
  const isUndo = entry.type === "tool_call" && entry.name === UNDO && entry.status === "completed";
  return isUndo ? membersOf(entry.rawOutput).promptId : undefined;
}

function outputOf({ status, content, rawOutput }: ToolCallEntry): ToolOutput {
  const shown = content.toArray().flatMap(describe);
  const text = textForModel(rawOutput) ?? (shown.length > 0 ? shown : asJson(rawOutput)).join("\n");
  const kept = text.length > MAX_OUTPUT ? `${text.slice(0, MAX_OUTPUT)}\n[The rest was not kept.]` : text;
  if (status === "cancelled") return { type: "error", code: "cancelled", message: kept || "The call was cancelled." };
  if (status === "failed") return { type: "error", code: "failed", message: kept || "The call failed." };
  return { type: "text", value: kept || "[The output was not kept.]" };
}

/** Returns the text that a tool stored for the model; `undefined` if the tool stored none. */
function textForModel(rawOutput: unknown): string | undefined {
  const { text } = membersOf(rawOutput);
  return typeof text === "string" ? text : undefined;
}

const asJson = (value: unknown): readonly string[] => (value === undefined ? [] : [JSON.stringify(value)]);

function describe(item: ToolCallContent): readonly string[] {
  if (item.type === "content") return [textOf([item.content])];
  if (item.type === "diff") return item.changes.map(({ operation, path }) => `[${String(operation)} ${path}]`);
  return [];
}

function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (block.type === "text" ? block.text : `[${String(block.type)}]`)).join("");
}
