import { textOf } from "@turnkit/transport";
import { refuse } from "../server/answers.js";
import type { Upgrade } from "../server/server-socket.js";
import type { ListenLimits } from "./limits.js";
import type { RequestBody } from "./request-body.js";
import { type RequestLine, urlOf } from "./request-line.js";

/** Request of Node, over HTTP/1.1 or HTTP/2. */
export type Arrival = RequestLine & {
  readonly method: string;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
  /** Absent if the request has no body. */
  readonly body?: RequestBody | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
};

/** Work of a listening port, for all its protocols. Both functions never reject. */
export type Handler = {
  readonly limits: ListenLimits;
  answer(arrival: Arrival): Promise<Response>;
  upgrade(arrival: Arrival): Promise<Response | Upgrade>;
};

/**
 * Reason of an aborted request. It is one shared error, because a new error would keep the functions of its stack and
 * their requests in memory.
 */
export const clientGone = new Error("The client has gone.");

/**
 * Returns the answer, or `undefined` if the client goes first. A late answer is dropped, and nothing waits for it. The
 * requests of a connection refer to each other, so a waiting request would keep all of them in memory.
 */
export async function whileWanted<A extends Response | Upgrade>(
  answering: Promise<A>,
  signal: AbortSignal,
): Promise<A | undefined> {
  const left = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const answer = await Promise.race([answering, left]);
  if (answer === undefined) void answering.then(dropAnswer);
  return answer;
}

function dropAnswer(answer: Response | Upgrade): void {
  if ("body" in answer) answer.body?.cancel().catch(() => {});
}

/** Methods that a `Request` cannot have. */
const impossible = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Methods whose bodies are ignored. A `Request` with such a method has no body. */
const bodiless = new Set(["GET", "HEAD"]);

/** Converts a request of Node to a `Request`. */
export function readRequest(arrival: Arrival): Request | Response {
  const { method, rawHeaders, body, signal } = arrival;
  if (impossible.has(method)) return refuse(405, `${method} is not supported.`);
  const url = urlOf(arrival);
  if (url === undefined) return refuse(400, "Host and target of the request do not name one address.");
  try {
    const headers = headersOf(rawHeaders);
    const named = headers.get("host") ?? arrival.host;
    if (named !== arrival.host) return refuse(400, "The request names two hosts.");
    headers.set("host", arrival.host);
    if (bodiless.has(method)) body?.drop();
    const hasBody = body !== undefined && !bodiless.has(method);
    return new Request(url, {
      method,
      headers,
      signal,
      ...(hasBody && { body: body.stream, duplex: "half" }),
    } as RequestInit);
  } catch (error) {
    return refuse(400, `The request cannot be read: ${textOf(error)}`);
  }
}

/** Copies the headers of a request without the pseudo headers of HTTP/2, such as `:path`. */
function headersOf(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (!name.startsWith(":")) headers.append(name, rawHeaders[index + 1] as string);
  }
  return headers;
}
