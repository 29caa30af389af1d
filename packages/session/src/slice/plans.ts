import { changed, remember } from "../change.js";
import type { EventOf } from "../event.js";
import { filtered } from "../keyed-list.js";
import { PLAN_KIND, upserted } from "../kind.js";
import { kept } from "../patch.js";
import type { Plan } from "../plan.js";
import type { SessionState } from "../state.js";
import { COMPLETE } from "../timeline.js";

/** Replaces a plan as a whole, even if its form changes. A new plan completes the message before it. */
// V2-UPD-16
export function foldPlan(state: SessionState, { plan }: EventOf<"plan_update">): SessionState {
  const next = upserted<Plan>(state, plan, PLAN_KIND, (before) => kept(before, plan));
  return state.plans.has(plan.planId) ? next : remember(next, COMPLETE);
}

/** Removes a plan. An unknown id changes nothing. */
// V2-UPD-18
export function foldPlanRemoved(state: SessionState, { planId }: EventOf<"plan_removed">): SessionState {
  const { plans } = state;
  return plans.has(planId) ? changed(state, { plans: filtered(plans, (plan) => plan.planId !== planId) }) : state;
}
