import { type Draft, note, remember } from "../draft.js";
import { patchedBy } from "../entity.js";
import type { SessionEvent } from "../event.js";
import { addTo, filtered, type Keyed, type Naming, replaceIn } from "../keyed.js";
import { kept } from "../patch.js";
import type { Plan } from "../plan.js";
import type { SubagentPatch, SubagentState } from "../subagent.js";

/** Plans are found by their id. */
export const planNaming: Naming<Plan> = { names: (plan) => [plan.planId] };
/** Child sessions are found by their id. */
export const subagentNaming: Naming<SubagentState> = { names: (subagent) => [subagent.sessionId] };

/** What a state keeps beside its timeline: how many at most, and how many of the oldest go at once when there are more. */
const LIMITS = { terminals: [1000, 250], plans: [100, 1], subagents: [1000, 250] } as const;

/** Puts something into its list under its id: where that is already, else at the end. */
export function putListed(draft: Draft, list: keyof typeof LIMITS, id: string, item: object): void {
  const lists = draft as { [list: string]: unknown };
  const known = draft[list] as Keyed<object>;
  const position = known.indexOf(id);
  const [most, surplus] = LIMITS[list];
  if (position < 0) {
    const isFull = known.length >= most;
    lists[list] = addTo(isFull ? filtered(known, (_, at) => at >= surplus) : known, item);
    if (isFull) note(draft, `more than ${most} ${list}`);
  } else if (known.at(position) !== item) lists[list] = replaceIn(known, position, item);
}

/** Replaces a plan whole, also when its form changes (V2-UPD-16). A new one ends the message before it. */
export function foldPlan(draft: Draft, { plan }: SessionEvent & { type: "plan_update" }): void {
  const before = draft.plans.get(plan.planId);
  if (before === undefined) remember(draft, { openMessage: undefined });
  putListed(draft, "plans", plan.planId, kept(before, plan) as Plan);
}

/** Forgets a plan; an unknown id is nothing to do (V2-UPD-18). */
export function foldPlanRemoved(draft: Draft, { planId }: SessionEvent & { type: "plan_removed" }): void {
  if (draft.plans.has(planId)) draft.plans = filtered(draft.plans, (plan) => plan.planId !== planId);
}

/** Announces a child session or patches what is known of it (V2-UPD-26); what it is doing is replaced whole. */
export function foldSubagent(draft: Draft, { state: activity, ...patch }: SubagentPatch): void {
  const before = draft.subagents.get(patch.sessionId) ?? { sessionId: patch.sessionId };
  putListed(draft, "subagents", patch.sessionId, patchedBy(before, { ...patch, activity }));
}
