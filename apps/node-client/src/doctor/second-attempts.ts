import type { Client, ContentBlock, EventListener, RestoreOutcome, Session } from "@turnkit/client";

/** Prompt with the key of its first attempt. */
export type KeyedPrompt = { readonly content: readonly ContentBlock[]; readonly idempotencyKey: string };

/**
 * Sends a prompt again with its key, after its turn has ended. If the agent ignores the key and begins to work, the work is
 * cancelled.
 *
 * @throws Error if the agent refuses the second attempt
 */
export async function repeatPrompt(session: Session, { content, idempotencyKey }: KeyedPrompt): Promise<void> {
  const turn = session.prompt(content, { idempotencyKey });
  const forget = session.subscribe(() => {
    if (session.state.activity.state === "idle") return;
    forget();
    void turn.cancel();
  });
  const { error } = await turn.ended.finally(forget);
  if (error) throw new Error(`${error.message} (code ${error.code})`);
}

/**
 * Restores an open session.
 *
 * @throws the error of the agent
 */
export async function restoreAgain(
  client: Client,
  { id, cwd }: Session,
  onEvent: EventListener,
): Promise<Exclude<RestoreOutcome, { status: "unavailable" }>> {
  const outcome = await client.restore(id, { cwd }, onEvent);
  if (outcome.status === "unavailable") throw outcome.error;
  return outcome;
}
