import { dropOldest } from "@turnkit/transport";
import { isLoopbackHost } from "../wire/loopback.js";

/** Store of cookies between requests. */
export interface CookieStore {
  /** Returns the value of the header `Cookie` for a request, or `undefined` without cookies. */
  read(url: URL): string | undefined;
  /** Stores the values of the headers `Set-Cookie` of an answer. */
  write(url: URL, setCookies: readonly string[]): void;
}

type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  readonly ends: number;
};

/** Maximum number of cookies of a host. */
const MAX_COOKIES = 50;
/** Maximum length of a cookie with its attributes, in characters. */
const MAX_LENGTH = 4096;
/** Maximum number of hosts. */
const MAX_HOSTS = 100;

/**
 * Creates a store of cookies in memory, by host name.
 *
 * - A cookie goes back to the host that set it, and to no other one. A cookie whose `Domain` is another site is refused.
 * - `Secure` cookies go to `https:` and `wss:` addresses only, and to this machine. Other servers cannot set them,
 *   and cannot replace or hide one of the same host.
 * - `Path`, `Max-Age`, `Expires` and the prefixes `__Host-` and `__Secure-` are honoured.
 * - `HttpOnly` and `SameSite` are ignored. They only matter in browsers, because they protect cookies from pages.
 * - A host has at most 50 cookies of at most 4 096 characters. The oldest cookies are removed first.
 *
 * @example
 * const cookies = createCookieStore();
 * const channel = await openRemote("https://agents.example/acp", { cookies });
 */
export function createCookieStore(): CookieStore {
  const hosts = new Map<string, Map<string, Cookie>>();
  return {
    read(url) {
      const cookies = hosts.get(url.hostname) ?? new Map<string, Cookie>();
      const pairs: { readonly pair: string; readonly path: string }[] = [];
      for (const [key, { name, value, path, isSecure, ends }] of cookies) {
        if (ends <= Date.now()) cookies.delete(key);
        else if (isUnder(url.pathname, path) && (!isSecure || isTrusted(url)))
          pairs.push({ pair: `${name}=${value}`, path });
      }
      // Servers read the first of two cookies with the same name.
      pairs.sort((a, b) => b.path.length - a.path.length);
      return pairs.length === 0 ? undefined : pairs.map(({ pair }) => pair).join("; ");
    },
    write(url, setCookies) {
      for (const text of setCookies) {
        const cookie = text.length > MAX_LENGTH || CONTROL.test(text) ? undefined : readCookie(text, url);
        const cookies = hosts.get(url.hostname) ?? new Map<string, Cookie>();
        if (cookie === undefined || (!isTrusted(url) && hidesSecure(cookie, cookies.values()))) continue;
        hosts.set(url.hostname, cookies);
        // Neither a path nor a name contains a semicolon.
        const key = `${cookie.path};${cookie.name}`;
        cookies.delete(key);
        if (cookie.ends > Date.now()) cookies.set(key, cookie);
        dropOldest(cookies, MAX_COOKIES);
        dropOldest(hosts, MAX_HOSTS);
      }
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a cookie with one of them is refused
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

/** Returns `true` for a cookie that servers would read in place of a `Secure` one. */
function hidesSecure({ name, path }: Cookie, others: Iterable<Cookie>): boolean {
  for (const other of others)
    if (other.isSecure && other.name === name && other.ends > Date.now() && isUnder(path, other.path)) return true;
  return false;
}

/** Reads a header. Returns `undefined` for a cookie that this host may not set. */
function readCookie(text: string, url: URL): Cookie | undefined {
  const [pair = "", ...list] = text.split(";");
  const at = pair.indexOf("=");
  const name = pair.slice(0, at).trim();
  if (at < 1 || name === "") return undefined;
  const attributes = new Map(list.map((one) => attributeIn(one)));
  const isSecure = attributes.has("secure");
  if (isSecure && !isTrusted(url)) return undefined;
  if (!isSecure && /^__(?:host|secure)-/i.test(name)) return undefined;
  const domain = (attributes.get("domain") ?? "").replace(/^\./, "").toLowerCase();
  if (domain !== "" && domain !== url.hostname && !url.hostname.endsWith(`.${domain}`)) return undefined;
  const given = attributes.get("path") ?? "";
  if (/^__host-/i.test(name) && (domain !== "" || given !== "/")) return undefined;
  const path = given.startsWith("/") ? given : folderOf(url.pathname);
  return { name, value: pair.slice(at + 1).trim(), path, isSecure, ends: endOf(attributes) };
}

function attributeIn(text: string): readonly [name: string, value: string] {
  const [name = "", ...value] = text.split("=");
  return [name.trim().toLowerCase(), value.join("=").trim()];
}

/** Returns the time at which a cookie ends, in milliseconds. `Max-Age` has priority over `Expires`. */
function endOf(attributes: ReadonlyMap<string, string>): number {
  const age = attributes.get("max-age") ?? "";
  if (/^-?\d+$/.test(age)) return Number(age) <= 0 ? 0 : Date.now() + Number(age) * 1000;
  const time = Date.parse(attributes.get("expires") ?? "");
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

const isTrusted = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || protocol === "wss:" || isLoopbackHost(hostname);

const isUnder = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);

/** Returns the path of a cookie that has no valid `Path`. */
const folderOf = (pathname: string): string => pathname.slice(0, Math.max(1, pathname.lastIndexOf("/")));
