import { timingSafeEqual } from "node:crypto";
import type { Agent } from "@turnkit/agent";
import { type Listening, listen } from "@turnkit/remote/node";
import { createRemoteServer } from "@turnkit/remote/server";

/** Serves an agent at `/acp` over HTTP/1.1, HTTP/2 and WebSocket. Clients need the token. */
export function serveAgent(agent: Agent, token: string, port = 0): Promise<Listening> {
  const server = createRemoteServer({
    agent,
    // Called for each request before anything is allocated. Connections belong to the id that it returns.
    authorize: (request) => (isBearer(request, token) ? { id: "owner" } : undefined),
  });
  return listen(server, { port, path: "/acp" });
}

/** Compares in constant time, so that the time of an answer shows at most the length of the token. */
function isBearer(request: Request, token: string): boolean {
  const given = Buffer.from(request.headers.get("Authorization") ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
