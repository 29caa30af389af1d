import type { BackgroundWork, StateLimits, ToolCallContent, WireEvent } from "@turnkit/session";
import type { Loss } from "@turnkit/session/codec";
import { AcpError, type Connection, type Diagnostic } from "@turnkit/transport";
import type { CancellableWork } from "./cancellable-work.js";
import { checkUpdate } from "./check-values.js";
import type { Driver } from "./driver/driver.js";
import type { SessionOutput } from "./session-output.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

/** Bounds of a tree of sessions. */
// P-SUB-19
const MAX_DEPTH = 16;
const MAX_CHILDREN = 1024;

/** Child session as its parent and its connection use it. */
export type ChildMember = {
  readonly id: string;
  /** True while the child session works, also in the background. */
  readonly isBusy: boolean;
  /** True if the client may cancel the work. */
  readonly isCancellable: boolean;
  readonly cancellable: CancellableWork;
  cancel(): void;
  settle(): void;
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
  background: readonly BackgroundWork[] | undefined;
  /** True while a child session ends. */
  readonly isEnding?: boolean;
  toolCall(start: ToolCallStart): ToolCall;
  relist(): void;
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

/** Child sessions of one session or child session. */
export class Children {
  readonly depth: number;
  readonly #table: ChildTable;
  /** All child sessions of the root, at any depth. */
  readonly #tree: Set<ChildMember>;
  readonly #own = new Set<ChildMember>();
  /** Background work that the agent has listed. */
  #wanted: readonly BackgroundWork[] | undefined;

  readonly #isAnnounced: (sessionId: string) => boolean;

  readonly #above: Children | string;

  /**
   * @param isAnnounced returns true for sessions that the client knows as child sessions
   * @param above child sessions of the parent, or the id of the root
   */
  constructor(table: ChildTable, isAnnounced: (sessionId: string) => boolean, above: Children | string) {
    this.#table = table;
    this.#isAnnounced = isAnnounced;
    this.#above = above;
    this.depth = typeof above === "string" ? 0 : above.depth + 1;
    this.#tree = typeof above === "string" ? new Set() : above.#tree;
  }

  /** Returns true for the root, and for child sessions that were announced. */
  knows(sessionId: string): boolean {
    if (this.#table.has(sessionId) || this.#isAnnounced(sessionId)) return true;
    return typeof this.#above === "string" ? this.#above === sessionId : this.#above.knows(sessionId);
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
    this.#unlist(child.id);
  }

  /** Removes a forgotten child session from the lists of background work here and above. */
  #unlist(sessionId: string): void {
    this.#wanted = this.#wanted?.filter((item) => subagentOf(item) !== sessionId);
    if (typeof this.#above !== "string") this.#above.#unlist(sessionId);
  }

  /**
   * Takes a new list of background work. Returns the list to send, which also has the child sessions of the earlier list
   * that still work.
   *
   * @throws AcpError `state` for a child session that was not announced
   */
  // P-SUB-03, P-BG-02
  listed(work: readonly BackgroundWork[], before: readonly BackgroundWork[] = []): readonly BackgroundWork[] {
    for (const item of work) {
      const id = subagentOf(item);
      if (id === undefined || this.#table.has(id) || this.#isAnnounced(id)) continue;
      throw new AcpError("state", `There is no child session ${id}. Open it before it is listed as background work.`);
    }
    this.#wanted = work;
    return this.#withBusy(work, before);
  }

  /**
   * Removes child sessions from the list whose work is done and that the agent lists no more, and forgotten ones. Returns
   * `undefined` if there are none.
   */
  relisted(before: readonly BackgroundWork[]): readonly BackgroundWork[] | undefined {
    const after = this.#withBusy(this.#wanted ?? before, before);
    return after.length < before.length ? after : undefined;
  }

  #withBusy(work: readonly BackgroundWork[], before: readonly BackgroundWork[]): readonly BackgroundWork[] {
    const isWanted = (id: string) => work.some((item) => subagentOf(item) === id);
    const kept = before.filter((item) => {
      const id = subagentOf(item);
      return id !== undefined && !isWanted(id) && this.#table.get(id)?.isBusy === true;
    });
    return [...work, ...kept];
  }

  /** Cancels the work of child sessions, except listed background work. The deepest child sessions are first. */
  // P-SUB-13
  cancel(background: readonly BackgroundWork[] = []): void {
    for (const child of this.#own) if (!background.some((item) => subagentOf(item) === child.id)) child.cancel();
  }

  /** Ends the work of child sessions that were cancelled and did not end by themselves. */
  settle(): void {
    for (const child of this.#own) child.settle();
  }

  /** Ends all child sessions. Nothing is sent for them afterwards. */
  close(): void {
    for (const child of [...this.#own]) child.close();
  }
}

/**
 * Checks that the sessions are announced to which the content of a tool call links.
 *
 * @throws AcpError `state` for another session
 */
// P-SUB-03, P-SUB-17
export function checkLinks(event: WireEvent, owner: { readonly children: Children }): void {
  checkUpdate(event);
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

function subagentOf(item: BackgroundWork): string | undefined {
  return item.type === "subagent" && "sessionId" in item ? item.sessionId : undefined;
}
