// The entry for pages that are bundled: `index.ts` without the store of cookies, which a browser has itself.
export type { CookieStore } from "./cookies.js";
export { createCookieStore } from "./cookies.js";
export { openChannel as openRemote } from "./open-channel.js";
export type { ReconnectLimits, RemoteOptions, RemoteState, WebSocketRequest } from "./remote-options.js";
