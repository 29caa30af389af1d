import type { AgentTrial } from "./agent/agent-trial.js";
import type { DialectName } from "./dialects/dialect.js";
import type { Talk } from "./talk.js";

/**
 * Weight of a check, with the words of the official test kit:
 *
 * - `mandatory`: the protocol says MUST.
 * - `capability`: an announced capability has to work.
 * - `advisory`: the protocol says SHOULD. A failure is a warning.
 * - `informational`: the check only notes what the agent does.
 */
export type Tier = "mandatory" | "capability" | "advisory" | "informational";

/** Part of every check that people read. */
export type CheckFacts = {
  /** Stable id. Ids that begin with `ACP-` are those of the official test kit. */
  readonly id: string;
  /** Sentence that is true for a correct peer. */
  readonly title: string;
  readonly tier: Tier;
  readonly dialects: readonly DialectName[];
  /** Ids of requirements. Their first part selects the page of the protocol. */
  readonly requirements: readonly string[];
  /** `true` if the check belongs to the quick suite. */
  readonly quick?: true;
};

/** Remark of an informational check. */
export type Observation = string | void;

/**
 * Check of an agent. `run` has a conversation of its own. `watch` judges every conversation of the run, after its end. Both
 * end normally, or by `fail` or `skip`.
 */
export type AgentCheck = CheckFacts &
  (
    | { readonly run: (agent: AgentTrial) => Promise<Observation> }
    | { readonly watch: (talk: Talk) => Observation; readonly run?: undefined }
  );
