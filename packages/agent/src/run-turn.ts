import type { ContentBlock, StopReason } from "@turnkit/session";
import { toRpcError } from "@turnkit/transport";
import type { AgentHandlers } from "./agent.js";
import type { LiveSession } from "./live-session.js";
import { LiveTurn } from "./live-turn.js";
import type { PromptJob, TurnEnd } from "./prompt-job.js";

/** Lets the agent answer one prompt; the turn lasts until the job's end, which a cancel may bring before the handler's. */
export async function runTurn<S>(
  handlers: AgentHandlers<S>,
  session: LiveSession<S>,
  { prompt, job }: { readonly prompt: readonly ContentBlock[]; readonly job: PromptJob },
): Promise<StopReason | undefined | void> {
  const promptId = session.newId("prompt");
  session.record({ type: "user_message", messageId: promptId, content: prompt });
  session.record({ type: "turn_started", promptId });
  const turn = new LiveTurn(session, prompt, job.signal);
  void job.ended.then((end) => {
    turn.end();
    session.record({ type: "turn_ended", promptId, ...describeEnd(end) });
  });
  const reason = await handlers.prompt(turn);
  await turn.drain();
  return reason;
}

function describeEnd(end: TurnEnd) {
  if ("stopReason" in end) return end;
  const { code, message } = toRpcError(end.error);
  return { error: { code, message } };
}
