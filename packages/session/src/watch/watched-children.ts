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
  /** Returns `true` while a restore of the session is open. */
  isRestored(sessionId: string): boolean;
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

  /**
   * Records an announcement of an open session, of a session that is being restored, or of a child session. Returns
   * `false` if the child session has another parent, or if it is a root.
   */
  // P-SUB-04
  add(parentId: string, sessionId: string): boolean {
    const known = this.#parents.get(sessionId);
    if (known !== undefined) return known === parentId;
    // An open session without a parent, and a session that is being restored, is a root. Therefore no circle is
    // possible.
    const isRoot = this.#sessions.has(sessionId) || this.#sessions.isRestored(sessionId);
    if (isRoot || this.#parents.size >= MAX_CHILDREN || this.pathOf(parentId).length > MAX_DEPTH) return false;
    this.#parents.set(sessionId, parentId);
    return true;
  }

  /** Opens a child session, or applies the state that its parent reports. */
  announced(parentId: string, { sessionId, state, cwd, additionalDirectories }: SubagentPatch): void {
    // A child session may have displaced its parent, which is then closed.
    if (!this.#sessions.has(parentId) || !this.add(parentId, sessionId)) return;
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

  /** Forgets a session and its child sessions. Returns their ids, parents first. */
  remove(sessionId: string): ReadonlySet<string> {
    const gone = new Set([sessionId]);
    // A child session is always announced after its parent.
    for (const [child, parent] of this.#parents) if (gone.has(parent)) gone.add(child);
    for (const id of gone) this.#parents.delete(id);
    return gone;
  }

  /** Returns a session and its ancestors, the nearest first. */
  pathOf(sessionId: string): readonly string[] {
    const path: string[] = [];
    let next: string | undefined = sessionId;
    for (; next !== undefined && path.length <= MAX_DEPTH; next = this.#parents.get(next)) path.push(next);
    return path;
  }
}
