import type { Client, EventListener, RestoreFailure, RestoreOutcome, Session } from "@turnkit/client";
import type { View } from "../view.js";
import type { Setup } from "./setup.js";

/** Session to open: a new one, or the one with an id. */
export type Opening = {
  readonly setup: Pick<Setup, "directory" | "mcpServers">;
  readonly sessionId?: string | undefined;
  readonly listener?: EventListener;
  readonly note: View["note"];
};

/** Opened session; `restored` is absent for a new one. */
export type Opened = { readonly session: Session; readonly restored?: Restored["status"] };

type Restored = Exclude<RestoreOutcome, { status: "unavailable" }>;

/**
 * Opens a new session, or restores the one with the id. Notes if the agent does not send its conversation.
 *
 * @throws Error with advice, or the agent's refusal if a login would help
 */
export async function openSession(client: Client, { setup, sessionId, listener, note }: Opening): Promise<Opened> {
  const place = { cwd: setup.directory, mcpServers: setup.mcpServers };
  if (sessionId === undefined) return { session: await client.newSession(place, listener) };
  const { status, session } = restored(sessionId, await client.restore(sessionId, place, listener));
  if (status === "resumed") note("The agent goes on with it, but does not tell what was said before.");
  return { session, restored: status };
}

/**
 * Returns a restored session.
 *
 * @throws Error with advice, or the agent's refusal if a login would help
 */
export function restored(sessionId: string, outcome: RestoreOutcome): Restored {
  if (outcome.status !== "unavailable") return outcome;
  const { reason, error } = outcome;
  if (reason === "login") throw error;
  throw new Error(`Session ${sessionId} was not brought back: ${error.message}\n${advice[reason]}`, { cause: error });
}

const advice: Readonly<Record<RestoreFailure, string>> = {
  unsupported: "This agent cannot bring sessions back, or not in such a place.",
  busy: "It is being brought back already.",
  unknown:
    "The agent has no such session; turnkit sessions list shows those that it has. Some agents find a session only in its own directory: see --cwd.",
  login: "The agent wants a login first.",
  refused: "The agent refused.",
  ended: "The agent went away.",
};
