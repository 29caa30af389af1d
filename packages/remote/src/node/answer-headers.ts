/** Headers about one connection of HTTP/1.1. HTTP/2 forbids them. */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "te",
]);

/** Returns `true` if an answer may have `Content-Length`. Answers to HEAD, 204 and 304 have no body. */
export function hasLength(method: string | undefined, status: number): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}

/** Returns the headers of an answer. Each `Set-Cookie` stays a line of its own, and headers of the connection are dropped. */
export function answerHeaders(headers: Headers): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {};
  for (const [name, value] of headers) if (!ofConnection.has(name)) result[name] = value;
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) result["set-cookie"] = cookies;
  return result;
}
