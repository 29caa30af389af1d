import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { hasToken, readToken } from "@turnkit/remote/server";

/**
 * Returns the name of the cookie of a browser that has logged in. A browser has the same cookies for all ports of a host, so
 * the name has the port that the browser uses.
 */
const cookieName = ({ url }: Request): string => `turnkit-${new URL(url).port || "default"}`;

/**
 * Maximum number of open invitations, and of browsers that are logged in. A further invitation or browser replaces the
 * oldest.
 */
export const MOST_LOGINS = 100;

export const LOGIN_SECONDS = 30 * 24 * 60 * 60;

/** Login of one browser: the SHA-256 digest of its cookie, and its end in milliseconds since 1970. */
export type Login = { readonly digest: string; readonly until: number };

/** Logins of earlier servers, and a function that stores logins for later servers. */
export type LoginBook = {
  readonly logins: readonly Login[];
  readonly keep: (login: Login) => void;
  /** Clock in milliseconds since 1970. */
  readonly now?: () => number;
};

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

const secret = (): string => randomBytes(24).toString("base64url");

/**
 * Browsers and programs that may use a server.
 *
 * - A browser shows an invitation once, and gets a cookie for 30 days. Later servers with the same book accept this
 *   cookie too.
 * - A program shows the token of the user with each request.
 */
// SHARE-12, SHARE-13
export class Visitors {
  readonly #token: string | undefined;
  readonly #invitations: string[] = [];
  readonly #logins: Login[];
  readonly #keep: LoginBook["keep"];
  readonly #now: () => number;

  /**
   * @param token token for programs; without a token, only browsers can use the server
   * @param book logins of earlier servers
   */
  constructor(token: string | undefined, { logins, keep, now = Date.now }: LoginBook) {
    this.#token = token;
    this.#logins = [...logins];
    this.#keep = keep;
    this.#now = now;
  }

  /** Returns a new invitation, which one browser can use once. */
  invite(): string {
    return remember(this.#invitations, secret());
  }

  /** Returns true for a request with the cookie of a browser that has logged in, or with the token. */
  knows(request: Request): boolean {
    if (this.#token !== undefined && hasToken(request, this.#token)) return true;
    const now = this.#now();
    const valid = this.#logins.filter(({ until }) => until > now).map(({ digest }) => digest);
    return cookiesOf(request).some((value) => indexOf(valid, digestOf(value)) >= 0);
  }

  /** Answers the login of a browser: 204 with a cookie for a valid invitation, 401 otherwise. */
  login(request: Request): Response {
    const at = indexOf(this.#invitations, readToken(request) ?? "");
    if (at < 0) return new Response("This invitation is not valid, or was used already.\n", { status: 401 });
    this.#invitations.splice(at, 1);
    const value = secret();
    const until = this.#now() + LOGIN_SECONDS * 1000;
    this.#keep(remember(this.#logins, { digest: digestOf(value), until }));
    const attributes = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${LOGIN_SECONDS}`;
    const cookie = `${cookieName(request)}=${value}; ${attributes}`;
    return new Response(null, { status: 204, headers: { "set-cookie": cookie, "cache-control": "no-store" } });
  }
}

function remember<T>(all: T[], made: T): T {
  all.push(made);
  if (all.length > MOST_LOGINS) all.shift();
  return made;
}

function cookiesOf(request: Request): readonly string[] {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  const own = cookieName(request);
  return pairs.flatMap(([name, value = ""]) => (name === own ? [value] : []));
}

/** Finds a secret in constant time, so that an attacker cannot measure the number of correct characters. */
function indexOf(secrets: readonly string[], given: string): number {
  const bytes = Buffer.from(given);
  return secrets.findIndex((one) => bytes.length === one.length && timingSafeEqual(bytes, Buffer.from(one)));
}
