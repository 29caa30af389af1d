import { headerName, mediaType } from "../../wire/headers.js";
import { isInitialize } from "../../wire/session-scope.js";
import { accepted, refuse } from "../answers.js";
import type { Connection } from "../connection.js";
import type { Connections } from "../connections.js";
import type { Principal } from "../server-options.js";
import type { Settings } from "../settings.js";
import { begin } from "./begin.js";
import { acceptsEvents, openEvents } from "./events.js";
import { post, readPost } from "./post.js";

/** Parts of a server that answer requests. */
export type HttpParts<P extends Principal> = { readonly connections: Connections<P>; readonly settings: Settings };

/** Answers a request of a principal. */
export async function answerRequest<P extends Principal>(
  request: Request,
  principal: P,
  { connections, settings }: HttpParts<P>,
): Promise<Response> {
  const { method } = request;
  const connection = find(request, principal, connections);
  if (method === "POST") return answerPost(request, principal, { connections, settings, connection });
  if (method === "GET" && !acceptsEvents(request))
    return refuse(406, `Only ${mediaType.events} is served. Set the header Accept.`);
  if (method !== "GET" && method !== "DELETE")
    return refuse(405, "The method is not supported.", { Allow: "POST, GET, DELETE, OPTIONS" });
  if (connection instanceof Response) return connection;
  if (method === "GET") return openEvents(request, connection, settings);
  // REM-16
  connection.end({ code: 1000, reason: "The client ended the connection." });
  return accepted();
}

// REM-03, REM-04
async function answerPost<P extends Principal>(
  request: Request,
  principal: P,
  { connections, settings, connection }: HttpParts<P> & { readonly connection: Connection | Response },
): Promise<Response> {
  const isRefused = connection instanceof Response;
  if (isRefused && request.headers.has(headerName.connectionId)) return connection;
  const posted = await readPost(request, principal.id, settings);
  if (posted instanceof Response) return posted;
  if (!isRefused) return post(request, posted, connection);
  const { message, size } = posted;
  return isInitialize(message) ? begin(request, { message, size }, { connections, settings, principal }) : connection;
}

/** Returns the connection that a request names, or the refusal. */
// REM-07
function find<P extends Principal>(request: Request, principal: P, connections: Connections<P>): Connection | Response {
  const id = request.headers.get(headerName.connectionId);
  if (id === null) return refuse(400, `${headerName.connectionId} is missing. Send initialize first.`);
  const connection = connections.find(id, principal);
  if (connection === undefined) return refuse(404, "The connection has ended, or the server was restarted.");
  return connection.isSocket ? refuse(400, "This connection belongs to a WebSocket.") : connection;
}
