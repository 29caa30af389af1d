import type { RemoteOptions } from "../remote-options.js";
import { isBrowser } from "../settings.js";

/**
 * Number of session streams that a browser allows over HTTP/1.1: 6 connections, minus one for the connection's stream
 * and one for POSTs.
 */
const MOST_IN_BROWSERS = 4;
const MOST = 1_000;

/** Returns the maximum number of session streams to a server. Call it after the first request to this address. */
// REM-37
export function sessionLimit(url: URL, { maxSessions }: RemoteOptions): number {
  if (maxSessions !== undefined) return maxSessions;
  if (!isBrowser()) return MOST;
  const protocols = performance
    .getEntriesByName(url.href, "resource")
    .map((entry) => (entry as { readonly nextHopProtocol?: string }).nextHopProtocol);
  return protocols.some((name) => name === "h2" || name === "h3") ? MOST : MOST_IN_BROWSERS;
}
