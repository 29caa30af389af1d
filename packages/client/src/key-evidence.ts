import type { Implementation } from "@turnkit/session";
import { checkArgument } from "@turnkit/transport";

/** Versions of an agent that insert a prompt once for each key. The bounds are versions such as `1.20.0`. */
export type KeyedAgent = { readonly name: string; readonly from?: string; readonly below?: string };

/** Agents that are known to insert a prompt once for each key. Share the object between connections. */
export interface KeyEvidence {
  /** Returns `true` if the agent is known to use keys. No agent says so in its `initialize`. */
  honours(info: Implementation): boolean;
  /** Records that the agent answered a further attempt with the id of the first message. */
  learn(info: Implementation): void;
}

/** Maximum number of agents that are learned. A further agent is not remembered. */
const MAX_LEARNED = 1_000;

/** Creates evidence from a list of agents that your program keeps. */
// P-CONF-01, P-CONF-02
export function createKeyEvidence(agents: readonly KeyedAgent[] = []): KeyEvidence {
  const isList = Array.isArray(agents) && agents.every((agent) => typeof agent?.name === "string");
  const remedy = 'pass a list such as [{ name: "some-agent", from: "1.0.0" }]';
  checkArgument(isList, "createKeyEvidence", { got: agents, remedy });
  const learned = new Set<string>();
  const nameOf = ({ name, version }: Implementation) => JSON.stringify([name, version]);
  return {
    honours: (info) =>
      learned.has(nameOf(info)) || agents.some((agent) => agent.name === info.name && isWithin(info.version, agent)),
    learn(info) {
      if (learned.size < MAX_LEARNED) learned.add(nameOf(info));
    },
  };
}

function isWithin(version: string, { from, below }: KeyedAgent): boolean {
  if (from !== undefined && compare(version, from) < 0) return false;
  return below === undefined || compare(version, below) < 0;
}

/** Compares the three numbers of two versions. */
function compare(one: string, other: string): number {
  const [first, second] = [numbersOf(one), numbersOf(other)];
  for (let at = 0; at < 3; at += 1) {
    const difference = (first[at] ?? 0) - (second[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const numbersOf = (version: string): readonly number[] =>
  version.split(/[.+-]/, 3).map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : -1));
