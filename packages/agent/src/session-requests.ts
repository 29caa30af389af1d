import type { SessionPlace } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";

/** Place and MCP servers of a new session. */
export type NewSession = SessionPlace;

/** Session to restore. Updates that the handler emits reach the client before the answer: replay history there. */
export type RestoreSession = SessionPlace & {
  readonly sessionId: string;
  /** True if the client wants the history. Always false with a `log`, which replays by itself. */
  readonly replay: boolean;
};

/** Query for sessions; `cwd` selects sessions of exactly that folder. Cursors are the agent's own. */
export type ListSessions = Calls["listSessions"]["params"];

/** Page of sessions, with the cursor of the next page if there is one. */
export type SessionPage = Calls["listSessions"]["result"];
