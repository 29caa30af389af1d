/** Store of cookies between requests. */
export interface CookieStore {
  /** Returns the value of the header `Cookie` for a request, or `undefined` without cookies. */
  read(url: URL): string | undefined;
  /** Stores the values of the headers `Set-Cookie` of an answer. */
  write(url: URL, setCookies: readonly string[]): void;
}

/** Maximum number of cookies of a host. */
const MAX_COOKIES = 50;
/** Maximum length of a cookie with its attributes, in characters. */
const MAX_LENGTH = 4096;
/** Maximum number of hosts. */
const MAX_HOSTS = 100;

/**
 * Creates a store of cookies in memory, by host name.
 *
 * - Attributes are ignored, except a `Max-Age` of 0 or less, which deletes the cookie.
 * - A host has at most 50 cookies of at most 4 096 characters. The oldest ones leave first.
 *
 * @example
 * const cookies = createCookieStore();
 * const channel = await openRemote("https://agents.example/acp", { cookies });
 */
export function createCookieStore(): CookieStore {
  const hosts = new Map<string, Map<string, string>>();
  return {
    read({ hostname }) {
      const pairs = [...(hosts.get(hostname) ?? [])];
      return pairs.length === 0 ? undefined : pairs.map(([name, value]) => `${name}=${value}`).join("; ");
    },
    write({ hostname }, setCookies) {
      for (const text of setCookies) {
        const [pair = "", ...attributes] = text.slice(0, MAX_LENGTH).split(";");
        const at = pair.indexOf("=");
        const name = pair.slice(0, at).trim();
        if (at < 1 || name === "" || text.length > MAX_LENGTH) continue;
        const cookies = hosts.get(hostname) ?? new Map<string, string>();
        hosts.set(hostname, cookies);
        cookies.delete(name);
        if (!attributes.some(isExpired)) cookies.set(name, pair.slice(at + 1).trim());
        dropOldest(cookies, MAX_COOKIES);
        dropOldest(hosts, MAX_HOSTS);
      }
    },
  };
}

const isExpired = (attribute: string): boolean => {
  const [name = "", value = ""] = attribute.split("=");
  return name.trim().toLowerCase() === "max-age" && Number(value) <= 0;
};

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.size > most ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}
