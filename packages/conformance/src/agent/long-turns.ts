import { type Entry, resultOf, updateOf } from "../entry.js";
import type { PromptName } from "../prompts.js";
import { sessionOf } from "../talk.js";
import { CheckSkipped } from "../verdict.js";
import type { AgentTrial, Turn } from "./agent-trial.js";

/** An end that comes later than this after the last sign of the turn did not cross the cancel. In milliseconds. */
const CROSSING_MS = 2_000;
/** Time in which a turn that nobody cancels shows that it ends by itself, in milliseconds. */
const ALONE_MS = 6_000;

/** Returns the prompt of a turn that ended as if by itself, at the moment of the cancel. */
export function crossedPrompt({ longTurns, talk }: AgentTrial): PromptName | undefined {
  return longTurns.find(({ turn, ms }) => {
    const end = talk.entries.find((entry) => isEnd(turn, entry));
    return end !== undefined && end.ms - ms < CROSSING_MS;
  })?.name;
}

/** Runs the turn of a prompt without a cancel. Returns `true` if it ends by itself. */
export async function endsAlone(agent: AgentTrial, name: PromptName): Promise<boolean> {
  try {
    const turn = await agent.longTurn(await agent.open(), name);
    const ms = Math.min(ALONE_MS, agent.options.timeoutMs);
    return (await agent.talk.when((entry) => isEnd(turn, entry), { ms })) !== undefined;
  } catch (thrown) {
    return thrown instanceof CheckSkipped;
  }
}

/** Returns `true` for the end of a turn with the reason of a turn that was not cancelled. */
function isEnd({ request, sessionId }: Turn, entry: Entry): boolean {
  if (entry.request === request) return resultOf(entry).stopReason === "end_turn";
  return sessionOf(entry) === sessionId && updateOf(entry)?.stopReason === "end_turn";
}
