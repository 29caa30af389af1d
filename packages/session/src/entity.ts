import type { ContentBlock } from "./content.js";
import { kept, patchedMeta, same } from "./patch.js";
import { append, emptySequence } from "./persistent-list.js";
import type { ToolCallContent } from "./tool-call.js";
import type { PersistentList } from "./vector.js";

/** Functions that check the items in each list of an entity. */
export type Lists = { readonly [member: string]: ((item: never) => boolean) | null } & { readonly __proto__: null };

const NO_LISTS: Lists = { __proto__: null };

/** Rules for a patch: the members of a new entity, and its lists. */
export type Patching = { readonly fresh?: object; readonly lists?: Lists };

/** Members that do not belong to the entity's content. They form the patch, or only the reducer sets them. */
const APART: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "__proto__",
  "type",
  "key",
  "at",
  "extra",
  "role",
  "prompt",
  "dropped",
  "text",
  "textBytes",
  "droppedBytes",
  "pendingBytes",
]);

/**
 * Returns the entity after a patch. An absent member is not changed, `null` resets it to its value in `fresh`, and any
 * other value replaces it. Metadata is patched by its keys. If nothing changes, the same entity is returned.
 */
export function patchedBy<T extends object>(
  entity: T,
  patch: object,
  { fresh = {}, lists = NO_LISTS }: Patching = {},
): T {
  const before = entity as { readonly [member: string]: unknown };
  let next: { [member: string]: unknown } | undefined;
  for (const member in patch) {
    const said = (patch as typeof before)[member];
    if (said === undefined || APART.has(member)) continue;
    const current = before[member];
    const fits = lists[member];
    const value =
      member === "_meta"
        ? patchedMeta(current as undefined, said as null)
        : fits
          ? replacedList(current, said, fits as (item: unknown) => boolean)
          : kept(current, said ?? (fresh as typeof before)[member]);
    if (value === current) continue;
    next ??= { ...before };
    next[member] = value;
    // The agent sent the list again, so it is complete. A tool call may have dropped other parts too.
    if (fits && before.type !== "tool_call") next.dropped = undefined;
  }
  return (next as T | undefined) ?? entity;
}

/**
 * Replaces a list with an array. `null` empties the list. Malformed items are left out. Lists and items that are equal
 * to the previous ones keep their identity.
 */
function replacedList(current: unknown, said: unknown, fits: (item: unknown) => boolean): unknown {
  if (!Array.isArray(said) && said !== null) return current;
  const items = (said ?? []).filter(fits);
  if (Array.isArray(current)) return kept<unknown>(current, items);
  const sequence = current as PersistentList<unknown>;
  let next = emptySequence<unknown>();
  let differs = items.length !== sequence.length;
  for (const item of items) {
    const before = sequence.at(next.length);
    const stays = same(before, item);
    differs ||= !stays;
    next = append(next, stays ? before : item);
  }
  return differs ? next : current;
}

/** Returns `true` if a value has a path. */
export const hasPath = (value: { readonly path?: unknown } | null): boolean => typeof value?.path === "string";

/**
 * Returns `true` if a value can be part of a message. It is an object with a `type`, and a text block must have its
 * text.
 */
export function isContentBlock(value: unknown): value is ContentBlock {
  const block = value as { readonly type?: unknown; readonly text?: unknown } | null | undefined;
  return typeof block?.type === "string" && (block.type !== "text" || typeof block.text === "string");
}

/** Returns `true` if a value can be part of the content of a tool call. */
export function isToolCallContent(value: unknown): value is ToolCallContent {
  const item = value as { readonly [member: string]: unknown } | null | undefined;
  if (typeof item?.type !== "string") return false;
  if (item.type === "content") return isContentBlock(item.content);
  if (item.type === "diff") return Array.isArray(item.changes) && item.changes.every(hasPath);
  return item.type !== "terminal" || typeof item.terminalId === "string";
}
