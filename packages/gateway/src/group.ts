import { createMemoryLog, isSessionLogError, type SessionLog } from "@turnkit/agent";
import { Deferred } from "@turnkit/agent/driver";
import type { Session } from "@turnkit/client";
import {
  createSessionState,
  type ListSessions,
  reduce,
  type SessionEvent,
  type SessionInfo,
  type SessionPage,
  type SessionWorkspace,
} from "@turnkit/session";
import { type Channel, RpcError, withinGrace } from "@turnkit/transport";
import { AgentLink } from "./agent-link.js";
import type { Ending } from "./conversation.js";
import { type Engine, isEngine } from "./engine.js";
import { deleteFrom } from "./find-owner.js";
import type { Settings } from "./gateway-options.js";
import { withRpcErrors } from "./log-errors.js";
import { deleteAtOwner } from "./owner-link.js";
import { SessionRecord } from "./session-record.js";
import { SharedSession } from "./shared-session.js";

/**
 * Time for agents to close their sessions at the end of the gateway, in milliseconds. After this time the agents are
 * ended, and the storage gets the same time again.
 */
const CLOSE_MS = 5_000;

/** Member of `_meta` with the activity of a session in a list. */
const ACTIVITY = "turnkit.activity";

/** Parts of a group. */
export type GroupParts = {
  /** Called when the group has no connection and no session, and its agent has ended. */
  readonly unused: () => void;
  /** Serves another gateway whose clients of this group use a session of this gateway. */
  readonly serve: (channel: Channel, session: SharedSession) => void;
};

/** Sessions of one group, its agent and its log. */
export class Group {
  readonly link: AgentLink;
  readonly #log: SessionLog;
  readonly #settings: Settings;
  readonly #sessions = new Map<string, Promise<SharedSession>>();
  readonly #open = new Map<string, SharedSession>();
  /**
   * Deletions in progress. A client that attaches waits for them, because otherwise it would open the session again.
   */
  readonly #deleting = new Map<string, Promise<void>>();
  /** Number of sessions that are being opened in the agent. */
  #creating = 0;
  #connections = 0;
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #parts: GroupParts;

  constructor(name: string, settings: Settings, parts: GroupParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.link = new AgentLink(name, settings, (sessionId) => this.#open.get(sessionId)?.author);
    this.#log = settings.options.log?.(name) ?? createMemoryLog();
  }

  /** Records a connection. Returns the function that records its end. */
  connected(): () => void {
    this.#connections += 1;
    clearTimeout(this.#timer);
    return () => {
      this.#connections -= 1;
      this.#restSoon();
    };
  }

  /** Opens a session in the agent and in the log. */
  async create(workspace: SessionWorkspace): Promise<SharedSession> {
    this.#checkRoom();
    this.#creating += 1;
    try {
      return await this.#create(workspace);
    } finally {
      this.#creating -= 1;
      this.#restSoon();
    }
  }

  async #create(workspace: SessionWorkspace): Promise<SharedSession> {
    const client = await this.link.client();
    const opened = new Deferred<SharedSession | undefined>();
    let shared: SharedSession | undefined;
    const session = await client.newSession(workspace, (event) =>
      shared === undefined
        ? opened.promise.then((made) => made?.receive(event))
        : (shared as SharedSession).receive(event),
    );
    try {
      const { id } = session;
      const { cwd, additionalDirectories } = workspace;
      const info = { sessionId: id, cwd, ...(additionalDirectories && { additionalDirectories }) };
      shared = this.#share(info, await this.#begin(info), { session, workspace });
      this.#sessions.set(id, Promise.resolve(shared));
      return shared;
    } catch (error) {
      await session.close().catch(() => undefined);
      throw error;
    } finally {
      opened.resolve(shared);
    }
  }

  /**
   * Returns an open session, or opens a stored one.
   *
   * @throws RpcError `-32002` for a session that this group does not have
   */
  async open(sessionId: string): Promise<SharedSession> {
    await this.#deleting.get(sessionId)?.catch(() => undefined);
    const open = await this.#sessions.get(sessionId)?.catch(() => undefined);
    if (open !== undefined) {
      if (open.releasing === undefined) return open;
      await open.releasing;
      return this.open(sessionId);
    }
    const again = this.#sessions.get(sessionId);
    if (again !== undefined) return again;
    this.#checkRoom();
    const opening = this.#restore(sessionId);
    this.#sessions.set(sessionId, opening);
    opening.catch(() => {
      this.#sessions.delete(sessionId);
      this.#restSoon();
    });
    return opening;
  }

  async list(query: ListSessions): Promise<SessionPage> {
    const page = await withRpcErrors(undefined, () => this.#log.list(query));
    return { ...page, sessions: page.sessions.map((info) => this.#withActivity(info)) };
  }

  /** Returns the row of a session. If the session works in this gateway, the row contains its activity. */
  #withActivity(info: SessionInfo): SessionInfo {
    const { state } = this.#open.get(info.sessionId)?.state.activity ?? { state: "idle" };
    return state === "idle" ? info : { ...info, _meta: { ...info._meta, [ACTIVITY]: state } };
  }

  /**
   * Closes an open session, and deletes it from the log and, if the agent allows this, from the agent. Succeeds for an
   * unknown session.
   */
  // SHARE-10
  delete(sessionId: string, ending: Ending): Promise<void> {
    const deleting = this.#delete(sessionId, ending).finally(() => {
      if (this.#deleting.get(sessionId) === deleting) this.#deleting.delete(sessionId);
    });
    this.#deleting.set(sessionId, deleting);
    return deleting;
  }

  async #delete(sessionId: string, ending: Ending): Promise<void> {
    const open = await this.#sessions.get(sessionId)?.catch(() => undefined);
    await open?.release(ending);
    // The agent may have sessions of other groups, and the id of a session is not a credential.
    if (!(await this.#has(sessionId))) return;
    const { signal } = this.#ending;
    const atOwner = (channel: Channel, { ttlMs }: Engine) =>
      deleteAtOwner(channel, { sessionId, name: ending.name, settings: this.#settings, ttlMs });
    await withRpcErrors(sessionId, () => deleteFrom(this.#log, sessionId, { atOwner, signal }));
    if (!this.link.isOpen) return;
    const client = await this.link.client();
    if (client.peer.capabilities.delete) await client.deleteSession(sessionId);
  }

  async close(): Promise<void> {
    this.#ending.abort(RpcError.internalError("the gateway is closed"));
    clearTimeout(this.#timer);
    await withinGrace(this.#releaseAll(), CLOSE_MS);
    // After the end of the agent, its sessions close immediately. Any further delay is caused by the storage.
    await Promise.all([this.link.close(), withinGrace(this.#releaseAll(), CLOSE_MS)]);
    for (const session of this.#open.values()) session.abandon();
  }

  /** Releases all sessions, and waits for deletions. */
  async #releaseAll(): Promise<void> {
    const release = async (opening: Promise<SharedSession>) => (await opening.catch(() => undefined))?.release();
    const deletions = [...this.#deleting.values()].map((deleting) => deleting.catch(() => undefined));
    await Promise.all([...[...this.#sessions.values()].map(release), ...deletions]);
  }

  async #has(sessionId: string): Promise<boolean> {
    try {
      for await (const _ of this.#log.read(sessionId)) break;
      return true;
    } catch (error) {
      if (isSessionLogError(error, "not_found")) return false;
      throw error;
    }
  }

  async #restore(sessionId: string): Promise<SharedSession> {
    const session = this.#share({ sessionId }, this.#record(sessionId));
    try {
      await withRpcErrors(sessionId, () => session.enter());
      if (!this.#isClosed) return session;
      // Otherwise, this gateway would block the session for all other gateways.
      await session.release();
      throw RpcError.internalError("the gateway is closed");
    } catch (error) {
      this.#closed(sessionId);
      throw error;
    }
  }

  /** Opens the log of a new session. */
  async #begin(info: SessionInfo): Promise<SessionRecord> {
    const record = this.#record(info.sessionId);
    record.own(await withRpcErrors(info.sessionId, () => this.#log.open(info.sessionId, info)));
    await record.begin(info);
    if (!this.#isClosed) return record;
    await record.close();
    throw RpcError.internalError("the gateway is closed");
  }

  #record(id: string): SessionRecord {
    const onFault = (message: string, error: unknown) =>
      this.#settings.report({ code: "log_failed", sessionId: id, message, error });
    const ttlMs = isEngine(this.#log) ? this.#log.ttlMs : undefined;
    return new SessionRecord({ id, onFault, ttlMs, figures: this.#settings.figures });
  }

  #share(
    opened: Omit<SessionEvent & { readonly type: "session_opened" }, "type">,
    record: SessionRecord,
    live?: { readonly session: Session; readonly workspace: SessionWorkspace },
  ): SharedSession {
    const id = opened.sessionId;
    const { stateBytes } = this.#settings.limits;
    const state = reduce(createSessionState({ stateBytes }), { type: "session_opened", ...opened });
    const released = () => {
      this.#sessions.delete(id);
      this.#closed(id);
      this.#restSoon();
    };
    const parts = { id, settings: this.#settings, link: this.link, log: this.#log, record, released, state };
    const shared = new SharedSession({ ...parts, ...(live && { workspace: live.workspace }) }, live?.session);
    this.#open.set(id, shared);
    this.#settings.figures.change("sessions", 1);
    record.onLost(() => void shared.release({ what: "lost" }));
    record.onConnect((channel) => this.#parts.serve(shared.acceptGateway(channel), shared));
    return shared;
  }

  #closed(sessionId: string): void {
    if (this.#open.delete(sessionId)) this.#settings.figures.change("sessions", -1);
  }

  #checkRoom(): void {
    const { sessions } = this.#settings.limits;
    if (this.#sessions.size + this.#creating >= sessions)
      throw RpcError.invalidRequest(`${sessions} sessions are open already`);
  }

  /** Ends the agent after a time without connections and sessions. */
  #restSoon(): void {
    clearTimeout(this.#timer);
    if (this.#isUsed || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#rest(), this.#settings.idleMs);
  }

  async #rest(): Promise<void> {
    const timer = this.#timer;
    await this.link.release();
    // A log in memory ends with the group.
    const isKept = this.#settings.options.log === undefined && (await this.#log.list({})).sessions.length > 0;
    // A client may have come and left in the meantime. Its end has begun another rest, which ends its agent.
    if (this.#timer === timer && !this.#isUsed && !isKept) this.#parts.unused();
  }

  get #isClosed(): boolean {
    return this.#ending.signal.aborted;
  }

  get #isUsed(): boolean {
    return this.#connections + this.#creating + this.#sessions.size > 0;
  }
}
