import type { Codec } from "../codec/codec.js";
import type { SessionStore } from "../store.js";
import type { SessionWatchOptions } from "./watch-options.js";
import { WatchedChildren } from "./watched-children.js";
import { WatchedSession } from "./watched-session.js";

const MAX_SESSIONS = 1_000;

/** Parts of a watched connection that its sessions use. */
type WatchParts = {
  /** Returns the codec of the connection, which the answer of `initialize` may change. */
  codec(): Codec;
  /** Returns `true` while a restore of the session is open. */
  isRestored(sessionId: string): boolean;
};

/** Sessions of a watched connection. Beyond `maxSessions`, the session with the oldest message is removed. */
export class WatchedSessions {
  readonly stores = new Map<string, SessionStore>();
  readonly children = new WatchedChildren({
    has: (id) => this.#sessions.has(id),
    isRestored: (id) => this.#parts.isRestored(id),
    find: (id) => this.find(id),
    enter: (id) => this.enter(id),
  });
  /** Sessions are ordered by their newest messages. */
  readonly #sessions = new Map<string, WatchedSession>();
  readonly #options: SessionWatchOptions;
  readonly #parts: WatchParts;

  constructor(options: SessionWatchOptions, parts: WatchParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Returns a session. The session then counts as the one with the newest message. */
  find(sessionId: string): WatchedSession | undefined {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return undefined;
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** Returns a session, which is created if it is new. */
  enter(sessionId: string): WatchedSession {
    const open = this.find(sessionId);
    if (open !== undefined) return open;
    const { maxSessions = MAX_SESSIONS, onEvent, onSession } = this.#options;
    const session = new WatchedSession(this.#parts.codec(), {
      published: (event) => onEvent?.(sessionId, event),
      announced: (patch) => this.children.announced(sessionId, patch),
      guard: (call) => this.#guard(call),
    });
    this.#sessions.set(sessionId, session);
    this.stores.set(sessionId, session.store);
    const [silent] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions) this.leave(silent as string, `the watch keeps ${maxSessions} sessions`);
    this.#guard(() => onSession?.(sessionId, session.store));
    return session;
  }

  /** Ends a session and its child sessions. */
  leave(sessionId: string, reason?: string): void {
    for (const id of this.children.remove(sessionId)) {
      const session = this.#sessions.get(id);
      this.#sessions.delete(id);
      this.stores.delete(id);
      session?.closed(reason);
    }
  }

  /** Calls a function of the user. An exception of this function is only reported. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Reports an error to `onError`. Never throws. */
  failed(error: unknown): void {
    try {
      // biome-ignore lint/suspicious/noConsole: an error that reaches nobody is worse than a line on stderr
      (this.#options.onError ?? console.error)(error);
    } catch {
      // `onError` itself threw, and there is no other receiver of errors.
    }
  }
}
