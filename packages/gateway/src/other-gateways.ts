import { isSessionLogError, type SessionLog, type SessionLogWriter } from "@turnkit/agent";
import type { SessionInfo } from "@turnkit/session";
import { type Channel, createConnection, type InboundCall, withinGrace } from "@turnkit/transport";
import { isEngine } from "./engine.js";
import type { SharedSession } from "./shared-session.js";

/** Command to the gateway that owns a session. */
type Command =
  /** Puts the session back if nobody watches it and no work goes on. The answer has `granted`. */
  | { readonly type: "handover" }
  /** Ends the session, because a client of another gateway deletes it. */
  | { readonly type: "end"; readonly name?: string };

/**
 * Opens the log of a session. A gateway that has the session open, and does not use it, hands it over.
 *
 * @throws SessionLogError as `open` of the log
 */
export async function openWithHandover(log: SessionLog, id: string, info?: SessionInfo): Promise<SessionLogWriter> {
  try {
    return await log.open(id, info);
  } catch (error) {
    if (!(await isPutBack(log, id, error, { type: "handover" }))) throw error;
    return log.open(id, info);
  }
}

/** Deletes a session from the log. If another gateway has it open, it ends it before. `name` is that of the principal. */
export async function deleteEverywhere(log: SessionLog, id: string, name: string | undefined): Promise<void> {
  try {
    await log.delete(id);
  } catch (error) {
    if (!(await isPutBack(log, id, error, { type: "end", ...(name !== undefined && { name }) }))) throw error;
    await log.delete(id);
  }
}

/** Carries out the commands of another gateway. Each one comes on a channel of its own, which the end of the session closes. */
export function obey(session: SharedSession, channel: Channel): void {
  const receive = ({ type, ...rest }: Command, call: InboundCall): object => {
    if (type === "handover" && !session.isUnused) return { granted: false };
    call.afterResponse(() => void session.release(type === "end" ? { what: "deleted", ...rest } : undefined));
    return { granted: true };
  };
  createConnection(channel, { route: () => ({ receive }) });
}

async function isPutBack(log: SessionLog, id: string, error: unknown, command: Command): Promise<boolean> {
  if (!isSessionLogError(error, "locked") || !isEngine(log)) return false;
  // Without an answer, the session is as locked as before.
  const channel = await log.connect(id).catch(() => undefined);
  if (channel === undefined) return false;
  const connection = createConnection(channel);
  const answer = connection.request<{ readonly granted?: unknown }>(`_turnkit/${command.type}`, command);
  const isGranted = answer.then(({ granted }) => granted === true).catch(() => false);
  const isOver = (await withinGrace(isGranted, log.ttlMs)) && (await isGranted);
  // The end of the session closes the channel.
  if (isOver) await withinGrace(connection.closed, log.ttlMs);
  else await connection.close();
  return isOver;
}
