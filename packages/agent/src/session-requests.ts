import type { SessionPlace } from "@turnkit/session";

export type { ListSessions, SessionPage } from "@turnkit/session";

/** Place and MCP servers of a new session. */
export type NewSession = SessionPlace;

/** Session to restore. Updates that the handler emits reach the client before the answer: replay history there. */
export type RestoreSession = SessionPlace & {
  readonly sessionId: string;
  /** True if the client wants the history. Always false with a `log`, which replays by itself. */
  readonly replay: boolean;
};
