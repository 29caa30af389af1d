import type { SessionEvent, SessionLists, SessionState } from "@turnkit/session";
import { jsonBytes } from "@turnkit/session/codec";
import { type InboundCall, RpcError } from "@turnkit/transport";
import type { AgentHandlers, RestoreSession } from "./agent-handlers.js";
import type { ClientCall } from "./client-call.js";
import { Deferred } from "./deferred.js";
import { type HandedOver, isOnlyRead, mustWait } from "./journal.js";
import type { LiveSession } from "./live-session.js";
import type { Persistence } from "./persistence.js";
import type { SessionOutput } from "./session-output.js";
import type { SessionTable } from "./session-table.js";
import { unlessError } from "./thrown-error.js";

/** Restore of a session, with the client's call and the parts of the connection. */
export type Restore<S> = {
  readonly handlers: AgentHandlers<S>;
  readonly sessions: SessionTable<S>;
  readonly persistence: Persistence<S> | undefined;
  readonly session: LiveSession<S>;
  readonly request: RestoreSession;
  readonly call: ClientCall;
  readonly afterResponse: InboundCall["afterResponse"];
};

/**
 * Restores a session: from the log, if the agent has one, then by its handler. At the end, closes the open session that the
 * restored session replaces.
 */
export async function restore<S>(asked: Restore<S>): Promise<SessionLists> {
  const { handlers, sessions, persistence, session, request, call } = asked;
  const before = sessions.before(session);
  const open = before?.output.isClosed ? undefined : before;
  let handover: Handover | undefined;
  let past: SessionState | undefined;
  const overflow = new Deferred<void>();
  let isDone = false;
  const failReplay = (): void => {
    if (isDone) return;
    overflow.resolve();
    // The work of the restore must not go on after the refusal.
    session.output.close();
  };
  // From now on, the restore has the log and cannot fail any more.
  const done = (): void => {
    if (overflow.isSettled) throw tooManyUpdates();
    isDone = true;
  };
  const work = async (): Promise<SessionLists> => {
    if (open !== undefined) {
      open.prompts.cancelAll();
      await open.prompts.idle();
      session.output.mustBeOpen();
      open.storeData();
      if (!sessions.hasCleanUp) {
        handover = new Handover(open.output, session.output, request.replay ? failReplay : undefined);
      }
      const isStored = await open.output.journal?.flush();
      session.output.mustBeOpen();
      if (handover === undefined || isStored === false) {
        handover?.takeBack();
        handover = undefined;
        await endBefore(open, sessions, isStored);
      }
    }
    session.output.mustBeOpen();
    if (persistence === undefined) {
      const setup = unlessError(await handlers.restoreSession?.(request, session));
      if (request.replay) session.driver.replayed?.(session);
      const lists = session.setUp(setup as never);
      done();
      return lists;
    }
    const lender = open?.output.isClosed ? undefined : open;
    const restored = await persistence.restore(session, request, { call, lender, done });
    past = restored.past;
    return restored.lists;
  };
  const lists = await sessions.open(session, async () => {
    try {
      if (persistence === undefined && handlers.restoreSession === undefined) {
        throw RpcError.resourceNotFound({ sessionId: session.id });
      }
      const refused = overflow.promise.then(() => Promise.reject(tooManyUpdates()));
      if (open !== undefined) {
        // P-REPLAY-03
        if (session.output.outbox.sendsReplay) open.output.outbox.hold("restore", failReplay);
        await Promise.race([persistence?.check(open, request), refused]);
        session.output.mustBeOpen();
      }
      return await Promise.race([work(), refused]);
    } catch (caught) {
      handover?.takeBack();
      // The held updates are released after the refusal. If they came earlier, the client would treat them as part of
      // the replay.
      asked.afterResponse(() => {
        if (overflow.isSettled || !sessions.isReplayedNext(session)) open?.output.outbox.release("restore");
      });
      throw overflow.isSettled ? tooManyUpdates() : caught;
    }
  });
  // The replay precedes the answer. Updates that the open session emitted during the restore are sent after the replay.
  session.output.outbox.release("restore");
  // P-REPLAY-03: the replay of a restore that was received in the meantime.
  if (sessions.isReplayedNext(session)) session.output.outbox.hold("restore");
  open?.output.outbox.releaseAfterReplay();
  handover?.finish();
  const configOptions = past && (await persistence?.choose(session, past));
  if (before !== undefined) await sessions.end(before);
  else if (past !== undefined && session.client.capabilities.notices && isCutOff(past) && !isOnlyRead(request)) {
    session.output.sendOnly({ type: "notice", severity: "warning", title: "The last turn did not finish." });
  }
  session.driver.restored?.(session);
  return configOptions === undefined ? lists : { ...lists, configOptions };
}

/** Returns true if the last turn was cancelled, or if the process died during it. No replay contains the end of a turn. */
const isCutOff = ({ activity, lastTurn }: SessionState): boolean =>
  activity.state !== "idle" || lastTurn?.stopReason === "cancelled";

// P-REPLAY-11
const tooManyUpdates = (): RpcError =>
  RpcError.internalError("too many updates, or a question, of the open session waited for the end of the replay");

/**
 * Ends the open session before its restore. This happens only in two cases:
 *
 * - The agent has a `closeSession` handler. `closeSession` may use the same store as `restoreSession`, so it must run
 *   first.
 * - The log of the open session failed. The restore must open the log again.
 *
 * In all other cases the open session is handed over, and continues if `restoreSession` refuses.
 */
async function endBefore<S>(
  open: LiveSession<S>,
  sessions: SessionTable<S>,
  isStored: boolean | undefined,
): Promise<void> {
  // A replay does not contain events that the log failed to store.
  if (isStored === false) open.output.outbox.release("restore");
  await sessions.end(open);
  open.output.outbox.markRepeated();
}

/**
 * Handover of an open session to the restored session of the same id. New events of the open session belong to both
 * sessions.
 *
 * - The new events are held until the replay is sent, because the client must get them after it.
 * - The log gets no event until its journal resumes. Until then, the log holds the conversation before the handover.
 */
class Handover implements HandedOver {
  readonly #open: SessionOutput;
  readonly #restored: SessionOutput;
  /** New events of the open session. `undefined` once the replay is done. */
  #late: SessionEvent[] | undefined = [];
  #lateBytes = 0;

  constructor(open: SessionOutput, restored: SessionOutput, failReplay: (() => void) | undefined) {
    this.#open = open;
    this.#restored = restored;
    open.flush();
    open.outbox.hold("restore", failReplay);
    open.outbox.markRepeated();
    open.journal?.pause();
    open.handover = this;
  }

  /**
   * Refuses an event that cannot be held. Call it before the event is stored, applied or sent.
   *
   * @throws AcpError `state` above 64 MiB
   */
  mustTake(event: SessionEvent): void {
    if (this.#late !== undefined) this.#lateBytes = mustWait(this.#lateBytes + jsonBytes(event));
  }

  get journal(): HandedOver["journal"] {
    return this.#restored.journal;
  }

  /** Takes an event of the open session. After the handover of the journal, the open session stores no events itself. */
  follow(event: SessionEvent, isStored: boolean): void {
    if (!isStored) this.#restored.journal?.note(event);
    if (this.#late === undefined) this.#restored.fold(event);
    else this.#late.push(event);
  }

  /** Adds the new events of the open session to the restored state, after the replay. */
  finish(): void {
    const late = this.#late ?? [];
    this.#late = undefined;
    for (const event of late) this.#restored.fold(event);
  }

  /** Ends the handover after a failed restore. The release of the outbox sends the held updates. */
  takeBack(): void {
    this.#open.handover = undefined;
    this.#open.journal?.resume();
  }
}
