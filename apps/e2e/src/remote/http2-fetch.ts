import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";

/** Interval of pings, and time for their answer, in milliseconds. */
const PING_MS = 1_000;

/**
 * Creates a `fetch` that speaks HTTP/2, since the one of Node 20 speaks HTTP/1.1 only. All requests to one origin share a
 * connection, as in a browser. A broken connection is replaced by the next request.
 */
export function createHttp2Fetch(ca?: string): { readonly fetch: typeof fetch; close(): void } {
  const sessions = new Map<string, ClientHttp2Session>();
  const close = () => {
    for (const session of sessions.values()) session.destroy();
  };
  const sessionOf = (origin: string): ClientHttp2Session => {
    const known = sessions.get(origin);
    if (known !== undefined && !known.destroyed && !known.closed) return known;
    const session = connect(origin, ca === undefined ? {} : { ca });
    session.on("error", () => {});
    // A browser also notices by pings that a connection is dead. Without them, all later requests would use it.
    const pings = setInterval(() => ping(session), PING_MS);
    session.once("close", () => clearInterval(pings));
    sessions.set(origin, session);
    return session;
  };
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const url = new URL(request.url);
    const { method, signal } = request;
    const headers = { ...Object.fromEntries(request.headers), ":method": method, ":path": url.pathname + url.search };
    return new Promise((resolve, reject) => {
      const stream = sessionOf(url.origin).request(headers, { endStream: body === undefined });
      const abort = () => stream.destroy();
      signal.addEventListener("abort", abort);
      let fail = (error: Error) => reject(new TypeError("fetch failed", { cause: error }));
      let end = () => fail(new Error("The stream closed without an answer."));
      stream.on("error", (error) => fail(error));
      stream.on("close", () => {
        signal.removeEventListener("abort", abort);
        if (signal.aborted) fail(signal.reason as Error);
        else if (stream.rstCode !== 0) fail(new Error(`The stream was reset with ${stream.rstCode}.`));
        else end();
      });
      stream.on("response", (received) => {
        let isOver = false;
        const answer = new ReadableStream<Uint8Array>({
          start(controller) {
            stream.on("data", (chunk: Uint8Array) => controller.enqueue(chunk));
            const once = (act: () => void) => {
              if (!isOver) act();
              isOver = true;
            };
            stream.on("end", () => {
              // A session that was cut also ends its streams; only `close` says why.
              end = () => once(() => controller.close());
            });
            end = () => once(() => controller.error(new TypeError("terminated")));
            fail = (error) => once(() => controller.error(error));
          },
          cancel() {
            isOver = true;
            stream.destroy();
          },
        });
        const status = received[":status"] ?? 500;
        resolve(new Response([202, 204].includes(status) ? null : answer, { status, headers: headersOf(received) }));
        if (status === 202) stream.resume();
      });
      if (body !== undefined) stream.end(body);
    });
  };
  return { fetch: send, close };
}

/** Ends a connection whose server does not answer a ping in time. */
function ping(session: ClientHttp2Session): void {
  if (session.connecting || session.destroyed) return;
  const late = setTimeout(() => session.destroy(), PING_MS);
  session.ping(() => clearTimeout(late));
}

function headersOf(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received))
    if (!name.startsWith(":")) for (const value of [values].flat()) headers.append(name, String(value));
  return headers;
}
