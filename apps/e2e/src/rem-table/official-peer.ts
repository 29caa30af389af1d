import type { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, createSecureServer } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import type { Duplex } from "node:stream";
import type { Stream } from "@agentclientprotocol/sdk";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createMessageStreamChannel } from "@turnkit/transport/channels";
import { WebSocketServer } from "ws";
import { certificate } from "../remote/certificate.js";
import { hurryComments, withInterval } from "./hurried-comments.js";
import { createSides, type PeerSettings, type StartPeer } from "./peer.js";

/** Starts the server of the official SDK, on ports of Node: one for HTTP/1.1 and WebSocket, and one for HTTP/2. */
export const startOfficial: StartPeer = async (settings) => {
  const { sides, serve } = createSides();
  const server = new AcpServer({
    agent: { connect: (stream: Stream) => serve(createMessageStreamChannel(stream)) },
    ...(settings.unread !== undefined && { maxBufferedBytes: settings.unread }),
    ...(settings.stalledMs !== undefined && { maxOutputStallMs: settings.stalledMs }),
  });
  const restore = hurryComments();
  const handle = hosted(createNodeHttpHandler(server), settings);
  const tls = settings.tls ? certificate() : undefined;
  const http1 = tls ? createHttpsServer(tls, handle) : createServer(handle);
  // The handler is the SDK's only adapter for Node. Its types are those of HTTP/1.1.
  const forHttp2 = handle as unknown as Parameters<typeof createHttp2Server>[0] & object;
  const http2 = tls ? createSecureServer(tls, forHttp2 as never) : createHttp2Server(forHttp2 as never);
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on("headers", (lines) => lines.push(...(settings.cookies ?? []).map((cookie) => `Set-Cookie: ${cookie}`)));
  const upgrade = createNodeWebSocketUpgradeHandler(server, sockets);
  http1.on("upgrade", (request: IncomingMessage, pipe: Duplex, head: Buffer) => {
    pipe.on("error", () => {});
    if (isAdmitted(request, settings)) upgrade(request, pipe, head);
    else pipe.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  const pipes = new Set<Duplex>();
  for (const port of [http1, http2]) {
    port.on("connection", (pipe: Duplex) => {
      pipe.on("error", () => {});
      pipes.add(pipe);
    });
    port.listen(0, "127.0.0.1");
    await once(port, "listening");
  }
  const portOf = (port: Server) => (port.address() as AddressInfo).port;
  return {
    name: "SDK 2.4.0",
    http1: portOf(http1),
    http2: portOf(http2 as unknown as Server),
    sides,
    shutDown: () => server.close(),
    async close() {
      restore();
      await server.close();
      for (const port of [http1, http2]) port.close();
      for (const pipe of pipes) pipe.destroy();
    },
  };
};

/** Wraps the handler as the SDK asks its callers to do it: tokens and cookies are matters of the host. */
function hosted(handle: RequestListener, settings: PeerSettings): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    if (!isAdmitted(request, settings)) return void response.writeHead(401).end();
    if (settings.cookies) response.setHeader("Set-Cookie", [...settings.cookies]);
    withInterval(settings.keepAliveMs, () => handle(request, response));
  };
}

function isAdmitted({ headers }: IncomingMessage, { tokens }: PeerSettings): boolean {
  return tokens === undefined || tokens[headers.authorization?.replace("Bearer ", "") ?? ""] !== undefined;
}
