import type { ContentBlock } from "../content.js";
import { same } from "../patch.js";
import { append, emptySequence, type Sequence } from "../sequence.js";
import type { ToolCallContent } from "../tool-call.js";

const isTagged = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** Whether a value can stand in a message: anything with a `type`, known or not, and text only with a text. */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (typeof value !== "object" || value === null) return false;
  const block = value as { readonly type?: unknown; readonly text?: unknown };
  return typeof block.type === "string" && (block.type !== "text" || typeof block.text === "string");
}

/** Whether a value can stand in a tool call's content. */
export function isToolCallContent(value: unknown): value is ToolCallContent {
  if (!isTagged(value)) return false;
  const item = value as { type: string; content?: unknown; changes?: unknown; terminalId?: unknown };
  if (item.type === "content") return isContentBlock(item.content);
  if (item.type === "diff") return Array.isArray(item.changes) && item.changes.every(isChange);
  return item.type !== "terminal" || typeof item.terminalId === "string";
}

const isChange = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof (value as { path?: unknown }).path === "string";

/**
 * A list member of an upsert: left out it stays, `null` and `[]` empty it, an array replaces it. Items that cannot stand
 * there are left out; a list that says the same keeps its identity, and an item that does keeps its own.
 */
export function listPatched<T>(
  current: Sequence<T>,
  patch: readonly T[] | null | undefined,
  fits: (item: unknown) => item is T,
): Sequence<T> {
  if (patch === undefined) return current;
  if (!Array.isArray(patch)) return patch === null && current.length > 0 ? emptySequence() : current;
  let next = emptySequence<T>();
  let changed = false;
  for (const item of patch) {
    if (!fits(item)) continue;
    const before = current.at(next.length);
    const stays = next.length < current.length && same(before, item);
    if (!stays) changed = true;
    next = append(next, stays ? (before as T) : item);
  }
  return changed || next.length !== current.length ? next : current;
}
