import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { writeBody } from "./answer-body.js";
import { answerHeaders, hasLength } from "./answer-headers.js";
import type { Arrival, Handler } from "./handler.js";
import { createTurns, type Turns } from "./turns.js";
import { createUpgrades } from "./upgrade.js";

/** Protocol of a port. It speaks on sockets that another server has accepted. */
export interface Speaker {
  take(socket: Socket): void;
  /** Closes each connection when its open requests have ended. */
  close(): void;
}

/** Creates the part of a port for HTTP/1.1. Node answers 400, 408 and 431 to malformed, slow and large headers. */
export function createHttp1(handler: Handler): Speaker {
  const { headerBytes, headerMs, requestMs, idleMs } = handler.limits;
  let isClosing = false;
  const server = createServer({
    maxHeaderSize: headerBytes,
    headersTimeout: Math.min(headerMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(1_000, headerMs),
  });
  const turns = new WeakMap<Socket, Turns>();
  server.on("request", (request, response) => {
    const { socket } = request;
    response.once("finish", () => {
      if (isClosing) socket.destroySoon();
    });
    const turn = turns.get(socket) ?? createTurns();
    turns.set(socket, turn);
    // Also while the request waits for its turn.
    request.on("error", () => {});
    turn(() => serve(request, response, handler)).catch(() => socket.destroy());
  });
  const upgrade = createUpgrades(handler);
  server.on("upgrade", (request, socket, head) => {
    const gone = new AbortController();
    socket.once("close", () => gone.abort());
    const arrival = arrivalOf(request, gone.signal);
    upgrade({ request, socket: socket as Socket, head, arrival }).catch(() => socket.destroy());
  });
  // Node starts the timers of a server when it listens. This one gets its sockets from another server.
  server.emit("listening");
  return {
    take: (socket) => void server.emit("connection", socket),
    close() {
      isClosing = true;
      server.close();
    },
  };
}

function arrivalOf(request: IncomingMessage, signal: AbortSignal): Arrival {
  const { method = "GET", headers, rawHeaders, url = "" } = request;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return {
    scheme: (request.socket as TLSSocket).encrypted === true ? "https" : "http",
    host: headers.host ?? "",
    target: url,
    method,
    rawHeaders,
    signal,
    ...(hasBody && method !== "GET" && method !== "HEAD" ? { body: request } : {}),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
  const { lingerMs, stalledMs } = handler.limits;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (response.destroyed) gone.abort();
  const answer = await handler.answer(arrivalOf(request, gone.signal));
  response.once("finish", () => {
    if (request.complete) return;
    // The rest of a refused body is read for a while and dropped: a closed socket could destroy the answer.
    request.resume();
    setTimeout(() => request.complete || request.socket.destroy(), lingerMs).unref();
  });
  const cut = () => void request.socket.destroy();
  const begin = (size?: number) => {
    if (response.headersSent || response.destroyed) return;
    for (const [name, value] of Object.entries(answerHeaders(answer.headers))) response.setHeader(name, value);
    if (size !== undefined && hasLength(request.method, answer.status)) response.setHeader("Content-Length", size);
    response.writeHead(answer.status);
    if (size === undefined) response.flushHeaders();
  };
  await writeBody(answer.body, { out: response, begin, cut }, stalledMs);
}
