import type { Agent } from "@turnkit/agent";
import { type Listening, listen } from "@turnkit/remote/node";
import { createRemoteServer, hasToken } from "@turnkit/remote/server";

/**
 * Serves an agent at `/acp` over HTTP/1.1, HTTP/2 and WebSocket. Clients need the token. Pages of other origins also need the
 * option `origins`.
 */
export function serveAgent(agent: Agent, token: string, port = 0): Promise<Listening> {
  const server = createRemoteServer({
    agent,
    // Called for each request before anything is allocated. Connections belong to the id that it returns.
    authorize: (request) => (hasToken(request, token) ? { id: "owner" } : undefined),
  });
  return listen(server, { port, path: "/acp" });
}
