import { headerName, mediaType } from "../../wire/headers.js";
import { TURN_STATE_KEY } from "../../wire/resumption.js";
import { refuse, refuseConflict, refuseLongIds } from "../answers.js";
import type { Connection } from "../connection.js";
import type { OutStream } from "../out-stream.js";
import type { Settings } from "../settings.js";
import { EventReader } from "./event-reader.js";

const headers = {
  "Content-Type": mediaType.events,
  "Cache-Control": "no-cache, no-transform",
  // Asks proxies such as nginx to pass each event on immediately.
  "X-Accel-Buffering": "no",
} as const;

/** Opens the stream of a connection, or of a session, as server-sent events. */
// REM-11
export function openEvents(request: Request, connection: Connection, settings: Settings): Response {
  const sessionId = request.headers.get(headerName.sessionId) ?? undefined;
  const tooLong = refuseLongIds(sessionId);
  if (tooLong !== undefined) return tooLong;
  const { streams, isPacked } = connection;
  const isTooMany = sessionId !== undefined && streams.isFull && !streams.find(sessionId)?.hasReader;
  const stream = isTooMany ? undefined : streams.of(sessionId);
  if (stream === undefined) return refuse(429, "Too many sessions are open. Close a session first.");
  if (stream.hasFailed) return refuseConflict({ reason: "unread_dropped" });
  const cursor = request.headers.get(headerName.lastEventId) || undefined;
  // REM-14
  if (cursor !== undefined && connection.isResumable) return resume(stream, cursor, { connection, settings });
  if (connection.isResumable) return openAnew(stream, connection, settings);
  // REM-12
  if (stream.hasReader) return refuseConflict({ reason: "reader_busy" });
  return eventsOf(new EventReader(stream, { opening: ":\n\n", hasCursors: false, isPacked }, settings));
}

/**
 * Opens a resumable stream for a client without a cursor. If the stream has a reader, its network connection is dead,
 * and the client did not get its answer. The messages that this reader took are sent again.
 */
// REM-50, REM-51
function openAnew(stream: OutStream, { isPacked }: Connection, settings: Settings): Response {
  const { log, hasReader } = stream;
  if (hasReader && !log.canRestart(Date.now())) return refuseConflict({ reason: "reader_busy" });
  const refusal = log.restart(Date.now());
  if (refusal !== undefined) return refuseConflict({ reason: refusal });
  const { cursor } = log;
  const opening = `id: ${cursor}\ndata:\n\n`;
  const reader = new EventReader(stream, { opening, hasCursors: true, isPacked }, settings);
  return eventsOf(reader, { [headerName.cursor]: cursor });
}

/**
 * Continues a stream after a cursor. If the stream has a reader, its network connection is dead, and the reader is
 * replaced.
 */
// REM-41, REM-46, REM-51
function resume(
  stream: OutStream,
  cursor: string,
  { connection, settings }: { readonly connection: Connection; readonly settings: Settings },
): Response {
  const refusal = stream.log.seek([cursor], Date.now());
  if (refusal !== undefined) return refuseConflict({ reason: refusal });
  const { sessionId } = stream;
  const { isPacked } = connection;
  const turnState = sessionId === undefined ? undefined : connection.turnState(sessionId);
  // Clients ignore events of an unknown type.
  const advice = turnState && `event: resumed\ndata: ${JSON.stringify({ _meta: { [TURN_STATE_KEY]: turnState } })}\n\n`;
  const states = sessionId === undefined ? [] : connection.states.texts(sessionId);
  const opening = advice ?? ":\n\n";
  return eventsOf(new EventReader(stream, { opening, hasCursors: true, isPacked, afterReplay: states }, settings));
}

function eventsOf({ body }: EventReader, others: Readonly<Record<string, string>> = {}): Response {
  return new Response(body, { headers: { ...headers, ...others } });
}

/** Returns `true` if a request accepts server-sent events. */
// REM-06
export function acceptsEvents(request: Request): boolean {
  const types = (request.headers.get("Accept") ?? "").split(",");
  return types.some((type) => type.split(";")[0]?.trim().toLowerCase() === mediaType.events);
}
