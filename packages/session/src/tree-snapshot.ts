import { isObject } from "./codec/read.js";
import { createSnapshot, readSnapshot } from "./snapshot.js";
import { type SessionTree, type TreeNode, treeOf } from "./tree.js";

/** Tree as plain JSON, for a file or another process. Its form is not part of the API. */
export type TreeSnapshot = { readonly format: string; readonly [member: string]: unknown };

const FORMAT = "turnkit-tree/1";

/** Returns a tree as plain JSON. {@link readTreeSnapshot} converts it to an equal tree. */
export function createTreeSnapshot({ rootId, nodes, folded, waiting }: SessionTree): TreeSnapshot {
  const plain = [...nodes].map(({ state, ...place }) => ({ ...place, snapshot: createSnapshot(state) }));
  return { format: FORMAT, ...JSON.parse(JSON.stringify({ rootId, nodes: plain, folded, waiting })) };
}

/** Reads the snapshot of a tree. Returns `undefined` for any other value. Never throws. */
export function readTreeSnapshot(snapshot: unknown): SessionTree | undefined {
  if (!isObject(snapshot) || snapshot.format !== FORMAT) return undefined;
  const { rootId, nodes, folded, waiting } = snapshot;
  if (typeof rootId !== "string" || ![nodes, folded, waiting].every(Array.isArray)) return undefined;
  const read = (nodes as readonly unknown[]).map(nodeOf).filter((node) => node !== undefined);
  const isWhole = read.length === (nodes as readonly unknown[]).length && read[0]?.sessionId === rootId;
  const named = (list: unknown) =>
    (list as readonly unknown[]).filter((one) => isObject(one) && typeof one.sessionId === "string");
  return isWhole ? treeOf(rootId, read, named(folded) as never[], named(waiting) as never[]) : undefined;
}

function nodeOf(value: unknown): TreeNode | undefined {
  if (!isObject(value)) return undefined;
  const { snapshot, ...place } = value;
  const { state } = readSnapshot(snapshot);
  if (state === undefined || typeof place.sessionId !== "string" || typeof place.depth !== "number") return undefined;
  return { ...(place as Omit<TreeNode, "state">), state };
}
