import type { Buffer } from "node:buffer";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { WebSocketServer } from "ws";
import { refuse } from "../server/answers.js";
import type { Upgrade } from "../server/server-socket.js";
import { answerHeaders } from "./answer-headers.js";
import { type Arrival, type Handler, whileWanted } from "./handler.js";
import { serveSocket } from "./node-socket.js";
import { UnfinishedFrames } from "./unfinished-frames.js";

/** Request to open a WebSocket, and its connection. */
export type UpgradeRequest = {
  readonly request: IncomingMessage;
  readonly arrival: Arrival;
  readonly socket: Socket;
  /** Bytes after the request. */
  readonly head: Buffer;
};

/** Returns a function that answers 101 and opens a WebSocket, or writes a refusal. */
export function createUpgrades({ limits, upgrade }: Handler): (asked: UpgradeRequest) => Promise<void> {
  const granted = new WeakMap<IncomingMessage, Upgrade>();
  const unfinished = new UnfinishedFrames(limits);
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.frameBytes,
    handleProtocols: (_, request) => granted.get(request)?.protocol ?? false,
  });
  sockets.on("headers", (lines, request) => {
    const headers = granted.get(request)?.headers;
    if (headers !== undefined) lines.push(...linesOf(headers));
  });
  return async ({ request, arrival, socket, head }) => {
    socket.on("error", () => {});
    const isWebSocket = request.headers.upgrade?.toLowerCase() === "websocket";
    const answer = isWebSocket
      ? await whileWanted(upgrade(arrival), arrival.signal)
      : refuse(400, "Only WebSockets are opened by an upgrade. HTTP/2 without TLS begins with its preface.");
    if (answer === undefined) return;
    if (answer instanceof Response) await writeRefusal(answer, socket, limits.lingerMs);
    else if (!socket.destroyed) {
      granted.set(request, answer);
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        unfinished.watch(webSocket, socket, answer.owner);
        serveSocket(webSocket, socket, answer);
      });
    }
  };
}

/** Returns header lines. Each `Set-Cookie` has its own line. */
function linesOf(headers: Headers): readonly string[] {
  return Object.entries(answerHeaders(headers)).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
}

async function writeRefusal(answer: Response, socket: Socket, lingerMs: number): Promise<void> {
  const body = new Uint8Array(await answer.arrayBuffer());
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}`,
    ...linesOf(answer.headers),
    `Content-Length: ${body.byteLength}`,
    "Connection: close",
  ];
  if (socket.destroyed) return;
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  socket.end(body);
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
