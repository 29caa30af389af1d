import { createHash, timingSafeEqual } from "node:crypto";
import type { Agent } from "@turnkit/agent";
import { type Listening, listen } from "@turnkit/remote/node";
import { createRemoteServer, readToken } from "@turnkit/remote/server";

const hash = (token = "") => createHash("sha256").update(token).digest();

/**
 * Serves an agent at `/acp` over HTTP/1.1, HTTP/2 and WebSocket. Clients need the token. Pages of other origins also need the
 * option `origins`.
 */
export function serveAgent(agent: Agent, token: string, port = 0): Promise<Listening> {
  const expected = hash(token);
  const server = createRemoteServer({
    agent,
    // Called for each request before anything is allocated. Connections belong to the id that it returns. The comparison
    // takes the same time for every token; hashes have equal lengths.
    authorize: (request) => (timingSafeEqual(hash(readToken(request)), expected) ? { id: "owner" } : undefined),
  });
  return listen(server, { port, path: "/acp" });
}
