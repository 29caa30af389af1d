import type { SessionEvent, SessionLists, SessionState } from "@turnkit/session";
import { type InboundCall, RpcError } from "@turnkit/transport";
import type { AgentHandlers, RestoreSession } from "./agent-handlers.js";
import type { ClientCall } from "./client-call.js";
import type { LiveSession } from "./live-session.js";
import type { Persistence } from "./persistence.js";
import type { SessionOutput } from "./session-output.js";
import type { SessionTable } from "./session-table.js";

/** Restore of a session, the call that asks for it, and the parts of its connection. */
export type Restore<S> = {
  readonly handlers: AgentHandlers<S>;
  readonly sessions: SessionTable<S>;
  readonly persistence: Persistence<S> | undefined;
  readonly session: LiveSession<S>;
  readonly request: RestoreSession;
  readonly call: ClientCall;
  /** Chooses the value of an option as the client's own call does. */
  setValue(configId: string, value: string | boolean): Promise<void>;
  readonly afterResponse: InboundCall["afterResponse"];
};

/** Restores a session by the log, if there is one, and the agent's handler. Ends the open session that it replaces. */
export async function restore<S>(asked: Restore<S>): Promise<SessionLists> {
  const { handlers, sessions, persistence, session, request, call } = asked;
  const before = sessions.before(session);
  const open = before?.output.isClosed ? undefined : before;
  let handover: Handover | undefined;
  let past: SessionState | undefined;
  const lists = await sessions.open(session, async () => {
    try {
      if (persistence === undefined && handlers.restoreSession === undefined) {
        throw RpcError.resourceNotFound({ sessionId: session.id });
      }
      if (open !== undefined) handover = await makeWay(open, asked);
      // The client goes on with its open session if the restore fails, and could not tell these updates from its own.
      if (before !== undefined) session.output.outbox.hold("send");
      if (persistence === undefined) return session.setUp((await handlers.restoreSession?.(request, session)) as never);
      const lender = open?.output.isClosed ? undefined : open;
      const restored = await persistence.restore(session, request, { call, lender });
      past = restored.past;
      return restored.lists;
    } catch (error) {
      handover?.takeBack();
      // After the refusal: until then the client takes updates for the replay.
      asked.afterResponse(() => open?.output.outbox.release());
      throw error;
    }
  });
  // Replay precedes the answer, and what the open session said meanwhile follows the replay.
  session.output.outbox.release();
  handover?.finish();
  const configOptions = past && (await persistence?.choose(session, past, asked.setValue));
  if (before !== undefined) await sessions.end(before);
  session.driver.restored?.(session);
  return configOptions === undefined ? lists : { ...lists, configOptions };
}

/**
 * Checks a restore while the open session works, then ends the session's turns. The session itself is ended only in two cases;
 * otherwise it is handed over, and goes on if `restoreSession` refuses:
 *
 * - The agent has a handler that cleans up closed sessions, which may share a store with `restoreSession`.
 * - Its log failed, and must be opened anew.
 */
async function makeWay<S>(
  open: LiveSession<S>,
  { sessions, persistence, session, request }: Restore<S>,
): Promise<Handover | undefined> {
  await persistence?.check(open, request);
  open.prompts.cancelAll();
  await open.prompts.idle();
  const mustEnd = sessions.hasCleanUp;
  const handover = mustEnd ? undefined : new Handover(open.output, session.output);
  const isStored = await open.output.journal?.flush();
  if (handover !== undefined && isStored !== false) return handover;
  handover?.takeBack();
  open.output.outbox.release();
  await sessions.end(open);
  return undefined;
}

/**
 * Restore of an open session as another. What the open one says belongs to both, after the conversation so far. It is held
 * back: the client gets it after the replay. The log holds exactly the conversation so far, until its journal resumes.
 */
class Handover {
  readonly #open: SessionOutput;
  readonly #restored: SessionOutput;
  /** Events that follow the restored conversation, until that is replayed. */
  #late: SessionEvent[] | undefined = [];

  constructor(open: SessionOutput, restored: SessionOutput) {
    this.#open = open;
    this.#restored = restored;
    open.flush();
    open.outbox.hold("send");
    open.journal?.pause();
    open.handover = this;
  }

  /** Takes an event of the open session. Once the journal is handed over, that session stores nothing itself. */
  follow(event: SessionEvent, isStored: boolean): void {
    if (!isStored) this.#restored.journal?.note(event);
    if (this.#late === undefined) this.#restored.fold(event);
    else this.#late.push(event);
  }

  /** Sends what was held back, after the replay, and adds it to the restored state. */
  finish(): void {
    this.#open.outbox.release();
    const late = this.#late ?? [];
    this.#late = undefined;
    for (const event of late) this.#restored.fold(event);
  }

  /** Ends after a restore that failed. What was held back is sent by the outbox's release. */
  takeBack(): void {
    this.#open.handover = undefined;
    this.#open.journal?.resume();
  }
}
