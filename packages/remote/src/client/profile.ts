/** Returns the profile of ACP that a URL selects, or `undefined` for another scheme. */
export function remoteProfile(url: string | URL): "http" | "websocket" | undefined {
  const { protocol } = new URL(url);
  if (protocol === "http:" || protocol === "https:") return "http";
  return protocol === "ws:" || protocol === "wss:" ? "websocket" : undefined;
}
