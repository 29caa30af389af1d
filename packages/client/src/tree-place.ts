import type { SessionState, SessionWorkspace, SubagentPatch, SubagentState } from "@turnkit/session";
import { AcpError, textOf } from "@turnkit/transport";
import { callUnawaited } from "./call-unawaited.js";
import { checkListener } from "./check-arguments.js";

/** Session that has a place in a tree. */
export type TreeMember<S> = {
  readonly id: string;
  readonly state: SessionState;
  readonly tree: TreePlace<S & TreeMember<S>>;
};

/** Place of a session in its tree: parent, child sessions and inherited folders. */
export class TreePlace<S extends TreeMember<S>> {
  parent: S | undefined;
  readonly #session: S;
  readonly #workspace: SessionWorkspace;
  // Both are made on the first use, because few sessions have child sessions.
  #children: Map<string, S> | undefined;
  #size = 0;
  #listeners: Set<(child: S) => unknown> | undefined;
  /**
   * Latest announcement. Kept here, because the parent's state may drop it, and a restore without a replay does not
   * repeat it.
   */
  #last: SubagentState | undefined;

  /** @param workspace folders of a session without a parent */
  constructor(session: S, workspace: SessionWorkspace, parent: S | undefined) {
    this.#session = session;
    this.#workspace = workspace;
    this.parent = parent;
  }

  /** Latest announcement of this child session. */
  get announcement(): SubagentState | undefined {
    return this.parent?.state.subagents.get(this.#session.id) ?? this.#last;
  }

  /**
   * Publishes a patch of this child session in the parent. If the parent's state has dropped the child session, the patch
   * also contains the earlier announcement.
   */
  announced<E extends SubagentPatch>(patch: E, publish: (patch: E) => void): void {
    const isLost = this.#last !== undefined && this.parent?.state.subagents.has(this.#session.id) === false;
    const { activity, ...members } = (isLost && this.#last) || {};
    publish(isLost ? { ...members, ...(activity && { state: activity }), ...patch } : patch);
    this.#last = this.announcement;
  }

  // P-SUB-06
  get cwd(): string {
    return this.announcement?.cwd ?? this.parent?.tree.cwd ?? this.#workspace.cwd;
  }

  get directories(): readonly string[] {
    if (this.parent === undefined) return this.#workspace.additionalDirectories ?? [];
    return this.announcement?.additionalDirectories ?? this.parent.tree.directories;
  }

  get children(): readonly S[] {
    return [...(this.#children?.values() ?? [])];
  }

  /** Child sessions, without a copy of the list. */
  get members(): Iterable<S> {
    return this.#children?.values() ?? [];
  }

  /** Number of all child sessions below. */
  get size(): number {
    return this.#size;
  }

  /** Number of ancestors. */
  get depth(): number {
    return this.parent === undefined ? 0 : this.parent.tree.depth + 1;
  }

  // P-SUB-20
  get titles(): readonly string[] {
    const title = this.announcement?.title ?? this.#session.state.title;
    return [...(this.parent?.tree.titles ?? []), ...(title ? [title] : [])];
  }

  /** Returns the child session of an id. */
  get(id: string): S | undefined {
    return this.#children?.get(id);
  }

  onChild(listener: (child: S) => void): () => void {
    checkListener("onChild", listener);
    this.#listeners ??= new Set();
    const listeners = this.#listeners;
    // A function of its own, so that the same listener can be added twice.
    const own = (child: S): unknown => listener(child);
    listeners.add(own);
    return () => listeners.delete(own);
  }

  /** Adds a child session, and removes it from its earlier parent. */
  add(child: S): void {
    child.tree.parent?.tree.remove(child);
    child.tree.parent = this.#session;
    this.#children ??= new Map();
    this.#children.set(child.id, child);
    this.grow(1 + child.tree.size);
  }

  remove(child: S): void {
    if (this.#children?.get(child.id) !== child) return;
    this.#children.delete(child.id);
    this.grow(-1 - child.tree.size);
  }

  /**
   * Counts child sessions in this place and in all ancestors, because each announcement reads the number of the whole
   * tree.
   */
  grow(count: number): void {
    this.#size += count;
    this.parent?.tree.grow(count);
  }

  /** Calls the listeners for a new child session. Never throws. */
  announce(child: S, failed: (message: string, error: unknown) => void): void {
    for (const listener of [...(this.#listeners ?? [])]) {
      callUnawaited(
        () => listener(child),
        (error) => failed(`A listener of onChild failed: ${textOf(error)}`, error),
      );
    }
  }

  /**
   * Refuses a call that the client may not send for a child session.
   *
   * @throws AcpError `state` for a child session
   */
  // P-SUB-09, P-SUB-10
  refuseChild(refusal: string): void {
    if (this.parent === undefined) return;
    const text = `Session ${this.#session.id} is a child session and ${refusal}. Only the agent works in it; call its parent.`;
    throw new AcpError("state", text);
  }
}
