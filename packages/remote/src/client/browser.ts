// Entry for bundled pages: `index.ts` without the store of cookies, because a browser has its own.
export type { CookieStore } from "./cookies.js";
export { createCookieStore } from "./cookies.js";
export { openChannel as openRemote } from "./open-channel.js";
export type { ReconnectLimits, RemoteOptions, RemoteState, WebSocketRequest } from "./remote-options.js";
