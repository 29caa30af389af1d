import { bytesOf } from "../bytes.js";
import { merge, patchedBy, type Rules, replace } from "../entity.js";
import type { SessionEvent } from "../event.js";
import { addTo, filtered, type Keyed, type Naming, replaceIn } from "../keyed.js";
import { kept } from "../patch.js";
import type { Plan } from "../plan.js";
import type { SessionState } from "../state.js";
import type { SubagentPatch, SubagentState } from "../subagent.js";
import { remembering, updated, withAnomaly } from "../timeline.js";

/** Plans are found by their id. */
export const planNaming: Naming<Plan> = { key: (plan) => plan.planId };
/** Child sessions are found by their id. */
export const subagentNaming: Naming<SubagentState> = { key: (subagent) => subagent.sessionId };

/** What a state keeps beside its timeline: how many at most, and how many of the oldest go at once when there are more. */
const LIMITS = { terminals: [1000, 250], plans: [100, 1], subagents: [1000, 250] } as const;

const SUBAGENT: Rules = {
  title: replace,
  description: replace,
  capabilities: replace,
  activity: replace,
  cwd: replace,
  additionalDirectories: replace,
  _meta: merge,
};

/** Puts something into its list under its id: where that is already, else at the end. */
export function withListed(state: SessionState, list: keyof typeof LIMITS, id: string, item: object): SessionState {
  const known = state[list] as Keyed<object>;
  const position = known.indexOf(id);
  const before = known.get(id);
  if (before === item) return state;
  if (before !== undefined) {
    // A plan is replaced whole, by one that may lack what it had.
    const grown = list === "plans" ? bytesOf(item) - bytesOf(before) : undefined;
    return updated(state, { [list]: replaceIn(known, position, item, grown) });
  }
  const [most, surplus] = LIMITS[list];
  if (known.length < most) return updated(state, { [list]: addTo(known, item) });
  const newer = filtered(known, (_, at) => at >= surplus);
  return withAnomaly(updated(state, { [list]: addTo(newer, item) }), `more than ${most} ${list}`);
}

/** Replaces a plan whole, also when its form changes (V2-UPD-16). A new one ends the message before it. */
export function foldPlan(state: SessionState, { plan }: SessionEvent & { type: "plan_update" }): SessionState {
  const before = state.plans.get(plan.planId);
  if (before !== undefined) return withListed(state, "plans", plan.planId, kept(before, plan));
  return remembering(withListed(state, "plans", plan.planId, plan), { openMessage: undefined });
}

/** Forgets a plan; an unknown id is nothing to do (V2-UPD-18). */
export function foldPlanRemoved(state: SessionState, planId: string): SessionState {
  if (!state.plans.has(planId)) return state;
  return updated(state, { plans: filtered(state.plans, (plan) => plan.planId !== planId) });
}

/** Announces a child session or patches what is known of it (V2-UPD-26); what it is doing is replaced whole. */
export function foldSubagent(state: SessionState, event: SubagentPatch): SessionState {
  const { sessionId, state: activity } = event;
  const before = state.subagents.get(sessionId) ?? { sessionId };
  return withListed(state, "subagents", sessionId, patchedBy(before, SUBAGENT, { ...event, activity }));
}
