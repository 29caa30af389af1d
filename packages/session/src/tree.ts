import type { SubagentPatch } from "./activity.js";
import { bytesOf } from "./bytes.js";
import { noted } from "./change.js";
import { createSessionState } from "./create-session-state.js";
import type { SessionEvent } from "./event.js";
import { keyedOf } from "./keyed-list.js";
import { mirroredState } from "./mirrored-state.js";
import { reduce, reduceAll } from "./reduce.js";
import type { SessionState } from "./state.js";
import type { KeyedList, Vector } from "./vector.js";

/** Maximum depth of a child session. The root has the depth 0. */
export const MAX_DEPTH = 16;
/** Maximum number of child sessions of one root. */
const MAX_CHILDREN = 1024;
/** Number of idle child sessions that are removed together ("folded") if a tree is full. */
const SURPLUS = 64;
/** Maximum number of folded child sessions that may come back. */
const MAX_FOLDED = 4096;
/** Maximum number of updates that wait for the announcement of their session. */
const MAX_WAITING = 1000;
/** Maximum estimated size of these updates, in bytes. */
const MAX_WAITING_BYTES = 8_388_608;

/** Estimated size of lists of waiting updates. */
const waitingBytes = /* @__PURE__ */ new WeakMap<readonly Message[], number>();

/** Session of a tree. */
export type TreeNode = {
  readonly sessionId: string;
  /** Absent for the root. */
  readonly parentId?: string;
  /** Number of ancestors. */
  readonly depth: number;
  readonly state: SessionState;
};

export type Place = Omit<TreeNode, "state">;
export type Message = { readonly sessionId: string; readonly event: SessionEvent };

/** A session and all of its child sessions, as plain readonly data. Old trees stay valid. */
export type SessionTree = {
  readonly rootId: string;
  /** Sessions by id: the root, then the child sessions in the order of their announcements. */
  readonly nodes: KeyedList<TreeNode>;
  /**
   * Child sessions that were dropped from a full tree. The parent's `state.subagents` still has them. A new event opens
   * such a session again, with an empty timeline. Its item here stays.
   */
  readonly folded: KeyedList<Place>;
  /** Events of sessions that are not announced yet. */
  readonly waiting: readonly Message[];
};

const noNodes: KeyedList<TreeNode> = /* @__PURE__ */ keyedOf({
  names: ({ sessionId }: TreeNode) => [sessionId],
  // A state counts its own size.
  weigh: () => 0,
});
const noPlaces: KeyedList<Place> = /* @__PURE__ */ keyedOf({ names: ({ sessionId }: Place) => [sessionId] });

/** Creates the tree of a session without child sessions. */
export function createSessionTree(rootId: string, state: SessionState = createSessionState()): SessionTree {
  return treeOf(rootId, [{ sessionId: rootId, depth: 0, state }]);
}

/** Returns a tree of the given parts. The first node is the root. */
export function treeOf(
  rootId: string,
  nodes: Iterable<TreeNode>,
  folded: Iterable<Place> = [],
  waiting: readonly Message[] = [],
): SessionTree {
  return {
    rootId,
    nodes: (noNodes as Vector<TreeNode>).of(nodes),
    folded: (noPlaces as Vector<Place>).of(folded),
    waiting,
  };
}

/**
 * Returns the tree after events of its sessions, in the order of the wire. Each session has its own state, as from
 * `reduceAll`.
 *
 * - A `subagent_update` announces a child session. Events that arrive before the announcement wait, up to 1 000 and up to
 *   about 8 MiB.
 * - A child session never gets another parent.
 * - A tree has at most 1 024 child sessions, up to the depth 16. If it is full, the oldest idle child sessions are
 *   removed.
 */
export function reduceTree(tree: SessionTree, messages: Iterable<Message>): SessionTree {
  const alone = Array.isArray(messages) && messages.length === 1 ? reduceOne(tree, messages[0]) : undefined;
  if (alone !== undefined) return alone;
  const growth = new Growth(tree);
  for (const { sessionId, event } of messages) growth.add(sessionId, event);
  return growth.end();
}

/** Returns the tree after one event of a known session, without any collection. Most updates are such events. */
function reduceOne(tree: SessionTree, { sessionId, event }: Message): SessionTree | undefined {
  const position = tree.nodes.indexOf(sessionId);
  const node = tree.nodes.at(position);
  if (position < 0 || node === undefined || event.type === "subagent_update") return undefined;
  const state = reduce(node.state, event);
  if (state === node.state) return tree;
  const { rootId, folded, waiting } = tree;
  return { rootId, nodes: (tree.nodes as Vector<TreeNode>).set(position, nodeOf(node, state), 0), folded, waiting };
}

/** Returns a node with a state. All nodes have one of two shapes in V8. A spread would create further shapes. */
function nodeOf({ sessionId, parentId, depth }: Place, state: SessionState): TreeNode {
  return parentId === undefined ? { sessionId, depth, state } : { sessionId, parentId, depth, state };
}

/** Events of a tree, collected for each session. They are reduced when the state of the session is needed. */
class Growth {
  readonly #tree: SessionTree;
  #nodes: Vector<TreeNode>;
  #folded: Vector<Place>;
  #waiting: readonly Message[];
  readonly #runs = new Map<string, SessionEvent[]>();

  constructor(tree: SessionTree) {
    this.#tree = tree;
    this.#nodes = tree.nodes as Vector<TreeNode>;
    this.#folded = tree.folded as Vector<Place>;
    this.#waiting = tree.waiting;
  }

  add(sessionId: string, event: SessionEvent): void {
    const run = this.#runs.get(sessionId);
    if (run === undefined && !this.#nodes.has(sessionId)) {
      const place = this.#folded.get(sessionId);
      if (place === undefined) return this.#wait(sessionId, event);
      if (!this.#open(place)) return;
    }
    if (event.type === "subagent_update" && typeof event.sessionId === "string") this.#announce(sessionId, event);
    else if (run !== undefined) run.push(event);
    else this.#runs.set(sessionId, [event]);
  }

  end(): SessionTree {
    for (const id of this.#runs.keys()) this.#settle(id);
    const { rootId, nodes, folded, waiting } = this.#tree;
    const isSame = nodes === this.#nodes && folded === this.#folded && waiting === this.#waiting;
    return isSame ? this.#tree : { rootId, nodes: this.#nodes, folded: this.#folded, waiting: this.#waiting };
  }

  // P-SUB-03, P-SUB-04
  #announce(parentId: string, event: SubagentPatch & SessionEvent): void {
    const { sessionId } = event;
    const known = this.#nodes.get(sessionId) ?? this.#folded.get(sessionId);
    const owner = known?.parentId ?? parentId;
    if (known !== undefined && known.parentId !== parentId) {
      this.#note(parentId, "a child session cannot get another parent", sessionId);
      // The root is not a child.
      if (known.parentId === undefined) return;
    }
    // The parent of a known child may itself be folded.
    if (this.#nodes.has(owner)) this.#push(owner, event);
    if (known === undefined && !this.#open({ sessionId, parentId, depth: this.#depth(parentId) + 1 })) return;
    if (event.state === undefined || !this.#nodes.has(sessionId)) return;
    const child = this.#settle(sessionId);
    const mirrored = child && mirroredState(child.state, event.state);
    if (mirrored) this.#push(sessionId, mirrored);
  }

  #push(sessionId: string, event: SessionEvent): void {
    const run = this.#runs.get(sessionId);
    if (run === undefined) this.#runs.set(sessionId, [event]);
    else run.push(event);
  }

  /** Adds a child session. Returns `false` if the tree has no place for it. */
  // P-SUB-19
  #open(place: Place): boolean {
    const { sessionId, parentId = this.#tree.rootId, depth } = place;
    if (depth > MAX_DEPTH) return this.#refuse(parentId, `a child session below depth ${MAX_DEPTH}`, sessionId);
    const above = this.#above(place);
    if (above !== undefined && !this.#open(above)) return false;
    // The root is a node too.
    if (this.#nodes.length > MAX_CHILDREN && !this.#fold(parentId))
      return this.#refuse(parentId, `more than ${MAX_CHILDREN} child sessions at work`, sessionId);
    this.#nodes = this.#nodes.push(nodeOf(place, createSessionState(this.#nodes.at(0)?.state.limits)));
    const early = this.#waiting.filter((message) => message.sessionId === sessionId);
    if (early.length === 0) return true;
    this.#waiting = this.#waiting.filter((message) => message.sessionId !== sessionId);
    for (const { event } of early) this.add(sessionId, event);
    return true;
  }

  #refuse(parentId: string, what: string, about: string): false {
    this.#note(parentId, what, about);
    return false;
  }

  /**
   * Drops the oldest child sessions that are idle and have no child sessions. Returns `false` if there are none.
   *
   * @param newParent parent of the session for which there is no place
   */
  #fold(newParent: string): boolean {
    for (const id of this.#runs.keys()) this.#settle(id);
    const parents = new Set([...this.#nodes].map(({ parentId }) => parentId)).add(newParent);
    let left = SURPLUS;
    const gone: Place[] = [];
    const stay = [...this.#nodes].filter(({ state, ...place }) => {
      const isFolded = left > 0 && place.parentId !== undefined && !parents.has(place.sessionId) && isQuiet(state);
      if (!isFolded) return true;
      left -= 1;
      gone.push(place);
      return false;
    });
    if (gone.length === 0) return false;
    this.#nodes = this.#nodes.of(stay);
    const again = new Set(gone.map(({ sessionId }) => sessionId).filter((id) => this.#folded.has(id)));
    if (again.size > 0)
      this.#folded = this.#folded.of([...this.#folded].filter(({ sessionId }) => !again.has(sessionId)));
    for (const place of gone) this.#folded = this.#folded.push(place);
    // A session is folded before its parent, so the oldest folded sessions have no folded child sessions. A quarter of
    // the list is removed as a whole, because each change copies the list.
    if (this.#folded.length > MAX_FOLDED)
      this.#folded = this.#folded.of([...this.#folded].slice((MAX_FOLDED / -4) * 3));
    return true;
  }

  /** Returns the place of the parent, unless the parent is open. */
  #above({ parentId = this.#tree.rootId }: Place): Place | undefined {
    return this.#nodes.has(parentId) ? undefined : this.#folded.get(parentId);
  }

  /** Reduces the collected events of a session. */
  #settle(sessionId: string): TreeNode | undefined {
    const position = this.#nodes.indexOf(sessionId);
    const node = this.#nodes.at(position);
    const run = this.#runs.get(sessionId);
    if (position < 0 || node === undefined) return undefined;
    if (run === undefined) return node;
    this.#runs.delete(sessionId);
    const state = reduceAll(node.state, run);
    if (state === node.state) return node;
    const next = nodeOf(node, state);
    this.#nodes = this.#nodes.set(position, next, 0);
    return next;
  }

  // P-SUB-18
  #wait(sessionId: string, event: SessionEvent): void {
    const bytes = sizeOf(this.#waiting) + bytesOf(event);
    if (this.#waiting.length < MAX_WAITING && bytes <= MAX_WAITING_BYTES) {
      this.#waiting = [...this.#waiting, { sessionId, event }];
      waitingBytes.set(this.#waiting, bytes);
    } else this.#note(this.#tree.rootId, "an update of a session that was not announced", sessionId);
  }

  #note(sessionId: string, what: string, about: string): void {
    const node = this.#settle(sessionId);
    const position = this.#nodes.indexOf(sessionId);
    if (node === undefined) return;
    this.#nodes = this.#nodes.set(position, nodeOf(node, noted(node.state, what, about)), 0);
  }

  #depth(sessionId: string): number {
    return this.#nodes.get(sessionId)?.depth ?? 0;
  }
}

function sizeOf(waiting: readonly Message[]): number {
  const known = waitingBytes.get(waiting) ?? waiting.reduce((sum, { event }) => sum + bytesOf(event), 0);
  waitingBytes.set(waiting, known);
  return known;
}

const isQuiet = ({ activity, pendingPermissions, pendingElicitations }: SessionState): boolean =>
  activity.state === "idle" &&
  !activity.background?.length &&
  pendingPermissions.length + pendingElicitations.length === 0;
