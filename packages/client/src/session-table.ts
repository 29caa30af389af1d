import type { SessionEvent, SessionLists, SubagentPatch } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import type { LiveSession } from "./live-session.js";
import { Restoring } from "./restoring.js";
import { rootOf } from "./root-of.js";
import { endSurplus, idleBelow } from "./surplus-children.js";
import { type Dropped, UnclaimedUpdates } from "./unclaimed-updates.js";
import type { WaitingLimits } from "./waiting-updates.js";

/** Maximum depth of a child session, and maximum number of child sessions of one session without a parent. */
// P-SUB-19
const MAX_DEPTH = 16;
const MAX_CHILDREN = 1024;

/** Maximum length of the id of a child session, in characters. Ids outlive their sessions. */
const MAX_ID = 1_024;

/** Sessions of one connection. */
export class SessionTable {
  readonly #open = new Map<string, LiveSession>();
  /** Restores in progress, by session id. A session of the same id may be open. */
  readonly #returning = new Map<string, Restoring>();
  readonly #unclaimed: UnclaimedUpdates;
  #sessions = 0;
  readonly #dropped: Dropped;

  /** @param dropped receives the session id of dropped updates, and the reason */
  constructor(limits: WaitingLimits, dropped: Dropped) {
    this.#unclaimed = new UnclaimedUpdates(limits, this, dropped);
    this.#dropped = dropped;
  }

  /**
   * Returns the session to which a request of the agent belongs. During a restore, this is the open session of the id, if
   * one exists.
   *
   * @throws RpcError `-32002` for a session that this connection did not open
   */
  get(sessionId: string): LiveSession {
    const session = this.find(sessionId);
    if (session === undefined) throw RpcError.resourceNotFound({ sessionId });
    return session;
  }

  /** Returns the session of an id, or `undefined`. During a restore, this is the open session. */
  find(sessionId: string): LiveSession | undefined {
    return this.#open.get(sessionId) ?? this.#returning.get(sessionId)?.session;
  }

  get all(): readonly LiveSession[] {
    return [...this.#open.values(), ...[...this.#returning.values()].map(({ session }) => session)];
  }

  /** Returns the number of a new session. It distinguishes sessions with the same id. */
  nextNumber(): number {
    this.#sessions += 1;
    return this.#sessions;
  }

  /** Delivers the updates of one message. Updates of an unknown session wait. */
  update(sessionId: string, events: readonly SessionEvent[], bytes: number): void {
    const open = this.#open.get(sessionId);
    const restoring = this.#returning.get(sessionId);
    if (restoring !== undefined) {
      if (open === undefined && restoring.session.parent !== undefined)
        this.#unclaimed.addRestored(sessionId, events, bytes);
      return restoring.receive(open, events, bytes);
    }
    if (open !== undefined) {
      open.receive(events, bytes);
      if (events.some(({ type }) => type === "state_update")) this.#unclaimed.drop();
      return;
    }
    this.#unclaimed.add(sessionId, events, bytes);
  }

  /** Runs a request whose answer may return a session. Updates of unknown sessions wait for its end. */
  during<T>(request: () => Promise<T>): Promise<T> {
    return this.#unclaimed.during(request);
  }

  /**
   * Returns the child session of an announcement, and opens it if it is new. Returns `undefined` above the bounds. Returns
   * `null` if the announcement opens nothing:
   *
   * - Another parent has announced the session, and gets the event.
   * - The session is a root or belongs to another tree. Nobody gets the event.
   */
  // P-SUB-03, P-SUB-04, P-SUB-19
  announced(parent: LiveSession, event: SubagentPatch & SessionEvent): LiveSession | null | undefined {
    const { sessionId } = event;
    const restoring = this.#returning.get(parent.id);
    const isRestored = restoring?.session === parent;
    const open = this.#open.get(sessionId);
    if (isRestored && open !== undefined && isForeign(open, parent)) {
      this.#dropped(sessionId, `The replay of ${parent.id} announced a session of another tree. It did not change.`);
      return null;
    }
    const returning = this.#returning.get(sessionId)?.session;
    // The open and the restored session have child sessions of their own.
    const other = returning !== undefined && isForeign(returning, parent) ? returning : undefined;
    const known = isRestored ? returning : (open ?? other);
    if (known?.parent?.id === parent.id) return known;
    if (known !== undefined) {
      this.#dropped(
        sessionId,
        `Session ${parent.id} announced a session that is not its child. Its parent did not change.`,
      );
      known.parent?.receive([event], 0);
      return null;
    }
    if (sessionId.length > MAX_ID) {
      const message = `A child session was not opened: its id has more than ${MAX_ID} characters.`;
      this.#dropped(`${sessionId.slice(0, 20)}…`, message);
      return undefined;
    }
    if (parent.tree.depth >= MAX_DEPTH || !this.#hasRoom(parent)) {
      const bound = `at most ${MAX_CHILDREN} child sessions, down to depth ${MAX_DEPTH}`;
      this.#dropped(sessionId, `A child session was not opened: a session has ${bound}.`);
      return undefined;
    }
    const child = parent.openChild(sessionId);
    if (isRestored) this.expect(child, restoring.replays);
    else this.#open.set(sessionId, child);
    return child;
  }

  /**
   * Delivers the updates that arrived before the announcement of their session. During a restore, they wait until the
   * restored session has the announcement too.
   */
  // P-SUB-18
  deliverEarly(child: LiveSession): void {
    const { id, parent } = child;
    const restoring = this.#returning.get(id);
    if (restoring === undefined && parent !== undefined && this.isReturning(parent.id)) return;
    const receive = (events: readonly SessionEvent[], bytes: number) =>
      restoring === undefined ? child.receive(events, bytes) : this.update(id, events, bytes);
    if (restoring === undefined) this.#unclaimed.deliverRestored({ id, receive });
    this.#unclaimed.deliverAnnounced({ id, receive });
  }

  /** Makes room for a new child session of `parent`: ends the oldest idle one of a full tree. Returns false if none is idle. */
  #hasRoom(parent: LiveSession): boolean {
    const root = rootOf(parent);
    return root.tree.size < MAX_CHILDREN || endSurplus(idleBelow(root, parent));
  }

  /** True if the agent works for an open session. */
  get isAnyAtWork(): boolean {
    for (const { isAtWork } of this.#open.values()) if (isAtWork) return true;
    return false;
  }

  /** Adds a session, and ends an open session of the same id. Waiting updates are delivered after `session_opened`. */
  add(session: LiveSession, lists: SessionLists): void {
    this.#open.get(session.id)?.end("the session was opened anew");
    this.#open.set(session.id, session);
    session.opened(lists);
    this.#unclaimed.deliverEarly(session);
  }

  get isAnyReturning(): boolean {
    return this.#returning.size > 0;
  }

  isReturning(sessionId: string): boolean {
    return this.#returning.has(sessionId);
  }

  /**
   * Begins a restore. From now on, `session` also gets the updates of its id. The open session of this id continues, but
   * sends no prompts.
   *
   * @param replays true if the agent sends the earlier conversation
   */
  expect(session: LiveSession, replays: boolean): void {
    const open = this.#open.get(session.id);
    open?.queue.hold();
    this.#returning.set(session.id, new Restoring(session, open, replays));
  }

  /** Replaces the open session by the restored session after the replay. */
  arrived(session: LiveSession, lists: SessionLists): void {
    this.#returning.get(session.id)?.finish();
    this.#unclaimed.discardRestored(session.id);
    // A child session was opened by its announcement.
    if (session.parent === undefined) session.opened(lists);
    this.#returning.delete(session.id);
    const open = this.#open.get(session.id);
    this.#open.set(session.id, session);
    for (const child of session.children) {
      const other = this.#open.get(child.id);
      // A session of the user may have got the id of a replayed child session.
      if (other !== undefined && isForeign(other, session)) child.end("another session has its id");
      else this.arrived(child, {});
    }
    open?.giveWay(session);
    if (session.parent !== undefined) return;
    this.#unclaimed.dropRestored(false);
    while (session.tree.size > MAX_CHILDREN) endSurplus(idleBelow(session) ?? session.children[0]);
    this.#unclaimed.drop();
  }

  /** Ends the open session of an id, because the agent has ended it. */
  end(sessionId: string, reason: string): void {
    this.#open.get(sessionId)?.end(reason);
  }

  /** Removes a session that has ended. After a failed restore, the open session continues. */
  remove(session: LiveSession): void {
    const { id } = session;
    if (this.#open.get(id) === session) {
      this.#open.delete(id);
      this.#unclaimed.ended(id);
    }
    const restoring = this.#returning.get(id);
    if (restoring?.session !== session) return;
    this.#returning.delete(id);
    const open = this.#open.get(id);
    if (open !== undefined) {
      restoring.failed(open);
      open.queue.release();
    }
    // A child session ends before its parent, which may announce it now.
    if (session.parent === undefined) this.#unclaimed.dropRestored(true);
    this.#unclaimed.drop();
  }
}

/** Returns true for sessions of two trees. The open and the restored session of an id are the roots of one tree. */
function isForeign(one: LiveSession, other: LiveSession): boolean {
  return rootOf(one).id !== rootOf(other).id;
}
