import { ConnectionWatch } from "./connection-watch.js";
import type { SessionWatch, SessionWatchOptions } from "./watch-options.js";

/**
 * Creates a watch for a connection that any other library serves. The watch has the state of every session.
 *
 * @example
 * const watch = watchSessions({ onSession: (id, store) => store.subscribe(() => draw(store.getState())) });
 * watch.message({ jsonrpc: "2.0", id: 1, method: "session/prompt", params }, "client");
 */
export function watchSessions(options: SessionWatchOptions = {}): SessionWatch {
  return new ConnectionWatch(options);
}
