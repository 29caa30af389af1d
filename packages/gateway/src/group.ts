import { createMemoryLog, isSessionLogError, type SessionLog } from "@turnkit/agent";
import { Deferred, foldEvents, settled } from "@turnkit/agent/driver";
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
import { RpcError, withinGrace } from "@turnkit/transport";
import { AgentLink } from "./agent-link.js";
import type { Ending } from "./conversation.js";
import { isEngine } from "./engine.js";
import type { Settings } from "./gateway-options.js";
import { readable } from "./log-errors.js";
import { deleteEverywhere, obey, openWithHandover } from "./other-gateways.js";
import { SessionRecord } from "./session-record.js";
import { SharedSession } from "./shared-session.js";
import { StoredTurns } from "./stored-turns.js";

/**
 * Time for agents to close their sessions at the end of the gateway, in milliseconds. After this time the agents are
 * ended, and the storage gets the same time again.
 */
const CLOSE_MS = 5_000;

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
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #unused: () => void;

  /** @param unused called when the group has no connection and no session, and its agent has ended */
  constructor(name: string, settings: Settings, unused: () => void) {
    this.#settings = settings;
    this.#unused = unused;
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
      shared = this.#share(info, await this.#record(id, info), { session, workspace });
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

  list(query: ListSessions): Promise<SessionPage> {
    return readable(undefined, () => this.#log.list(query));
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
    await readable(sessionId, () => deleteEverywhere(this.#log, sessionId, ending.name));
    if (!this.link.isOpen) return;
    const client = await this.link.client();
    if (client.peer.capabilities.delete) await client.deleteSession(sessionId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await withinGrace(this.#releaseAll(), CLOSE_MS);
    // After the end of the agent, its sessions are closed at once. Only the storage can still be slow.
    await Promise.all([this.link.close(), withinGrace(this.#releaseAll(), CLOSE_MS)]);
    for (const session of this.#open.values()) session.abandon();
  }

  async #releaseAll(): Promise<void> {
    const release = async (opening: Promise<SharedSession>) => (await opening.catch(() => undefined))?.release();
    await Promise.all([...this.#sessions.values()].map(release));
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
    const record = await this.#record(sessionId);
    try {
      const { stateBytes } = this.#settings.limits;
      const turns = new StoredTurns();
      const { state, children, keys } = await foldEvents(turns.noted(this.#log.read(sessionId)), { stateBytes });
      const past = settled(state);
      const { cwd = "", additionalDirectories = [] } = past;
      const info = { sessionId, cwd, ...(additionalDirectories.length > 0 && { additionalDirectories }) };
      const session = this.#share(info, record, { state: past, children, keys });
      if (turns.isOpen) session.interrupted();
      return session;
    } catch (error) {
      await record.close();
      throw error;
    }
  }

  async #record(id: string, info?: SessionInfo): Promise<SessionRecord> {
    const writer = await readable(id, () => openWithHandover(this.#log, id, info));
    const onFault = (message: string, error: unknown) =>
      this.#settings.report({ code: "log_failed", sessionId: id, message, error });
    const record = new SessionRecord({ id, writer, onFault, ttlMs: isEngine(this.#log) ? this.#log.ttlMs : undefined });
    if (info !== undefined) await record.begin(info);
    if (!this.#isClosed) return record;
    await record.close();
    throw RpcError.internalError("the gateway is closed");
  }

  #share(
    { sessionId: id, cwd, additionalDirectories }: SessionInfo,
    record: SessionRecord,
    past: Partial<Pick<ConstructorParameters<typeof SharedSession>[0], "state" | "children" | "keys" | "workspace">> & {
      readonly session?: Session;
    },
  ): SharedSession {
    const opened: SessionEvent = {
      type: "session_opened",
      sessionId: id,
      cwd,
      ...(additionalDirectories && { additionalDirectories }),
    };
    const { stateBytes } = this.#settings.limits;
    const workspace = past.workspace ?? { cwd, ...(additionalDirectories && { additionalDirectories }) };
    const released = () => {
      this.#sessions.delete(id);
      this.#open.delete(id);
      this.#restSoon();
    };
    const { session, state = reduce(createSessionState({ stateBytes }), opened), ...rest } = past;
    const parts = { id, settings: this.#settings, link: this.link, record, released };
    const shared = new SharedSession({ ...parts, ...rest, workspace, state }, session);
    this.#open.set(id, shared);
    record.onLost(() => void shared.release({ what: "taken over", name: "Another gateway" }));
    record.onConnect((channel) => obey(shared, channel));
    return shared;
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
    await this.link.release();
    // A log in memory ends with the group.
    const isKept = this.#settings.options.log === undefined && (await this.#log.list({})).sessions.length > 0;
    if (!this.#isUsed && !isKept) this.#unused();
  }

  get #isUsed(): boolean {
    return this.#connections + this.#creating + this.#sessions.size > 0;
  }
}
