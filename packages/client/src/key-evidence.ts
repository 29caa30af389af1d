import type { Implementation } from "@turnkit/session";
import { checkArgument, checkOptions } from "@turnkit/transport";

/**
 * Versions of an agent that insert a prompt once for each key: from `from` on, and before `below`. The bounds are
 * versions such as `1.20.0`. A prerelease is before its release. Without bounds, every version belongs to the range.
 */
export type KeyedAgent = { readonly name: string; readonly from?: string; readonly below?: string };

/** Agents that are known to insert a prompt once for each key. Share the object between connections. */
export interface KeyEvidence {
  /** Returns `true` if the agent certainly uses keys. The answer to `initialize` does not contain this fact. */
  honours(info: Implementation): boolean;
  /** Records that the agent answered a further attempt with the id of the first message. */
  learn(info: Implementation): void;
}

/** Maximum number of agents that are recorded after a successful retry. A further agent is not recorded. */
const MAX_LEARNED = 1_000;

/**
 * Creates evidence from a list of agents that your program keeps. A version that cannot be read belongs to no range.
 *
 * @throws TypeError for a bound that is not a version
 */
// P-CONF-01, P-CONF-02
export function createKeyEvidence(agents: readonly KeyedAgent[] = []): KeyEvidence {
  const isAgent = (agent: unknown) =>
    typeof agent === "object" && agent !== null && typeof (agent as KeyedAgent).name === "string";
  const remedy = 'pass a list such as [{ name: "some-agent", from: "1.0.0" }]';
  checkArgument(Array.isArray(agents) && agents.every(isAgent), "createKeyEvidence", { got: agents, remedy });
  const known = agents.map((agent) => {
    checkOptions("createKeyEvidence", agent, { name: "any", from: "any", below: "any" });
    return { name: agent.name, from: boundOf(agent, "from"), below: boundOf(agent, "below") };
  });
  const learned = new Set<string>();
  const nameOf = ({ name, version }: Implementation) => JSON.stringify([name, version]);
  return {
    honours: (info) =>
      learned.has(nameOf(info)) || known.some((agent) => agent.name === info.name && isWithin(info.version, agent)),
    learn(info) {
      if (learned.size < MAX_LEARNED) learned.add(nameOf(info));
    },
  };
}

/** Three numbers, and the words of a prerelease. */
type Version = { readonly numbers: readonly number[]; readonly words: readonly string[] };

type Bounds = { readonly from: Version | undefined; readonly below: Version | undefined };

/** @throws TypeError for a bound that is not a version */
function boundOf(agent: KeyedAgent, bound: keyof Bounds): Version | undefined {
  const { name, [bound]: got } = agent;
  if (got === undefined) return undefined;
  const version = typeof got === "string" ? parseVersion(got) : undefined;
  const remedy = 'pass a version such as "1.20.0", or nothing';
  checkArgument(version !== undefined, `createKeyEvidence ${bound} of ${name}`, { got, remedy });
  return version;
}

function isWithin(text: string, { from, below }: Bounds): boolean {
  if (from === undefined && below === undefined) return true;
  const version = parseVersion(text);
  if (version === undefined || (from && compare(version, from) < 0)) return false;
  return below === undefined || compare(version, below) < 0;
}

const FORM = /^(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([\w-]+(?:\.[\w-]+)*))?(?:\+[\w.-]+)?$/;

function parseVersion(text: string): Version | undefined {
  const [whole, major, minor = 0, patch = 0, words] = FORM.exec(text) ?? [];
  return whole === undefined
    ? undefined
    : { numbers: [major, minor, patch].map(Number), words: words?.split(".") ?? [] };
}

function compare(one: Version, other: Version): number {
  for (const [at, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[at] as number);
    if (difference !== 0) return difference;
  }
  if (one.words.length === 0 || other.words.length === 0) return other.words.length - one.words.length;
  for (const [at, word] of one.words.entries()) {
    const difference = compareWords(word, other.words[at] ?? "");
    if (difference !== 0) return difference;
  }
  return one.words.length - other.words.length;
}

/** Numbers come before other words. */
function compareWords(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [one, other].map((word) => /^\d+$/.test(word));
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber && other !== "") return isNumber ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
}
