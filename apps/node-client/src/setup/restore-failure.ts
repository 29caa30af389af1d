import type { RestoreFailure, RestoreOutcome } from "@turnkit/client";

type Unavailable = Extract<RestoreOutcome, { status: "unavailable" }>;

/**
 * What was brought back.
 *
 * @throws RestoreFailedError where nothing was; the agent's own refusal where a login would help
 */
export function restored(sessionId: string, outcome: RestoreOutcome): Exclude<RestoreOutcome, Unavailable> {
  if (outcome.status !== "unavailable") return outcome;
  throw outcome.reason === "login" ? outcome.error : new RestoreFailedError(sessionId, outcome);
}

/** What is said where a session goes on without what was said in it. */
export const notToldAgain = "The agent goes on with it, but does not tell what was said before.";

const advice: Readonly<Record<RestoreFailure, string>> = {
  unsupported: "This agent cannot bring sessions back, or not in such a place.",
  busy: "It is being brought back already.",
  unknown:
    "The agent has no such session; turnkit sessions list shows those that it has. Some agents find a session only in its own directory: see --cwd.",
  login: "The agent wants a login first.",
  refused: "The agent refused.",
  ended: "The agent went away.",
};

/** Says that a session was not brought back, why, and what helps. */
class RestoreFailedError extends Error {
  override readonly name = "RestoreFailedError";
  readonly why: RestoreFailure;

  constructor(sessionId: string, { reason, error }: Unavailable) {
    super(`Session ${sessionId} was not brought back: ${error.message}\n${advice[reason]}`, { cause: error });
    this.why = reason;
  }
}
