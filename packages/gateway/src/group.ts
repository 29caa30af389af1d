import { createMemoryLog, isSessionLogError, type SessionLog } from "@turnkit/agent";
import { foldEvents, settled } from "@turnkit/agent/driver";
import type { Session } from "@turnkit/client";
import {
  createSessionState,
  reduce,
  type SessionEvent,
  type SessionInfo,
  type SessionWorkspace,
} from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import { AgentLink } from "./agent-link.js";
import { Deferred } from "./deferred.js";
import type { Settings } from "./gateway-options.js";
import { SessionRecord } from "./session-record.js";
import { SharedSession } from "./shared-session.js";

/** Sessions of one group, its agent and its log. */
export class Group {
  readonly link: AgentLink;
  readonly log: SessionLog;
  readonly #settings: Settings;
  readonly #sessions = new Map<string, Promise<SharedSession>>();
  readonly #open = new Map<string, SharedSession>();
  #connections = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #unused: () => void;

  /** @param unused called when the group has no connection and no session, and its agent has ended */
  constructor(name: string, settings: Settings, unused: () => void) {
    this.#settings = settings;
    this.#unused = unused;
    this.link = new AgentLink(name, settings, (sessionId) => this.#open.get(sessionId)?.author);
    this.log = settings.options.log?.(name) ?? createMemoryLog();
  }

  /** Notes a connection. Returns the function that notes its end. */
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
    const open = await this.#sessions.get(sessionId)?.catch(() => undefined);
    if (open !== undefined) {
      if (open.releasing === undefined) return open;
      await open.releasing;
    }
    const again = this.#sessions.get(sessionId);
    if (again !== undefined) return again;
    this.#checkRoom();
    const opening = this.#restore(sessionId);
    this.#sessions.set(sessionId, opening);
    opening.catch(() => this.#sessions.delete(sessionId));
    return opening;
  }

  /** Closes an open session and deletes it from the log and, if it can, the agent. Succeeds for an unknown one. */
  // SHARE-10
  async delete(sessionId: string): Promise<void> {
    const open = await this.#sessions.get(sessionId)?.catch(() => undefined);
    await open?.release();
    await this.log.delete(sessionId);
    if (!this.link.isOpen) return;
    const client = await this.link.client();
    if (client.peer.capabilities.delete) await client.deleteSession(sessionId);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const open = await Promise.allSettled(this.#sessions.values());
    await Promise.all(open.map((one) => (one.status === "fulfilled" ? one.value.release() : undefined)));
    await this.link.close();
  }

  async #restore(sessionId: string): Promise<SharedSession> {
    const record = await this.#record(sessionId);
    try {
      const { stateBytes } = this.#settings.limits;
      const { state, children, keys } = await foldEvents(this.log.read(sessionId), { stateBytes });
      const past = settled(state);
      const { cwd = "", additionalDirectories = [] } = past;
      const info = { sessionId, cwd, ...(additionalDirectories.length > 0 && { additionalDirectories }) };
      return this.#share(info, record, { state: past, children, keys });
    } catch (error) {
      await record.close();
      throw error;
    }
  }

  async #record(id: string, info?: SessionInfo): Promise<SessionRecord> {
    try {
      const writer = await this.log.open(id, info);
      const onFault = (message: string, error: unknown) =>
        this.#settings.report({ code: "log_failed", sessionId: id, message, error });
      const record = new SessionRecord(id, writer, onFault);
      if (info !== undefined) await record.begin(info);
      return record;
    } catch (error) {
      if (isSessionLogError(error, "not_found")) throw RpcError.resourceNotFound({ sessionId: id });
      if (isSessionLogError(error, "locked")) throw RpcError.invalidRequest("another gateway has the session open");
      throw error;
    }
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
    return shared;
  }

  #checkRoom(): void {
    const { sessions } = this.#settings.limits;
    if (this.#sessions.size >= sessions) throw RpcError.invalidRequest(`${sessions} sessions are open already`);
  }

  /** Ends the agent after a time without connections and sessions. */
  #restSoon(): void {
    clearTimeout(this.#timer);
    if (this.#connections > 0 || this.#sessions.size > 0) return;
    this.#timer = setTimeout(() => {
      void this.link.release().then(() => {
        if (this.#connections === 0 && this.#sessions.size === 0) this.#unused();
      });
    }, this.#settings.idleMs);
  }
}
