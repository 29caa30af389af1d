export type { SessionWatch, SessionWatchOptions, WatchedSide } from "./session-watch.js";
export { watchSessions } from "./session-watch.js";
export { type MessageStream, watchStream } from "./watch-stream.js";
