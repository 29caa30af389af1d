import { rpcErrorCode } from "@turnkit/transport";
import { mediaType } from "../wire/headers.js";
import { MAX_ID_LENGTH } from "../wire/limits.js";
import type { Conflict } from "../wire/resumption.js";
import type { Full } from "./account.js";

/** Returns an answer that refuses a request. The text says what to do. */
export function refuse(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers } });
}

/** Returns the refusal for an id of a session that is too long, or `undefined`. */
export function refuseLongIds(...ids: readonly (string | undefined)[]): Response | undefined {
  if (ids.every((id) => id === undefined || id.length <= MAX_ID_LENGTH)) return undefined;
  return refuse(400, `The id of the session has more than ${MAX_ID_LENGTH} characters.`);
}

/** Reason for a refusal at a bound of connections. */
export const fullText: Readonly<Record<Full, string>> = {
  server: "There are too many connections. Try again later.",
  principal: "There are too many connections of this principal. Close one, or try again later.",
};

/** Returns an answer that refuses a connection at a bound. */
export function refuseFull(full: Full): Response {
  return refuse(full === "server" ? 503 : 429, fullText[full], retryLater);
}

/** Returns an answer that refuses a request of a principal at a bound of sizes. */
export function refuseMuch(full: Full): Response {
  return full === "server"
    ? refuse(503, "The server receives or holds too much. Send it again later.", retryLater)
    : refuse(429, "This principal sends or holds too much. Wait for answers, and send it again.", retryLater);
}

/** Header of a temporary refusal. */
export const retryLater = { "Retry-After": "5" } as const;

/** Returns an answer 400 to a body that is not a valid message, with an error of JSON-RPC. */
// REM-17
export function refuseMessage(text: string, code: number = rpcErrorCode.invalidRequest): Response {
  const body = { jsonrpc: "2.0", id: null, error: { code, message: text } };
  return new Response(JSON.stringify(body), { status: 400, headers: { "Content-Type": mediaType.json } });
}

/** Returns an answer 409 with its reason. */
// REM-51
export function refuseConflict(conflict: Conflict): Response {
  return new Response(JSON.stringify(conflict), { status: 409, headers: { "Content-Type": mediaType.json } });
}

/** Returns an answer 202 without a body. */
export const accepted = (): Response => new Response(null, { status: 202 });
