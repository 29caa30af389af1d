import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { Agent } from "@turnkit/agent";
import { createWebSocketChannel, type WebSocketLike } from "@turnkit/transport/channels";
import { build } from "esbuild";
import { WebSocketServer } from "ws";

/**
 * Serves the page at `/`, and one connection of `agent` for each WebSocket at `/acp`.
 *
 * A page of another site can open a WebSocket to this machine too, so the server checks the `Origin`.
 */
export async function createPageServer(agent: Agent): Promise<Server> {
  const page = await readFile(new URL("page.html", import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [new URL("page.ts", import.meta.url).pathname],
    bundle: true,
    format: "esm",
    minify: true,
    write: false,
    conditions: ["@turnkit/source"],
  });
  const script = outputFiles[0]?.contents;
  const server = createServer((request, response) => {
    if (request.url === "/") return response.setHeader("content-type", "text/html; charset=utf-8").end(page);
    if (request.url === "/page.js") return response.setHeader("content-type", "text/javascript").end(script);
    return response.writeHead(404).end();
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 4 * 1024 * 1024 });
  server.on("upgrade", (request, socket, head) => {
    const { origin, host } = request.headers;
    if (request.url !== "/acp" || origin !== `http://${host}`) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      agent.serve(createWebSocketChannel(webSocket as WebSocketLike));
    });
  });
  server.on("close", () => {
    for (const webSocket of sockets.clients) webSocket.terminate();
  });
  return server;
}
