import type { Message } from "@turnkit/transport";
import { dropOldest } from "@turnkit/transport";
import { sessionIdOf } from "../wire/session-scope.js";

/** Longest stored update, in characters. A longer update is not stored, and removes the stored one. */
const MAX_LENGTH = 64 * 1024;

/** Maximum number of sessions. The oldest are removed first. */
const MAX_SESSIONS = 1_024;

/** Last `state_update` of each session (version 2). A resumed reader gets it again. */
// REM-46
export class TurnStates {
  readonly #texts = new Map<string, string>();

  /** Stores a message of the agent if it is such an update. */
  seen(message: Message, text: string): void {
    if (!("method" in message) || message.method !== "session/update") return;
    const { update } = (message.params ?? {}) as { readonly update?: { readonly sessionUpdate?: unknown } | null };
    const sessionId = sessionIdOf(message);
    if (update?.sessionUpdate !== "state_update" || sessionId === undefined) return;
    this.#texts.delete(sessionId);
    if (text.length > MAX_LENGTH) return;
    this.#texts.set(sessionId, text);
    dropOldest(this.#texts, MAX_SESSIONS);
  }

  /** Returns the texts of the last updates of one session, or of all. */
  texts(sessionId: string | undefined): readonly string[] {
    if (sessionId === undefined) return [...this.#texts.values()];
    const text = this.#texts.get(sessionId);
    return text === undefined ? [] : [text];
  }
}
