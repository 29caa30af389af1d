import type { SubagentPatch } from "../activity.js";
import type { SessionEvent } from "../event.js";
import { mirroredState } from "../mirrored-state.js";
import type { WatchedSession } from "./watched-session.js";

/** Maximum number of updates of child sessions that are stored for one restore. */
const MAX_KEPT_UPDATES = 1_000;
/** Maximum depth of a child session. Deeper ones are not watched. */
const MAX_DEPTH = 16;
/** Maximum number of child sessions. Further ones are not watched. */
const MAX_CHILDREN = 4_096;

type Update = { readonly sessionId: string; readonly event: SessionEvent };

/** Open sessions of a watch. */
type OpenSessions = {
  has(sessionId: string): boolean;
  find(sessionId: string): WatchedSession | undefined;
  /** Returns the session of an id. Opens it if necessary. */
  enter(sessionId: string): WatchedSession;
};

/** Child sessions of a watch: their places below their roots, and their updates while a root is being restored. */
export class WatchedChildren {
  readonly #sessions: OpenSessions;
  readonly #parents = new Map<string, string>();
  readonly #kept = new Map<string, Update[]>();
  /** Conversations that a restore has replayed, until the announcements of their sessions are applied. */
  readonly #replayed = new Map<string, SessionEvent[]>();

  constructor(sessions: OpenSessions) {
    this.#sessions = sessions;
  }

  /** Records an announcement. Returns `false` if the child session has another parent, or if it is a root. */
  // P-SUB-04
  add(parentId: string, sessionId: string): boolean {
    const known = this.#parents.get(sessionId);
    if (known !== undefined) return known === parentId;
    // A session without a parent is a root.
    const isRoot = sessionId === parentId || this.#sessions.has(sessionId);
    if (isRoot || this.#parents.size >= MAX_CHILDREN || this.#pathOf(parentId).length >= MAX_DEPTH) return false;
    this.#parents.set(sessionId, parentId);
    return true;
  }

  /** Returns the root of a child session. Returns `undefined` for any other session. */
  rootOf(sessionId: string): string | undefined {
    return this.#pathOf(sessionId).at(-1);
  }

  /** Opens a child session, or applies the state that its parent reports. */
  announced(parentId: string, { sessionId, state, cwd, additionalDirectories }: SubagentPatch): void {
    if (!this.add(parentId, sessionId)) return;
    const known = this.#sessions.find(sessionId);
    const child = known ?? this.#sessions.enter(sessionId);
    if (known === undefined) {
      const parent = this.#sessions.find(parentId)?.store.getState();
      const folders = additionalDirectories ?? parent?.additionalDirectories ?? [];
      child.opened({ cwd: cwd ?? parent?.cwd ?? "", additionalDirectories: folders }, { sessionId });
    }
    const replayed = this.#replayed.get(sessionId);
    if (this.#replayed.delete(sessionId)) child.replayed(replayed ?? []);
    const mirrored = mirroredState(child.store.getState(), state);
    if (mirrored !== undefined) child.updated(mirrored);
  }

  /** Stores an update of a child session whose root is being restored. */
  keep(rootId: string, update: Update): void {
    const updates = this.#kept.get(rootId) ?? [];
    this.#kept.set(rootId, updates);
    if (updates.length < MAX_KEPT_UPDATES) updates.push(update);
  }

  /** Returns the stored updates, and forgets them. */
  take(rootId: string): readonly Update[] {
    const updates = this.#kept.get(rootId) ?? [];
    this.#kept.delete(rootId);
    return updates;
  }

  /** Replaces the conversations of a root and of its child sessions. */
  replay(rootId: string, root: WatchedSession, updates: readonly SessionEvent[]): void {
    for (const { sessionId, event } of this.take(rootId)) {
      const events = this.#replayed.get(sessionId) ?? [];
      events.push(event);
      this.#replayed.set(sessionId, events);
    }
    root.replayed(updates);
    // These child sessions were not announced again.
    for (const [sessionId, events] of this.#replayed) this.#sessions.find(sessionId)?.replayed(events);
    this.#replayed.clear();
  }

  /** Forgets a session. Returns its child sessions. */
  remove(sessionId: string): readonly string[] {
    this.#parents.delete(sessionId);
    this.#kept.delete(sessionId);
    return [...this.#parents].flatMap(([child, parent]) => (parent === sessionId ? [child] : []));
  }

  /** Returns the ancestors of a session, the nearest first. */
  #pathOf(sessionId: string): readonly string[] {
    const path: string[] = [];
    for (let next = this.#parents.get(sessionId); next !== undefined; next = this.#parents.get(next)) path.push(next);
    return path;
  }
}
