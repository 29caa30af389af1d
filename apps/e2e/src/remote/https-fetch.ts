import type { IncomingMessage } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import { Readable } from "node:stream";

/**
 * Creates a `fetch` for HTTP/1.1 over TLS that trusts a certificate. The one of Node only trusts certificates that the
 * process knows from its start on.
 */
export function createHttpsFetch(ca: string): { readonly fetch: typeof fetch; close(): void } {
  const agent = new Agent({ ca, keepAlive: true });
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const { method, signal, url } = request;
    return new Promise((resolve, reject) => {
      const asked = requestHttps(url, { agent, method, headers: Object.fromEntries(request.headers) });
      const abort = () => void asked.destroy(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort);
      asked.once("close", () => signal.removeEventListener("abort", abort));
      asked.on("error", (cause) => reject(new TypeError("fetch failed", { cause })));
      asked.on("response", (received) => resolve(answerOf(received)));
      asked.end(body);
    });
  };
  return { fetch: send, close: () => agent.destroy() };
}

function answerOf(received: IncomingMessage): Response {
  const { statusCode: status = 500 } = received;
  const headers = new Headers();
  for (const [name, values] of Object.entries(received.headers))
    for (const value of [values].flat()) headers.append(name, String(value));
  received.on("error", () => {});
  if (status !== 202 && status !== 204)
    return new Response(Readable.toWeb(received) as unknown as ReadableStream<Uint8Array>, { status, headers });
  received.resume();
  return new Response(null, { status, headers });
}
