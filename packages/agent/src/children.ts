import type { BackgroundWork, SessionState, StateLimits, ToolCallContent, WireEvent } from "@turnkit/session";
import type { Loss } from "@turnkit/session/codec";
import { AcpError, type Connection, type Diagnostic } from "@turnkit/transport";
import type { CancellableWork } from "./cancellable-work.js";
import type { Driver } from "./driver/driver.js";
import type { SessionOutput } from "./session-output.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

/** Bounds of a tree of sessions. */
// P-SUB-19
const MAX_DEPTH = 16;
const MAX_CHILDREN = 1024;

/** Members of a child session that its parent and its connection use. */
export type ChildMember = {
  readonly id: string;
  /** True while the child session works, also in the background. */
  readonly isBusy: boolean;
  /** True if the client may cancel the work. */
  readonly isCancellable: boolean;
  readonly cancellable: CancellableWork;
  cancel(): void;
  settle(): void;
  reportUnfinished(): void;
  close(): void;
};

/** Child sessions of one connection, by id. */
export type ChildTable = Map<string, ChildMember>;

/** Session or child session that opens a child session. */
export type ChildOwner = {
  readonly id: string;
  readonly driver: Driver;
  readonly output: SessionOutput;
  readonly children: Children;
  readonly background: readonly BackgroundWork[] | undefined;
  /** True while a child session sends nothing. */
  readonly isOver?: boolean;
  /** True while the work is cancelled. Work of child sessions that begins now is cancelled too. */
  readonly isCancelled: boolean;
  toolCall(start: ToolCallStart): ToolCall;
  /** Returns true if the background work of this session or of an ancestor lists a child session. */
  lists(childId: string): boolean;
  /**
   * Updates the lists of background work of this session and its ancestors, after the end of work or after `forget()`
   * of a child session.
   */
  relist(forgotten?: string): void;
};

/** Parts that the child sessions of one connection share. */
export type ChildParts = {
  readonly connection: Connection;
  readonly limits: Partial<StateLimits>;
  readonly cancelGraceMs: number;
  readonly table: ChildTable;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly lost: (loss: Loss, sessionId: string) => void;
};

type TreeOwner = Pick<ChildOwner, "id" | "lists"> & { readonly state: SessionState };

/** Child sessions of one session or child session. */
export class Children {
  readonly depth: number;
  readonly #owner: TreeOwner;
  readonly #table: ChildTable;
  /** Child sessions of the parent. `undefined` for the root. */
  readonly #above: Children | undefined;
  /** All child sessions of the root, at any depth. */
  readonly #tree: Set<ChildMember>;
  readonly #own = new Set<ChildMember>();

  constructor(owner: TreeOwner, table: ChildTable, above?: Children) {
    this.#owner = owner;
    this.#table = table;
    this.#above = above;
    this.depth = above === undefined ? 0 : above.depth + 1;
    this.#tree = above === undefined ? new Set() : above.#tree;
  }

  /**
   * Returns true for the root, and for each child session that this connection knows, or that this state or the state
   * of an ancestor contains.
   */
  knows(sessionId: string): boolean {
    if (this.#table.has(sessionId) || this.#owner.state.subagents.has(sessionId)) return true;
    return this.#above === undefined ? this.#owner.id === sessionId : this.#above.knows(sessionId);
  }

  /** @throws AcpError `state` above 1 024 child sessions of the root, and above 16 levels of child sessions */
  mustTake(): void {
    if (this.depth < MAX_DEPTH && this.#tree.size < MAX_CHILDREN) return;
    const remedy = "Call forget() of child sessions that are done.";
    throw new AcpError("state", `There are ${MAX_CHILDREN} child sessions, or ${MAX_DEPTH} levels. ${remedy}`);
  }

  add(child: ChildMember): void {
    this.#own.add(child);
    this.#tree.add(child);
    this.#table.set(child.id, child);
  }

  remove(child: ChildMember): void {
    this.#own.delete(child);
    this.#tree.delete(child);
    this.#table.delete(child.id);
  }

  /** Cancels the work of child sessions, except listed background work. The deepest child sessions are first. */
  // P-SUB-13, P-BG-04
  cancel(): void {
    for (const child of this.#own) if (!this.#owner.lists(child.id)) child.cancel();
  }

  /** Ends the work of child sessions that were cancelled and did not end by themselves. */
  settle(): void {
    for (const child of this.#own) child.settle();
  }

  /**
   * Reports child sessions that still work at the end of a turn. Listed background work, and the child sessions below
   * it, are not reported.
   */
  reportUnfinished(): void {
    for (const child of this.#own) if (!this.#owner.lists(child.id)) child.reportUnfinished();
  }

  /** Ends all child sessions. Nothing is sent for them afterwards. */
  close(): void {
    for (const child of [...this.#own]) child.close();
  }
}

/**
 * Checks that every session to which a tool call links was announced.
 *
 * @throws AcpError `state` for a session that was not announced
 */
// P-SUB-03, P-SUB-17
export function checkLinks(event: WireEvent, owner: { readonly children: Children }): void {
  for (const item of contentOf(event)) {
    if (item?.type !== "session" || !("sessionId" in item) || typeof item.sessionId !== "string") continue;
    if (owner.children.knows(item.sessionId)) continue;
    throw new AcpError("state", `There is no session ${item.sessionId}. Open it before a tool call links to it.`);
  }
}

/** Returns the content of a tool call in an event. */
function contentOf(event: WireEvent): readonly ToolCallContent[] {
  if (event?.type === "tool_call_content_chunk") return [event.content];
  return event?.type === "tool_call_update" && Array.isArray(event.content) ? event.content : [];
}
