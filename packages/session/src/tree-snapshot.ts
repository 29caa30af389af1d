import { isObject } from "./codec/read.js";
import { createSnapshot, readSnapshot } from "./snapshot.js";
import { MAX_DEPTH, type Message, type Place, type SessionTree, type TreeNode, treeOf } from "./tree.js";

/** Tree as plain JSON, for a file or another process. Its form is not part of the API. */
export type TreeSnapshot = { readonly format: string; readonly [member: string]: unknown };

const FORMAT = "turnkit-tree/1";

/** Returns a tree as plain JSON. {@link readTreeSnapshot} converts it to an equal tree. */
export function createTreeSnapshot({ rootId, nodes, folded, waiting }: SessionTree): TreeSnapshot {
  const plain = [...nodes].map(({ state, ...place }) => ({ ...place, snapshot: createSnapshot(state) }));
  return { format: FORMAT, ...JSON.parse(JSON.stringify({ rootId, nodes: plain, folded, waiting })) };
}

/** Reads the snapshot of a tree. Returns `undefined` for any other value, even for links in a circle. Never throws. */
export function readTreeSnapshot(snapshot: unknown): SessionTree | undefined {
  if (!isObject(snapshot) || snapshot.format !== FORMAT) return undefined;
  const { rootId, nodes, folded, waiting } = snapshot;
  if (typeof rootId !== "string") return undefined;
  const open = listOf(nodes, nodeOf);
  const places = listOf(folded, placeOf);
  const messages = listOf(waiting, messageOf);
  if (open === undefined || places === undefined || messages === undefined) return undefined;
  return isTree(rootId, open, places) ? treeOf(rootId, open, places, messages) : undefined;
}

/** Returns `undefined` for a value that is not a list, and for a list with an item that cannot be read. */
function listOf<T>(value: unknown, read: (item: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(read).filter((item) => item !== undefined);
  return items.length === value.length ? items : undefined;
}

function nodeOf(value: unknown): TreeNode | undefined {
  const place = placeOf(value);
  if (place === undefined) return undefined;
  const { snapshot, ...rest } = place as Place & { readonly snapshot?: unknown };
  const { state } = readSnapshot(snapshot);
  return state && { ...rest, state };
}

function placeOf(value: unknown): Place | undefined {
  if (!isObject(value) || typeof value.sessionId !== "string" || typeof value.depth !== "number") return undefined;
  return value as Place;
}

function messageOf(value: unknown): Message | undefined {
  if (!isObject(value) || typeof value.sessionId !== "string" || !isObject(value.event)) return undefined;
  return typeof value.event.type === "string" ? (value as Message) : undefined;
}

/**
 * Returns true if each child session is one level below its parent, and is not deeper than the bound. An open session
 * is listed after its parent, and a folded session before a folded parent. Links in this order cannot form circles.
 */
function isTree(rootId: string, [root, ...children]: readonly Place[], folded: readonly Place[]): boolean {
  if (root?.sessionId !== rootId || root.parentId !== undefined || root.depth !== 0) return false;
  const isBelow = ({ parentId, depth }: Place, depths: ReadonlyMap<unknown, number>): boolean =>
    depth <= MAX_DEPTH && depths.get(parentId) === depth - 1;
  const open = new Map([[rootId, 0]]);
  for (const child of children) {
    if (open.has(child.sessionId) || !isBelow(child, open)) return false;
    open.set(child.sessionId, child.depth);
  }
  const known = new Map(open);
  const ids = new Set(folded.map(({ sessionId }) => sessionId));
  return (
    ids.size === folded.length &&
    folded.toReversed().every((place) => {
      const { sessionId, depth } = place;
      if (!isBelow(place, known)) return false;
      if (!open.has(sessionId)) known.set(sessionId, depth);
      return true;
    })
  );
}
