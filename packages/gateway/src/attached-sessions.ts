import type { Calls, Driver } from "@turnkit/agent/driver";
import type { SessionLists } from "@turnkit/session";
import { type Connection, type InboundCall, RpcError } from "@turnkit/transport";
import type { Attachment } from "./attachment.js";
import type { Group } from "./group.js";
import { type LeftOut, partOf, takeNewest } from "./newest-entries.js";
import { isObserver, type Principal } from "./principal.js";
import { isSameFolder } from "./same-folder.js";
import type { SharedSession } from "./shared-session.js";

/** Session that a client has attached to. */
type Attached = { readonly session: SharedSession; readonly attachment: Attachment };

/** Parts of the attachments of one client. */
export type AttachedSessionsParts = {
  readonly group: Group;
  readonly principal: Principal;
  readonly connection: Connection;
  /** Returns the driver of the client. It exists after `initialize`. */
  readonly driver: () => Driver;
  /** Ends a client that cannot be brought up to date. */
  readonly giveUp: () => void;
  /** Only session that the client may use. Set if the client is another gateway. */
  readonly only?: SharedSession | undefined;
};

/** Sessions that one client watches. */
export class AttachedSessions {
  readonly #parts: AttachedSessionsParts;
  readonly #attached = new Map<string, Attached>();
  #isOver = false;

  constructor(parts: AttachedSessionsParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#attached.size === 0;
  }

  /** True when the client has left. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Attaches to a session of the group. If the session is not open, it is opened. A second attachment replaces the
   * first one.
   */
  async attach(
    { sessionId, ...asked }: Calls["loadSession"]["params"],
    how: "replay" | "resume",
    call: InboundCall,
  ): Promise<SessionLists> {
    const [newest, workspace] = takeNewest(asked);
    const { group, principal, only } = this.#parts;
    // A gateway that is not the owner would find another owner, and messages could go round in circles.
    if (only !== undefined && only.id !== sessionId) throw RpcError.resourceNotFound({ sessionId });
    const session = only ?? (await group.open(sessionId));
    const { cwd } = session.state;
    if (cwd !== undefined && !isSameFolder(cwd, workspace.cwd)) {
      throw RpcError.invalidParams("the session has another cwd", { sessionId });
    }
    if (!isObserver(principal) && only === undefined) session.agent.use(workspace);
    if (call.signal.aborted) throw RpcError.requestCancelled();
    this.leave(sessionId);
    const { leftOut, ...sent } = partOf(session.state, how === "replay" ? newest : undefined);
    await this.watch(session, how, leftOut);
    return { ...session.lists, ...sent };
  }

  /** Attaches to an open session. */
  async watch(session: SharedSession, how: "new" | "replay" | "resume", leftOut?: LeftOut): Promise<void> {
    const { connection, driver, principal, giveUp, only } = this.#parts;
    const ended = (one: Attachment): void => {
      if (this.#attached.get(session.id)?.attachment === one) this.#attached.delete(session.id);
    };
    const watcher = {
      ...{ connection, driver: driver(), principal, giveUp, ended },
      isGateway: only !== undefined,
    };
    const { attachment, done } = session.attach(watcher, how, leftOut);
    this.#attached.set(session.id, { session, attachment });
    await done;
  }

  get(sessionId: string): Attached | undefined {
    return this.#attached.get(sessionId);
  }

  /** @throws RpcError `-32002` for a session that this client has not attached to */
  find(sessionId: string): Attached {
    const attached = this.#attached.get(sessionId);
    if (attached === undefined) throw RpcError.resourceNotFound({ sessionId });
    return attached;
  }

  leave(sessionId: string): void {
    const attached = this.#attached.get(sessionId);
    attached?.session.detach(attached.attachment);
  }

  /** Ends all attachments, because the client has left. */
  leaveAll(): void {
    this.#isOver = true;
    for (const { session, attachment } of this.#attached.values()) session.detach(attachment);
  }
}
