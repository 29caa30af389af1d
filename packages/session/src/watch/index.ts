export { watchSessions } from "./connection-watch.js";
export type { SessionWatch, SessionWatchOptions, WatchedSide } from "./watch-options.js";
export { type MessageStream, watchStream } from "./watch-stream.js";
