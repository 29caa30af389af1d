import { type RequestMessage, type ResponseMessage, textOf } from "@turnkit/transport";
import { serialise } from "@turnkit/transport/channels";
import { headerName, mediaType } from "../wire/headers.js";
import { accepted, refuse } from "./answers.js";
import type { Connection } from "./connection.js";
import { Connections } from "./connections.js";
import { acceptsEvents, openEvents } from "./http/events.js";
import { isInitialize, post, readPost } from "./http/post.js";
import { dropBody } from "./http/read-body.js";
import type { Principal, RemoteServerOptions } from "./server-options.js";
import type { Upgrade } from "./server-socket.js";
import { settingsOf } from "./settings.js";

/** Server of the protocol over HTTP and WebSocket, as functions of requests. Any framework or runtime can call it. */
export interface RemoteServer {
  /** Answers a request of any path: POST, GET, DELETE or OPTIONS. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Decides about a request to open a WebSocket. A `Response` refuses it. Never rejects. */
  upgrade(request: Request): Promise<Response | Upgrade>;
  /** Ends all connections: event streams end, and WebSockets close with 1001. Settles when all agents have ended. */
  close(): Promise<void>;
}

/**
 * Creates a server for an agent.
 *
 * @example
 * const server = createRemoteServer({ agent });
 * Deno.serve({ hostname: "127.0.0.1" }, (request) => server.fetch(request));
 */
export function createRemoteServer<P extends Principal>(options: RemoteServerOptions<P>): RemoteServer {
  const settings = settingsOf(options);
  const connections = new Connections(options, settings);
  const { limits, report } = settings;

  const begin = async (message: RequestMessage, principal: P): Promise<Response> => {
    if (connections.isFull)
      return refuse(503, "There are too many connections. Try again later.", { "Retry-After": "5" });
    const id = crypto.randomUUID();
    let connection: Connection;
    try {
      connection = await connections.open(id, principal, false);
    } catch (error) {
      report({ code: "handler_failed", message: `The agent could not be opened: ${textOf(error)}`, error });
      return refuse(502, "The agent could not be started.");
    }
    const answer = await new Promise<ResponseMessage | undefined>((resolve) => connection.initialize(message, resolve));
    if (answer === undefined) return refuse(502, "The agent ended before it answered initialize.");
    if ("error" in answer) connection.end();
    return new Response(serialise(answer), {
      headers: { "Content-Type": mediaType.json, [headerName.connectionId]: id },
    });
  };

  const find = (request: Request, principal: P): Connection | Response => {
    const id = request.headers.get(headerName.connectionId);
    if (id === null) return refuse(400, `${headerName.connectionId} is missing. Send initialize first.`);
    return connections.find(id, principal) ?? refuse(404, "There is no such connection. Send initialize.");
  };

  const answer = async (request: Request, principal: P): Promise<Response> => {
    const { method, headers } = request;
    if (method === "POST") {
      const hasConnection = headers.has(headerName.connectionId);
      const connection = hasConnection ? find(request, principal) : undefined;
      if (connection instanceof Response) {
        dropBody(request);
        return connection;
      }
      const message = await readPost(request, limits);
      if (message instanceof Response) return message;
      if (connection !== undefined) return post(request, message, connection);
      return isInitialize(message) ? begin(message, principal) : (find(request, principal) as Response);
    }
    if (method === "GET" && !acceptsEvents(request))
      return refuse(406, `Only ${mediaType.events} is served. Set the header Accept.`);
    if (method !== "GET" && method !== "DELETE")
      return refuse(405, "The method is not supported.", { Allow: "POST, GET, DELETE, OPTIONS" });
    const connection = find(request, principal);
    if (connection instanceof Response) return connection;
    if (method === "GET") return openEvents(request, connection);
    connection.end();
    return accepted();
  };

  return {
    async fetch(request) {
      return answer(request, { id: "" } as P);
    },
    async upgrade() {
      return refuse(501, "WebSockets are not supported yet. Use HTTP.");
    },
    close: () => connections.close(),
  };
}
