import type { SessionLists, SessionWorkspace } from "@turnkit/session";
import { AcpError, isAcpError, isRpcError, type RpcError, rpcErrorCode } from "@turnkit/transport";
import { checkOffered, checkWorkspace } from "./driver/capability-checks.js";
import type { Driver } from "./driver/driver.js";
import type { LiveSession } from "./live-session.js";
import type { Session } from "./session.js";
import type { SessionTable } from "./session-table.js";

/**
 * Reason why a session was not restored.
 *
 * - `unsupported`: the agent cannot restore sessions, or does not accept these directories or servers. The client sent
 *   nothing.
 * - `busy`: another restore of the session is in progress. The client sent nothing.
 * - `unknown`: the agent does not have the session.
 * - `login`: the agent needs a login first.
 * - `refused`: the agent sent another error, or an answer that the client cannot read.
 * - `ended`: the connection or the session was closed during the restore.
 */
export type RestoreFailure = "unsupported" | "busy" | "unknown" | "login" | "refused" | "ended";

/**
 * Outcome of a restore.
 *
 * - `replayed`: the agent sent the earlier conversation, and the state contains all of it.
 * - `resumed`: the agent continues the session without a replay. The state is empty at first.
 * - `unavailable`: there is no session. The client never opens another session instead.
 */
export type RestoreOutcome =
  | { readonly status: "replayed"; readonly session: Session }
  | { readonly status: "resumed"; readonly session: Session }
  | { readonly status: "unavailable"; readonly reason: RestoreFailure; readonly error: AcpError | RpcError };

/** Parts of a client that a restore uses. */
export type RestoreParts = {
  readonly driver: Driver;
  readonly sessions: SessionTable;
  /** Makes a session that is not in the table of sessions. */
  readonly create: () => LiveSession;
};

/**
 * Restores a session. An open session of the same id continues until the answer. Then the restored session replaces the
 * open session in one step.
 */
export async function restore(
  sessionId: string,
  workspace: SessionWorkspace,
  parts: RestoreParts,
): Promise<RestoreOutcome> {
  try {
    return await bringBack(sessionId, workspace, parts);
  } catch (error) {
    if (isAcpError(error) || isRpcError(error)) return unavailable(reasonOf(error), error);
    throw error;
  }
}

async function bringBack(sessionId: string, workspace: SessionWorkspace, parts: RestoreParts): Promise<RestoreOutcome> {
  const { driver, sessions } = parts;
  const { peer, dialect } = driver;
  const offered = dialect.restoration(peer.capabilities);
  const { call, replays, replayFrom } = offered ?? checkOffered(peer, false, "cannot restore sessions");
  checkWorkspace(peer, workspace);
  sessions.find(sessionId)?.tree.refuseChild("cannot be restored");
  if (sessions.isReturning(sessionId)) {
    return unavailable(
      "busy",
      new AcpError("state", `Session ${sessionId} is already being restored. Wait for that restore.`),
    );
  }
  const session = parts.create();
  // Called before the request, because the replay arrives before the answer (V1-SESS-21).
  sessions.expect(session, replays);
  const failed = () => session.end("it could not be restored");
  const received = (lists: SessionLists) => {
    if (!session.isOver) sessions.arrived(session, lists);
  };
  try {
    await driver.call(call, { ...workspace, sessionId, ...(replayFrom && { replayFrom }) }, { received, failed });
  } catch (error) {
    // A check failed before anything was sent.
    failed();
    throw error;
  }
  if (session.isOver) {
    return unavailable("ended", new AcpError("state", `Session ${sessionId} was closed while it was being restored.`));
  }
  await new Promise<void>((resolve) => session.feed.whenDone(resolve));
  return { status: replays ? "replayed" : "resumed", session };
}

/** Returns the reason of a failure. Only the error's code counts, because messages are texts for people. */
function reasonOf(error: AcpError | RpcError): RestoreFailure {
  if (isRpcError(error, rpcErrorCode.resourceNotFound)) return "unknown";
  if (isRpcError(error, rpcErrorCode.authRequired)) return "login";
  if (isAcpError(error, "capability") || isAcpError(error, "state")) return "unsupported";
  return isAcpError(error, "connection_closed") ? "ended" : "refused";
}

function unavailable(reason: RestoreFailure, error: AcpError | RpcError): RestoreOutcome {
  return { status: "unavailable", reason, error };
}
