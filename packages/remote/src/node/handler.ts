import type { Readable } from "node:stream";
import { textOf } from "@turnkit/transport";
import { refuse } from "../server/answers.js";
import type { Upgrade } from "../server/server-socket.js";
import type { ListenLimits } from "./limits.js";
import { bodyOf } from "./request-body.js";
import { type RequestLine, urlOf } from "./request-line.js";

/** Request in the words of Node, from HTTP/1.1 or HTTP/2. */
export type Arrival = RequestLine & {
  readonly method: string;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
  /** Absent if the request has no body. */
  readonly body?: Readable;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
};

/** Work of a listening port, for all its protocols. Both functions never reject. */
export type Handler = {
  readonly limits: ListenLimits;
  answer(arrival: Arrival): Promise<Response>;
  upgrade(arrival: Arrival): Promise<Response | Upgrade>;
};

/** Methods that a `Request` cannot have. */
const impossible = new Set(["CONNECT", "TRACE", "TRACK"]);

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
    return new Request(url, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body: bodyOf(body), duplex: "half" }),
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
