import type { SubagentState } from "./activity.js";
import type { Entry, ToolCallEntry } from "./entry.js";
import type { Nesting } from "./nesting.js";
import { NOTHING } from "./select.js";
import type { SessionState } from "./state.js";
import type { SessionTree, TreeNode } from "./tree.js";

/** Maximum depth of a tool call below its session. Deeper calls are shown at this depth. */
const MAX_CALL_DEPTH = 16;

/** Session of a tree, or tool call with nested work, as a user interface shows it. */
export type TreeItem = {
  /** Id of the session, or key of the tool call in the timeline of its session. */
  readonly id: string;
  /** Id of the session that contains the entries. */
  readonly sessionId: string;
  /** Absent for the root. */
  readonly parentId?: string;
  /** Number of ancestors. */
  readonly depth: number;
  /** Titles of the ancestors and of this item, the root first. Items without a title are left out. */
  readonly titles: readonly string[];
  /** Announcement of a child session, which has its title and capabilities. */
  readonly subagent?: SubagentState;
  /** Tool call with nested work. Absent for a session. */
  readonly toolCall?: ToolCallEntry;
  /** Entries of this item, without the entries of nested items. */
  readonly entries: Iterable<Entry>;
  /** `true` if this item or an item below it works, also in the background. */
  readonly isBusy: boolean;
  /** `true` if this item or an item below it waits for the user. */
  readonly needsAction: boolean;
};

/** Tree as a user interface shows it. */
export type TreeView = {
  /** All items. Each item is followed by the items below it. */
  readonly items: readonly TreeItem[];
  get(id: string): TreeItem | undefined;
  /** Returns the items directly below an item, in the order of their start. */
  childrenOf(id: string): readonly TreeItem[];
};

type Draft = { -readonly [K in keyof TreeItem]: TreeItem[K] };

/**
 * Returns a view of a tree. With a selector of {@link createNestingSelector}, tool calls with nested work are items
 * too. Some agents of version 1 report the work of subagents in this form.
 */
// P-SUB-19
export function selectTree(tree: SessionTree, selectNesting?: (state: SessionState) => Nesting): TreeView {
  const below = new Map<string, TreeNode[]>();
  for (const node of tree.nodes) {
    if (node.parentId === undefined) continue;
    const siblings = below.get(node.parentId);
    if (siblings === undefined) below.set(node.parentId, [node]);
    else siblings.push(node);
  }
  const items: Draft[] = [];
  const byId = new Map<string, Draft>();
  const children = new Map<string, Draft[]>();
  const place = (item: Draft, parent: Draft | undefined): Draft => {
    items.push(item);
    if (!byId.has(item.id)) byId.set(item.id, item);
    if (parent === undefined) return item;
    const siblings = children.get(parent.id);
    if (siblings === undefined) children.set(parent.id, [item]);
    else siblings.push(item);
    return item;
  };
  const visit = ({ sessionId, state }: TreeNode, parent?: Draft, subagent?: SubagentState): Draft => {
    const title = subagent?.title ?? state.title;
    const titles = [...(parent?.titles ?? []), ...(title ? [title] : [])];
    const nesting = selectNesting?.(state);
    const item = place(
      {
        id: sessionId,
        sessionId,
        ...(parent && { parentId: parent.id }),
        depth: parent ? parent.depth + 1 : 0,
        titles,
        ...(subagent && { subagent }),
        entries: nesting?.roots ?? state.timeline,
        isBusy: isWorking(state),
        needsAction: needsUser(state),
      },
      parent,
    );
    if (nesting !== undefined) visitCalls(nesting.roots, nesting, item);
    for (const node of below.get(sessionId) ?? NOTHING) {
      const child = visit(node, item, state.subagents.get(node.sessionId));
      item.isBusy ||= child.isBusy;
      item.needsAction ||= child.needsAction;
    }
    return item;
  };
  /** Adds the tool calls with nested entries. A tool call is later than its parent, so there are no circles. */
  const visitCalls = (entries: readonly Entry[], nesting: Nesting, top: Draft): void => {
    const open = entries.map((entry) => ({ entry, parent: top })).reverse();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { entry, parent } = next;
      const nested = entry.type === "tool_call" ? nesting.childrenOf(entry.key) : NOTHING;
      if (entry.type !== "tool_call" || nested.length === 0) continue;
      const title = entry.title ?? entry.name;
      const item = place(
        {
          id: entry.key,
          sessionId: top.sessionId,
          parentId: parent.id,
          depth: parent.depth + 1,
          titles: [...parent.titles, ...(title ? [title] : [])],
          toolCall: entry,
          entries: nested,
          isBusy: entry.status === "pending" || entry.status === "in_progress",
          needsAction: false,
        },
        parent,
      );
      const above = item.depth - top.depth < MAX_CALL_DEPTH ? item : parent;
      for (const one of nested.toReversed()) open.push({ entry: one, parent: above });
    }
  };
  const [root] = tree.nodes;
  if (root !== undefined) visit(root);
  return {
    items,
    get: (id) => byId.get(id),
    childrenOf: (id) => children.get(id) ?? NOTHING,
  };
}

// P-BG-06
const isWorking = ({ activity }: SessionState): boolean =>
  activity.state !== "idle" || (activity.background?.length ?? 0) > 0;

const needsUser = ({ activity, pendingPermissions, pendingElicitations }: SessionState): boolean =>
  activity.state === "requires_action" ||
  pendingPermissions.length > 0 ||
  pendingElicitations.some(({ status }) => status !== "accepted");
