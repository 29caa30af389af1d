import type { AgentCheck } from "../check.js";
import { updateKind } from "../entry.js";
import { CheckFailed } from "../verdict.js";
import type { AgentTrial } from "./agent-trial.js";

type Run = NonNullable<AgentCheck["run"]>;

/**
 * Returns a check of a rule that came with the Preview of version 2. `initialize` is the same in the Preview and in the
 * older draft. An agent that never marks the end of a replay follows the older draft, so its failure is only a warning.
 */
// P-CONF-04
export function previewRule(run: Run): Run {
  return async (agent) => {
    try {
      return await run(agent);
    } catch (error) {
      if (!(error instanceof CheckFailed) || (await marksReplays(agent))) throw error;
      const reason = `${error.message}. The agent does not mark the end of a replay, so it follows an older draft`;
      throw new CheckFailed(reason, error.entries, "advisory");
    }
  };
}

/** Returns `true` if the agent has sent a marker, or sends one when the last session is restored. */
async function marksReplays(agent: AgentTrial): Promise<boolean> {
  const isMarked = () => agent.talk.of("agent").some((entry) => updateKind(entry) === "replay_complete");
  const opened = agent.talk.entries.findLast(({ kind, method }) => kind === "result" && method === "session/new");
  if (isMarked() || opened === undefined || agent.talk.ended) return isMarked();
  const { sessionId } = (opened.frame as { readonly result: { readonly sessionId: unknown } }).result;
  const params = { sessionId, cwd: agent.options.cwd, replayFrom: { type: "start" } };
  const request = agent.begin("session/resume", params);
  await agent.talk.when((entry) => entry.request === request, { ms: agent.options.timeoutMs });
  return isMarked();
}
