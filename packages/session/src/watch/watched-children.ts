import type { SubagentPatch } from "../activity.js";
import type { SessionEvent } from "../event.js";
import { mirroredState } from "../mirrored-state.js";
import type { RestoredEvents } from "./openings.js";
import type { WatchedSession } from "./watched-session.js";

/** Maximum depth of a child session. Deeper ones are not watched. */
const MAX_DEPTH = 16;
/** Maximum number of child sessions. Further ones are not watched. */
const MAX_CHILDREN = 4_096;

/** Open sessions of a watch. */
type OpenSessions = {
  has(sessionId: string): boolean;
  find(sessionId: string): WatchedSession | undefined;
  /** Returns the session of an id. Opens it if necessary. */
  enter(sessionId: string): WatchedSession;
};

/** Child sessions of a watch, and their places below their roots. */
export class WatchedChildren {
  readonly #sessions: OpenSessions;
  readonly #parents = new Map<string, string>();
  /** Conversations that a restore has replayed, until the announcements of their sessions are applied. */
  readonly #replayed = new Map<string, readonly SessionEvent[]>();

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
    if (isRoot || this.#parents.size >= MAX_CHILDREN || this.pathOf(parentId).length > MAX_DEPTH) return false;
    this.#parents.set(sessionId, parentId);
    return true;
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

  /** Replaces the conversations of a root and of its child sessions. */
  replay(rootId: string, root: WatchedSession, restored: RestoredEvents): void {
    for (const [sessionId, events] of restored) if (sessionId !== rootId) this.#replayed.set(sessionId, events);
    root.replayed(restored.get(rootId) ?? []);
    // A long replay may have dropped the announcements of these child sessions.
    for (const [sessionId, events] of this.#replayed) this.#sessions.find(sessionId)?.replayed(events);
    this.#replayed.clear();
  }

  /** Forgets a session. Returns its child sessions. */
  remove(sessionId: string): readonly string[] {
    this.#parents.delete(sessionId);
    return [...this.#parents].flatMap(([child, parent]) => (parent === sessionId ? [child] : []));
  }

  /** Returns a session and its ancestors, the nearest first. */
  pathOf(sessionId: string): readonly string[] {
    const path: string[] = [];
    for (let next: string | undefined = sessionId; next !== undefined; next = this.#parents.get(next)) path.push(next);
    return path;
  }
}
