import { onTestFinished } from "vitest";
import { type Listening, type ListenOptions, listen } from "../../src/node/index.js";
import type { RemoteServer } from "../../src/server/remote-server.js";
import type { ServerSocket, SocketListener } from "../../src/server/server-socket.js";

/** A server made of one function for requests, and one for WebSockets. */
export type Stand = Partial<RemoteServer>;

/** Returns 404 for everything that a test does not define. */
export function serverOf({ fetch, upgrade, close }: Stand): RemoteServer {
  const missing = async () => new Response("missing", { status: 404 });
  return { fetch: fetch ?? missing, upgrade: upgrade ?? missing, close: close ?? (async () => {}) };
}

/** Listens on a free port, until the end of the test. */
export async function stand(server: Stand, options: ListenOptions = {}): Promise<Listening> {
  const listening = await listen(serverOf(server), { ...options, limits: { closeMs: 100, ...options.limits } });
  onTestFinished(() => listening.close());
  return listening;
}

/** Answers with the method, the URL, the body and some headers of a request. */
export async function echo(request: Request): Promise<Response> {
  const { method, url, headers } = request;
  const body = await request.text();
  return Response.json({ method, url, body, headers: Object.fromEntries(headers) });
}

/** Sends every text back, and keeps what happened. */
export function echoSocket(log: string[] = []): (socket: ServerSocket) => SocketListener {
  return (socket) => ({
    text(text) {
      log.push(text);
      socket.send(text);
    },
    binary: () => void log.push("binary"),
    pong: () => void log.push("pong"),
    drained() {},
    closed: (code) => void log.push(`closed ${code}`),
  });
}

/** Answers with pieces of 16 KiB without an end, or with this many of them and then silence. */
export function endless(pieces = Infinity) {
  let cancel = () => {};
  const source = {
    pieces: 0,
    /** Settles when the body is not wanted any more. */
    cancelled: new Promise<void>((resolve) => {
      cancel = resolve;
    }),
    fetch: async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            if (source.pieces === pieces) return new Promise<void>(() => {});
            source.pieces += 1;
            controller.enqueue(new Uint8Array(16_384));
            return undefined;
          },
          cancel,
        }),
      ),
  };
  return source;
}
