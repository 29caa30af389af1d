/** Returns the subprotocols that a client offers for a WebSocket. */
export function offeredProtocols({ headers }: Request): readonly string[] {
  return (headers.get("Sec-WebSocket-Protocol") ?? "").split(",").map((name) => name.trim());
}
