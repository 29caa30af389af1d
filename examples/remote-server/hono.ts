import type { Agent } from "@turnkit/agent";
import { type Listening, listen } from "@turnkit/remote/node";
import { createRemoteServer } from "@turnkit/remote/server";
import { Hono } from "hono";

/** Serves an agent at `/acp` as one route of an app of Hono. WebSockets go to the same path. */
export function serveApp(agent: Agent, port = 0): Promise<Listening> {
  const server = createRemoteServer({ agent });
  const app = new Hono();
  app.all("/acp", (context) => server.fetch(context.req.raw));
  app.get("/health", (context) => context.text("ok"));
  const isAgent = (request: Request) => new URL(request.url).pathname === "/acp";
  return listen(
    {
      fetch: async (request) => app.fetch(request),
      upgrade: async (request) =>
        isAgent(request) ? server.upgrade(request) : new Response("There is no WebSocket here.", { status: 404 }),
      close: () => server.close(),
    },
    { port },
  );
}
