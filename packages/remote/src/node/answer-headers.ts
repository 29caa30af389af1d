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

/** Returns the headers of an answer. Each `Set-Cookie` stays a line of its own, and headers of the connection are dropped. */
export function answerHeaders(headers: Headers): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {};
  for (const [name, value] of headers) if (!ofConnection.has(name)) result[name] = value;
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) result["set-cookie"] = cookies;
  return result;
}
