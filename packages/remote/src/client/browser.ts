/** Returns `true` in a page or a worker of a browser. Browsers set no headers of a WebSocket, and keep cookies. */
export function isBrowser(): boolean {
  return "document" in globalThis || "importScripts" in globalThis;
}
