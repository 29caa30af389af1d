import type { ContentBlock } from "./content.js";
import { kept, patched, patchedMeta, same } from "./patch.js";
import { append, emptySequence, type Sequence } from "./sequence.js";

/** The next value of a member of which a patch says something: its value so far, and what is said. */
export type Rule = (current: never, said: never) => unknown;

/** How the members of one kind of entity are patched; what has no rule is not patched. */
export type Rules = { readonly [member: string]: Rule };

type Apply = (current: unknown, said: unknown) => unknown;

/** The entity with what a patch says of it: a member that is left out stays. The same entity if that is nothing new. */
export function patchedBy<T extends object>(entity: T, rules: Rules, patch: object): T {
  const before = entity as { readonly [member: string]: unknown };
  const said = patch as { readonly [member: string]: unknown };
  let next: { [member: string]: unknown } | undefined;
  for (const member in said) {
    if (said[member] === undefined || !Object.hasOwn(rules, member)) continue;
    const value = (rules[member] as Apply)(before[member], said[member]);
    if (value === before[member]) continue;
    next ??= { ...before };
    next[member] = value;
  }
  return (next as T | undefined) ?? entity;
}

/** A value replaces the one before; `null` clears it. */
export const replace: Rule = patched;

/** A value replaces the one before; `null` sets it back. */
export const replaceOr =
  (otherwise: unknown): Rule =>
  (_, said: unknown) =>
    said ?? otherwise;

/** Metadata is patched key by key. */
export const merge: Rule = patchedMeta;

/** An array replaces the one before, and `null` empties it; objects without a `path` are left out. */
export const replacePlaces: Rule = (current: readonly unknown[] = [], said: unknown) =>
  Array.isArray(said) || said === null ? kept(current, (said ?? []).filter(hasPath)) : current;

/** Whether a value says which file it is about. */
export const hasPath = (value: { readonly path?: unknown } | null): boolean => typeof value?.path === "string";

/** One more item of a list. */
export const add: Rule = append;

/**
 * An array replaces a list, `null` empties it. Items that cannot stand there are left out; a list that says the same
 * keeps its identity, and an item that does keeps its own.
 */
export function replaceList<T>(fits: (item: unknown) => item is T): Rule {
  return (current: Sequence<T> = emptySequence(), said: unknown): Sequence<T> => {
    if (!Array.isArray(said) && said !== null) return current;
    let next = emptySequence<T>();
    let differs = false;
    for (const item of (said ?? []).filter(fits)) {
      const before = current.at(next.length);
      const stays = same(before, item);
      differs ||= !stays;
      next = append(next, stays ? (before as T) : item);
    }
    return differs || next.length !== current.length ? next : current;
  };
}

/** Whether a value can stand in a message: anything with a `type`, known or not, and text only with a text. */
export function isContentBlock(value: unknown): value is ContentBlock {
  const block = value as { readonly type?: unknown; readonly text?: unknown } | null | undefined;
  return typeof block?.type === "string" && (block.type !== "text" || typeof block.text === "string");
}

/** The blocks of a message or a summary. */
export const replaceBlocks: Rule = /* @__PURE__ */ replaceList(isContentBlock);
