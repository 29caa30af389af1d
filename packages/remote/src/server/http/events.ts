import { headerName, mediaType } from "../../wire/headers.js";
import { MAX_ID_LENGTH } from "../../wire/limits.js";
import { refuse, refuseConflict } from "../answers.js";
import type { Connection } from "../connection.js";
import { EventReader } from "./event-reader.js";

const headers = {
  "Content-Type": mediaType.events,
  "Cache-Control": "no-cache, no-transform",
  // Asks proxies such as nginx to pass each event on at once.
  "X-Accel-Buffering": "no",
} as const;

/** Opens the stream of a connection, or of a session, as server-sent events. */
// REM-11, REM-12
export function openEvents(request: Request, connection: Connection): Response {
  const sessionId = request.headers.get(headerName.sessionId) ?? undefined;
  if ((sessionId?.length ?? 0) > MAX_ID_LENGTH)
    return refuse(400, `The id of the session has more than ${MAX_ID_LENGTH} characters.`);
  const stream = connection.streams.of(sessionId);
  if (stream.hasReader) return refuseConflict({ reason: "reader_busy" });
  return new Response(new EventReader(stream, ":\n\n").body, { headers });
}

/** Returns `true` if a request accepts server-sent events. */
// REM-06
export function acceptsEvents(request: Request): boolean {
  const accepted = (request.headers.get("Accept") ?? "").split(",");
  return accepted.some((type) => type.split(";")[0]?.trim().toLowerCase() === mediaType.events);
}
