export type { CookieStore } from "./cookies.js";
export { createCookieStore } from "./cookies.js";
export { openRemote } from "./open-remote.js";
export type { ReconnectLimits, RemoteOptions, RemoteState, WebSocketRequest } from "./remote-options.js";
