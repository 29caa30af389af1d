import type { StopReason } from "@turnkit/session";
import type { Calls } from "@turnkit/session/codec";
import type { AgentHandlers, TurnResult } from "./agent.js";
import type { LiveSession } from "./live-session.js";
import { LiveTurn } from "./live-turn.js";
import type { PromptJob } from "./prompt-job.js";

/** Lets the agent answer one prompt; the turn lasts until the job's end, which a cancel may bring before the handler's. */
export async function runTurn<S>(
  handlers: AgentHandlers<S>,
  session: LiveSession<S>,
  { request, job }: { readonly request: Calls["prompt"]["params"]; readonly job: PromptJob },
): Promise<TurnResult | StopReason | undefined | void> {
  const messageId = session.newId("user");
  session.begin({ messageId, prompt: request.prompt });
  const turn = new LiveTurn(session, request, job.cancellation);
  job.onEnd = (end) => {
    turn.end();
    return session.endTurn(messageId, end);
  };
  await job.insert(messageId);
  if (job.cancellation.isCancelled) return;
  const result = await handlers.prompt(turn);
  await turn.drain();
  return result;
}
