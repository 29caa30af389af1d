import { createServer, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { writeBody } from "./answer-body.js";
import { answerHeaders, hasLength } from "./answer-headers.js";
import { type Arrival, clientGone, type Handler, whileWanted } from "./handler.js";
import { type Exchange, Http1Connection } from "./http1-connection.js";
import type { RequestBody } from "./request-body.js";
import type { Undecided } from "./undecided.js";
import { createUpgrades } from "./upgrade.js";

/** Protocol of a port. It speaks on sockets that another server has accepted. */
export interface Speaker {
  take(socket: Socket): void;
  /** Closes each connection when its open requests have ended. */
  close(): void;
}

/** Creates the part of a port for HTTP/1.1. Node answers 400, 408 and 431 to malformed, slow and large headers. */
export function createHttp1(handler: Handler, undecided: Undecided): Speaker {
  const { headerBytes, headerMs, requestMs, idleMs } = handler.limits;
  let isClosing = false;
  const server = createServer({
    maxHeaderSize: headerBytes,
    headersTimeout: Math.min(headerMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(1_000, headerMs),
  });
  const connections = new WeakMap<Socket, Http1Connection>();
  server.on("request", (request, response) => {
    const { socket } = request;
    response.once("finish", () => {
      if (isClosing) socket.destroySoon();
    });
    // Also while the request waits for its turn.
    request.on("error", () => {});
    const connection = connections.get(socket) ?? new Http1Connection(socket, undecided.connection());
    connections.set(socket, connection);
    const exchange = connection.begin(request, response);
    exchange?.undecided.serve(() => serve(exchange, handler).catch(() => socket.destroy()));
  });
  const upgrade = createUpgrades(handler);
  server.on("upgrade", (request, socket, head) => {
    const gone = new AbortController();
    socket.once("close", () => gone.abort(clientGone));
    const arrival = arrivalOf(request, undefined, gone.signal);
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

function arrivalOf(request: IncomingMessage, body: RequestBody | undefined, signal: AbortSignal): Arrival {
  const { method = "GET", headers, rawHeaders, url = "" } = request;
  return {
    scheme: (request.socket as TLSSocket).encrypted === true ? "https" : "http",
    host: headers.host ?? "",
    target: url,
    method,
    rawHeaders,
    signal,
    body,
  };
}

async function serve({ request, response, body, undecided, gone }: Exchange, handler: Handler): Promise<void> {
  const { lingerMs, stalledMs } = handler.limits;
  const answer = await whileWanted(handler.answer(arrivalOf(request, body, gone)), gone);
  if (answer === undefined) return;
  undecided.answered(answer.ok);
  const cut = () => void request.socket.destroy();
  response.once("finish", () => {
    if (request.complete) return;
    if (body?.isCrumbled) return cut();
    // The rest of a refused body is read for a while and dropped: a closed socket could destroy the answer.
    body?.drop();
    setTimeout(() => request.complete || request.socket.destroy(), lingerMs).unref();
  });
  const begin = (size?: number) => {
    if (response.headersSent || response.destroyed) return;
    for (const [name, value] of Object.entries(answerHeaders(answer.headers))) response.setHeader(name, value);
    if (size !== undefined && hasLength(request.method, answer.status)) response.setHeader("Content-Length", size);
    response.writeHead(answer.status);
    if (size === undefined) response.flushHeaders();
  };
  await writeBody(answer.body, { out: response, begin, cut }, stalledMs);
}
