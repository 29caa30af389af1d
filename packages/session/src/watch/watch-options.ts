import type { DialectName } from "../codec/losses.js";
import type { SessionEvent } from "../event.js";
import type { SessionStore } from "../store.js";

/** Side that sent a message. */
export type WatchedSide = "client" | "agent";

/** Options of a watch. */
export type SessionWatchOptions = {
  /**
   * Called when a session is opened or restored for the first time, and when the agent announces a child session. The
   * store does not contain any event of the session yet.
   */
  readonly onSession?: (sessionId: string, store: SessionStore) => void;
  /**
   * Dialect of the connection.
   * @defaultValue the dialect on which both sides agree in `initialize`
   */
  readonly dialect?: DialectName;
  /**
   * Called with each event of a session, after the store contains it. In every dialect, the types and the order of
   * events are the same as for a listener of `@turnkit/client`.
   */
  readonly onEvent?: (sessionId: string, event: SessionEvent) => void;
  /**
   * Maximum number of sessions. Beyond it, the session without a message for the longest time is closed in its store
   * and removed from the map. A client may never close its sessions.
   * @defaultValue 1000
   */
  readonly maxSessions?: number;
  /**
   * Receives the exceptions of `onSession`, `onEvent` and listeners of stores. Also receives one error for each way in which
   * the watch is called wrong: with text, with the sides swapped, or without the start of the connection.
   * @defaultValue `console.error`
   */
  readonly onError?: (error: unknown) => void;
};

/** Observer of one connection. It reads the messages of both sides, and stores the state of every session. */
export interface SessionWatch {
  /**
   * Stores of the open sessions by session id, also of child sessions. `subagents` in the state of a session has the ids
   * of its child sessions. A session is removed from the map when it, or its parent, is closed or deleted.
   */
  readonly sessions: ReadonlyMap<string, SessionStore>;
  /**
   * Reads one JSON-RPC message. Parse a text first: a text and bytes are reported, and not read. The method never throws.
   * States may contain parts of the message, so do not change it later.
   */
  message(message: unknown, from: WatchedSide): void;
}
