import { randomBytes, timingSafeEqual } from "node:crypto";
import { hasToken, readToken } from "@turnkit/remote/server";

/**
 * Returns the name of the cookie of a browser that has logged in. A browser has the same cookies for all ports of a host, so
 * the name has the port that the browser uses.
 */
const cookieName = ({ url }: Request): string => `turnkit-${new URL(url).port || "default"}`;

/** Number of invitations that are open, and of browsers that are logged in. A further one replaces the oldest. */
const MOST = 100;

const secret = (): string => randomBytes(24).toString("base64url");

/**
 * Browsers and programs that may use a server.
 *
 * - A browser shows an invitation once, and gets a cookie of this server.
 * - A program shows the token of the user with each request.
 */
// SHARE-12, SHARE-13
export class Visitors {
  readonly #token: string | undefined;
  readonly #invitations: string[] = [];
  readonly #cookies: string[] = [];

  /** @param token token for programs; without one, only browsers are let in */
  constructor(token: string | undefined) {
    this.#token = token;
  }

  /** Returns a new invitation, which one browser can use once. */
  invite(): string {
    return remember(this.#invitations, secret());
  }

  /** Returns true for a request with the cookie of a browser that has logged in, or with the token. */
  knows(request: Request): boolean {
    if (this.#token !== undefined && hasToken(request, this.#token)) return true;
    return cookiesOf(request).some((value) => indexOf(this.#cookies, value) >= 0);
  }

  /** Answers the login of a browser: 204 with a cookie for a valid invitation, 401 otherwise. */
  login(request: Request): Response {
    const at = indexOf(this.#invitations, readToken(request) ?? "");
    if (at < 0) return new Response("This invitation is not valid, or was used already.\n", { status: 401 });
    this.#invitations.splice(at, 1);
    const cookie = `${cookieName(request)}=${remember(this.#cookies, secret())}; HttpOnly; SameSite=Strict; Path=/`;
    return new Response(null, { status: 204, headers: { "set-cookie": cookie, "cache-control": "no-store" } });
  }
}

function remember(secrets: string[], made: string): string {
  secrets.push(made);
  if (secrets.length > MOST) secrets.shift();
  return made;
}

function cookiesOf(request: Request): readonly string[] {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  const own = cookieName(request);
  return pairs.flatMap(([name, value = ""]) => (name === own ? [value] : []));
}

/** Finds a secret. The time does not tell how much of it is right. */
function indexOf(secrets: readonly string[], given: string): number {
  const bytes = Buffer.from(given);
  return secrets.findIndex((one) => bytes.length === one.length && timingSafeEqual(bytes, Buffer.from(one)));
}
