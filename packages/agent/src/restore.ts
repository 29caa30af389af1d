import type { SessionLists, SessionState } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import type { AgentHandlers } from "./agent-handlers.js";
import type { ClientCall } from "./client-call.js";
import type { LiveSession } from "./live-session.js";
import type { Persistence } from "./persistence.js";
import type { RestoreSession } from "./session-requests.js";
import type { SessionTable } from "./session-table.js";

/** Parts of the restores of a connection. */
export type RestoreParts<S> = {
  readonly handlers: AgentHandlers<S>;
  readonly sessions: SessionTable<S>;
  readonly persistence: Persistence<S> | undefined;
};

/** Restore of a session, and the call that asks for it. */
export type Restore<S> = {
  readonly session: LiveSession<S>;
  readonly request: RestoreSession;
  readonly call: ClientCall;
};

/** Restores a session by the log, if there is one, and the agent's handler. Ends the open session that it replaces. */
export async function restore<S>(
  parts: RestoreParts<S>,
  { session, request, call }: Restore<S>,
): Promise<SessionLists> {
  const { handlers, sessions, persistence } = parts;
  const before = sessions.before(session);
  const open = before?.output.isClosed ? undefined : before;
  let past: SessionState | undefined;
  const lists = await sessions.open(session, async () => {
    if (persistence === undefined && handlers.restoreSession === undefined) {
      throw RpcError.resourceNotFound({ sessionId: session.id });
    }
    if (open !== undefined) await makeWay(parts, open, request);
    // The client goes on with its open session if the restore fails, and could not tell these updates from its own.
    if (before !== undefined) session.output.outbox.holdWhileItFits();
    if (persistence === undefined) return session.setUp((await handlers.restoreSession?.(request, session)) as never);
    const lender = open?.output.isClosed ? undefined : open;
    const restored = await persistence.restore(session, request, { call, lender });
    past = restored.past;
    return restored.lists;
  });
  // Replay precedes the answer.
  session.output.outbox.makeWay();
  const configOptions = past && (await persistence?.choose(session, past));
  if (before !== undefined) await sessions.end(before);
  session.driver.restored(session);
  return configOptions === undefined ? lists : { ...lists, configOptions };
}

/**
 * Checks a restore while the open session works, then ends the session's turns. The session itself is ended only in two cases;
 * otherwise it goes on if `restoreSession` refuses:
 *
 * - The agent cleans up after sessions: `closeSession` and `restoreSession` may share a store.
 * - Its log failed, and must be opened anew.
 */
async function makeWay<S>(
  { sessions, persistence }: RestoreParts<S>,
  open: LiveSession<S>,
  request: RestoreSession,
): Promise<void> {
  await persistence?.check(open, request);
  open.prompts.cancelAll();
  await open.prompts.idle();
  const isStored = await open.output.journal?.flush();
  if (sessions.cleansUp || isStored === false) await sessions.end(open);
}
