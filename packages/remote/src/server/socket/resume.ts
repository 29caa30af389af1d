import type { ResumeFailed, ResumeParams, ResumeResult } from "../../wire/resumption.js";
import { TURN_STATE_KEY } from "../../wire/resumption.js";
import type { Connection } from "../connection.js";
import type { Principal } from "../server-options.js";
import type { PeerParts } from "./peer-parts.js";

/** Maximum number of cursors of a resume. */
const MAX_CURSORS = 1_024;

/** Returns the connection that a client continues, at the place after its cursors, or the reason of a refusal. */
// REM-41, REM-52
export function findResumed<P extends Principal>(
  params: unknown,
  { id, isResume, principal, connections }: PeerParts<P>,
): { readonly connection: Connection } | ResumeFailed {
  const { connectionId, streams } = (params ?? {}) as Partial<ResumeParams>;
  const isNamed = typeof connectionId === "string" && (!isResume || connectionId === id);
  const connection = isNamed ? connections.find(connectionId, principal) : undefined;
  if (!connection?.isSocket || !connection.isResumable) return { reason: "connection_unknown" };
  if (!Array.isArray(streams) || streams.length > MAX_CURSORS) return { reason: "cursor_unknown" };
  const { log } = connection.streams.connection;
  const cursors = streams.map((stream: { readonly cursor?: unknown } | null) =>
    typeof stream?.cursor === "string" ? stream.cursor : "",
  );
  const now = Date.now();
  const reason = cursors.length === 0 ? log.restart(now) : log.seek(cursors, now);
  return reason === undefined ? { connection } : { reason };
}

/** Returns the result of a resume. */
// REM-46, REM-50
export function resumeResult(connection: Connection): ResumeResult & { readonly _meta?: object } {
  const turnState = connection.turnState(undefined);
  return {
    streams: [{ cursor: connection.streams.connection.log.cursor }],
    received: connection.received,
    ...(turnState && { _meta: { [TURN_STATE_KEY]: turnState } }),
  };
}
