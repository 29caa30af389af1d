import { type Entry, resultOf, updateOf } from "../entry.js";
import type { PromptName } from "../prompts.js";
import { sessionOf } from "../talk.js";
import { CheckSkipped } from "../verdict.js";
import type { AgentTrial, Turn } from "./agent-trial.js";

/**
 * Time after the last sign of a running turn in which the end of the turn and the cancel may cross, in milliseconds.
 */
const CROSSING_MS = 2_000;
/** Longest wait for the end of a turn that nobody cancels, in milliseconds. */
const ALONE_MS = 6_000;

/**
 * Returns the prompt of a turn that ended at the moment of its cancel, with the reason of a turn that was not
 * cancelled.
 */
export function crossedPrompt({ longTurns, talk }: AgentTrial): PromptName | undefined {
  return longTurns.find(({ turn, ms }) => {
    const end = talk.entries.find((entry) => isUncancelledEnd(turn, entry));
    return end !== undefined && end.ms - ms < CROSSING_MS;
  })?.name;
}

/**
 * Runs the turn of a prompt without a cancel. Returns `true` if it ends by itself.
 *
 * @throws the skip or the failure of the session that it needs
 */
export async function endsAlone(agent: AgentTrial, name: PromptName): Promise<boolean> {
  const sessionId = await agent.open();
  try {
    const turn = await agent.longTurn(sessionId, name);
    const ms = Math.min(ALONE_MS, agent.options.timeoutMs);
    return (await agent.talk.when((entry) => isUncancelledEnd(turn, entry), { ms })) !== undefined;
  } catch (thrown) {
    // The turn was over before a cancel could be sent.
    return thrown instanceof CheckSkipped;
  }
}

/** Returns `true` for the end of a turn with the reason of a turn that was not cancelled. */
function isUncancelledEnd({ request, sessionId }: Turn, entry: Entry): boolean {
  if (entry.request === request) return resultOf(entry).stopReason === "end_turn";
  return sessionOf(entry) === sessionId && updateOf(entry)?.stopReason === "end_turn";
}
