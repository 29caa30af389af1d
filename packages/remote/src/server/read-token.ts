import { TOKEN_SUBPROTOCOL } from "../wire/headers.js";
import { offeredProtocols } from "./subprotocols.js";

const bearer = "bearer ";

/**
 * Returns the token of a request, for `authorize`: that of the header `Authorization: Bearer`, or that of the subprotocol
 * `acp-token.TOKEN`, which pages of browsers send for a WebSocket. Returns `undefined` without a token. Compare tokens in
 * constant time, because the time of `===` shows how much of a token is right.
 *
 * @example
 * const hash = (text = "") => createHash("sha256").update(text).digest();
 * const isOwner = (request: Request) => timingSafeEqual(hash(readToken(request)), hash(token));
 * const server = createRemoteServer({ agent, authorize: (request) => (isOwner(request) ? { id: "owner" } : undefined) });
 */
// REM-37
export function readToken(request: Request): string | undefined {
  const authorization = request.headers.get("Authorization");
  if (authorization?.toLowerCase().startsWith(bearer)) return authorization.slice(bearer.length).trim() || undefined;
  const named = offeredProtocols(request).find((name) => name.startsWith(TOKEN_SUBPROTOCOL));
  return named?.slice(TOKEN_SUBPROTOCOL.length) || undefined;
}
