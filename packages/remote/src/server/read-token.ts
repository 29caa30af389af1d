import { TOKEN_SUBPROTOCOL } from "../wire/headers.js";
import { offeredProtocols } from "./subprotocols.js";

const bearer = "bearer ";

/**
 * Returns the token of a request, for `authorize`: that of the header `Authorization: Bearer`, or that of the subprotocol
 * `acp-token.TOKEN`, which pages of browsers send for a WebSocket. Returns `undefined` without a token. To compare it, use
 * {@link hasToken}.
 */
// REM-37
export function readToken(request: Request): string | undefined {
  const authorization = request.headers.get("Authorization");
  if (authorization?.toLowerCase().startsWith(bearer)) return authorization.slice(bearer.length).trim() || undefined;
  const named = offeredProtocols(request).find((name) => name.startsWith(TOKEN_SUBPROTOCOL));
  return named?.slice(TOKEN_SUBPROTOCOL.length) || undefined;
}

/**
 * Returns `true` if a request has this token. The time of the comparison depends only on the length of the request's
 * own token, so an attacker cannot measure how much of a guessed token is right.
 *
 * @throws TypeError for an empty token
 *
 * @example
 * const server = createRemoteServer({
 *   agent,
 *   authorize: (request) => (hasToken(request, token) ? { id: "owner" } : undefined),
 * });
 */
export function hasToken(request: Request, token: string): boolean {
  if (typeof token !== "string" || token === "")
    throw new TypeError("The token of a server must be a text that is not empty.");
  const given = readToken(request) ?? "";
  let difference = given.length ^ token.length;
  for (let at = 0; at < given.length; at += 1) difference |= given.charCodeAt(at) ^ token.charCodeAt(at % token.length);
  return difference === 0;
}
