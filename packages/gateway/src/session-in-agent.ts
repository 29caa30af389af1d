import type { Client, Session } from "@turnkit/client";
import type { SessionEvent, SessionWorkspace } from "@turnkit/session";
import { type Room, RpcError } from "@turnkit/transport";
import type { Answer } from "./open-question.js";
import type { PromptReceiver } from "./shared-prompt.js";

/** Source of the client on which a session is opened. */
export type ClientSource = {
  client(): Promise<Client>;
  /** Withdraws the prompt with a key, which the owner got over an earlier channel. Absent for an agent. */
  withdraw?(key: string): void;
  /** True when the channel to the owner is lost. Absent for an agent. */
  readonly isLost?: boolean;
};

/** Folders of a session. */
export type Folders = Pick<SessionWorkspace, "cwd" | "additionalDirectories">;

/** Parts of a session in its agent. */
export type SessionInAgentParts = {
  readonly id: string;
  readonly link: ClientSource;
  /** Workspace of a session that was just opened. */
  readonly workspace?: SessionWorkspace | undefined;
  /**
   * Receives the events of the session and its child sessions. If a promise is returned, await it before the next
   * event.
   */
  readonly receive: (event: SessionEvent, sessionId: string) => Room;
};

/**
 * Session in its agent. The session is opened at its first use, and again at the first use after the end of the agent. The
 * gateway that owns the session can take the place of the agent.
 */
export class SessionInAgent {
  readonly #parts: SessionInAgentParts;
  #folders: Folders;
  #workspace: Partial<SessionWorkspace>;
  #link: ClientSource;
  /** Settles when the place of the session is known. */
  #moving: Promise<void> | undefined;
  /** True if the place of the session is its owner, whose replay has events that this gateway needs. */
  #isAtOwner = false;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  readonly #watched = new WeakSet<Session>();
  #isReplaying = false;
  #isClosed = false;
  /** True if a client has cancelled the work while the place of the session was not known. */
  #isCancelled = false;

  /** @param session the session, if it was just opened. Its events are already received. */
  constructor(parts: SessionInAgentParts, session?: Session) {
    this.#parts = parts;
    this.#link = parts.link;
    const { cwd, additionalDirectories } = parts.workspace ?? { cwd: "" };
    this.#folders = { cwd, ...(additionalDirectories && { additionalDirectories }) };
    this.#workspace = parts.workspace ?? {};
    this.#session = session;
    if (session !== undefined) this.#watch(session);
  }

  /** Uses the servers and the system prompt of this workspace for the next restore. */
  use(workspace: SessionWorkspace): void {
    this.#workspace = workspace;
  }

  /** Delays later uses of the session until its place is known. Rejections are those of {@link live}. */
  move(moving: Promise<void>): void {
    this.forget();
    this.#moving = moving;
  }

  /** Uses the agent of this gateway, at the next use of the session, with these folders. */
  useAgent(folders: Folders): void {
    this.#folders = folders;
    this.#link = this.#parts.link;
    this.#isAtOwner = false;
    this.#moving = undefined;
    this.#isCancelled = false;
  }

  /**
   * Attaches to the session at its owner. `receive` gets the events of the replay too. Later uses of the session wait for
   * {@link moved}.
   *
   * @throws RpcError `-32603` if the owner refuses
   */
  async useOwner(owner: ClientSource, cwd: string): Promise<void> {
    this.#link = owner;
    this.#isAtOwner = true;
    // MCP servers of clients are only for the agent of this gateway.
    await this.#restore({ cwd });
  }

  /** Records that this gateway has the whole conversation of the owner. Sends a cancel that has waited for it. */
  moved(): void {
    this.#moving = undefined;
    if (this.#isCancelled) this.cancel();
    this.#isCancelled = false;
  }

  /**
   * Calls a function with the session at its current place. The call directly follows the last check of the place,
   * because the session may move during each `await`.
   *
   * @throws the errors of {@link live}
   */
  // NATS-06
  async reach(act: (receiver: PromptReceiver) => void): Promise<void> {
    for (;;) {
      const session = await this.live();
      const link = this.#link;
      const { sendsPromptKeys: hasKeys } = await link.client();
      if (this.#moving === undefined && this.#link === link)
        return act({
          session,
          hasKeys,
          isOwner: this.#isAtOwner,
          ...(link.withdraw && { withdraw: (key) => link.withdraw?.(key) }),
        });
    }
  }

  /**
   * Returns the session. Restores it if the agent does not have it open.
   *
   * @throws RpcError `-32603` if the agent does not start, or cannot restore the session, and `-32002` after {@link close}
   */
  async live(): Promise<Session> {
    if (this.#moving !== undefined) await this.#moving;
    if (this.#isClosed) throw RpcError.resourceNotFound({ sessionId: this.#parts.id });
    if (this.#session !== undefined) return this.#session;
    this.#opening ??= this.#restore().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Cancels the work in the session. If its place is not known, the owner gets the cancel later. */
  cancel(): void {
    if (this.#moving !== undefined || this.#link.isLost) this.#isCancelled = true;
    else void this.#session?.cancel();
  }

  /** @throws AcpError `state`, or InvalidMessageError for an answer that does not fit the question */
  answer(sessionId: string, requestId: string, answer: Answer): void {
    this.#find(sessionId)?.answer(requestId, answer);
  }

  /** Records that the agent has lost the session. */
  forget(): void {
    this.#session = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // This includes a session that is being restored, because it will soon be in the agent.
    await this.#opening?.catch(() => undefined);
    await this.#session?.close();
  }

  async #restore(workspace = this.#current): Promise<Session> {
    const client = await this.#link.client();
    const { id } = this.#parts;
    // The agent may have ended during the previous replay.
    this.#isReplaying = false;
    const outcome = await client.restore(id, workspace, (event, session) => {
      // This happens at the first event, because child sessions of the replay may continue immediately.
      this.#watch(session);
      return this.#receive(event);
    });
    if (outcome.status === "unavailable") {
      const who = this.#isAtOwner ? "gateway that has the session" : "agent";
      throw RpcError.internalError(`the ${who} could not restore the session: ${outcome.error.message}`);
    }
    this.#session = outcome.session;
    this.#watch(outcome.session);
    return outcome.session;
  }

  get #current(): SessionWorkspace {
    const { additionalDirectories: _, ...others } = this.#workspace;
    return { ...others, ...this.#folders };
  }

  /** Passes events on, except those of a replay by the agent, because this gateway has the history already. */
  #receive(event: SessionEvent, sessionId = this.#parts.id): Room {
    const isOwn = sessionId === this.#parts.id;
    if (event.type === "replay_started" || event.type === "replay_ended") {
      if (isOwn) this.#isReplaying = event.type === "replay_started" && event.keeps !== true;
      return undefined;
    }
    return this.#isReplaying && !this.#isAtOwner ? undefined : this.#parts.receive(event, sessionId);
  }

  /** Receives the events of all child sessions, including existing ones. */
  #watch(session: Session): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    const adopt = (child: Session): void => {
      if (this.#watched.has(child)) return;
      child.onEvent((event) => this.#receive(event, child.id));
      this.#watch(child);
    };
    session.onChild(adopt);
    for (const child of session.children) adopt(child);
  }

  #find(id: string): Session | undefined {
    const open = this.#session === undefined ? [] : [this.#session];
    for (const session of open) {
      if (session.id === id) return session;
      open.push(...session.children);
    }
    return undefined;
  }
}
