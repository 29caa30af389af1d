import type { SessionLists, SessionPlace } from "@turnkit/session";
import { AcpError, isAcpError, isRpcError, type RpcError, rpcErrorCode } from "@turnkit/transport";
import type { Driver } from "./driver/driver.js";
import type { LiveSession } from "./live-session.js";
import type { Session } from "./session.js";
import type { SessionTable } from "./session-table.js";

/**
 * Why a session was not brought back. `unsupported`: the agent cannot, or not in such a place. `busy`: it is being
 * restored already. `unknown`: the agent has no such session. `login`: it wants a login first. `refused`: it answered
 * with another error, or with what cannot be read. `ended`: the connection went away first, or the session was closed.
 * With the first two nothing was sent.
 */
export type RestoreFailure = "unsupported" | "busy" | "unknown" | "login" | "refused" | "ended";

/**
 * What came of a restore. `replayed`: the agent told what was said before, and all of it is in the state. `resumed`: the
 * agent goes on with it, but does not tell; the state begins empty. `unavailable`: there is no session, and never another
 * one in its place.
 */
export type RestoreOutcome =
  | { readonly status: "replayed"; readonly session: Session }
  | { readonly status: "resumed"; readonly session: Session }
  | { readonly status: "unavailable"; readonly reason: RestoreFailure; readonly error: AcpError | RpcError };

/** What a restore needs of its client. */
export type RestoreDesk = {
  readonly driver: Driver;
  readonly sessions: SessionTable;
  /** Makes a session that nobody knows yet. */
  readonly create: () => LiveSession;
};

/**
 * Brings a session back as the agent can. It is folded aside: one of that id that is open on this connection goes on
 * until the answer, then the new one takes its place in one step.
 */
export async function restore(sessionId: string, place: SessionPlace, desk: RestoreDesk): Promise<RestoreOutcome> {
  try {
    return await bringBack(sessionId, place, desk);
  } catch (error) {
    if (isAcpError(error) || isRpcError(error)) return unavailable(reasonOf(error), error);
    throw error;
  }
}

async function bringBack(sessionId: string, place: SessionPlace, desk: RestoreDesk): Promise<RestoreOutcome> {
  const { driver, sessions } = desk;
  const { call, replays, replayFrom } = driver.planRestore(place);
  if (sessions.isReturning(sessionId)) {
    return unavailable("busy", new AcpError("state", `Session ${sessionId} is being restored already: wait for that.`));
  }
  const session = desk.create();
  // Before the request: the replay comes before its answer (V1-SESS-21).
  sessions.expect(session);
  if (replays) session.feed.publish({ type: "replay_started" });
  const failed = () => session.end("it could not be restored");
  const received = (lists: SessionLists) => {
    if (session.isOver) return;
    if (replays) session.feed.publish({ type: "replay_ended" });
    session.opened(lists);
    sessions.arrived(session);
  };
  try {
    await driver.call(call, { ...place, sessionId, ...(replayFrom && { replayFrom }) }, { received, failed });
  } catch (error) {
    // Where nothing was sent.
    failed();
    throw error;
  }
  if (session.isOver) {
    return unavailable("ended", new AcpError("state", `Session ${sessionId} was closed while it was being restored.`));
  }
  await new Promise<void>((resolve) => session.feed.whenDone(resolve));
  return { status: replays ? "replayed" : "resumed", session };
}

/** By codes only: what an agent writes beside them is for people. */
function reasonOf(error: AcpError | RpcError): RestoreFailure {
  if (isRpcError(error, rpcErrorCode.resourceNotFound)) return "unknown";
  if (isRpcError(error, rpcErrorCode.authRequired)) return "login";
  if (isAcpError(error, "capability")) return "unsupported";
  return isAcpError(error, "connection_closed") ? "ended" : "refused";
}

function unavailable(reason: RestoreFailure, error: AcpError | RpcError): RestoreOutcome {
  return { status: "unavailable", reason, error };
}
