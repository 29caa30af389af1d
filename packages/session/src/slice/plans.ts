import { bytesOf } from "../bytes.js";
import type { SessionEvent } from "../event.js";
import { addTo, filtered, type Naming, replaceIn } from "../keyed.js";
import { kept } from "../patch.js";
import type { Plan } from "../plan.js";
import type { SessionState } from "../state.js";
import { withAnomaly, withoutOpenMessage } from "../timeline.js";
import { foldUnknown } from "./notices.js";

/** Plans are found by their id. */
export const planNaming: Naming<Plan> = { key: (plan) => plan.planId };

const PLANS = 100;

/** Replaces a plan whole, also when its form changes (V2-UPD-16). A new one ends the message before it. */
export function foldPlan(state: SessionState, event: SessionEvent & { type: "plan_update" }): SessionState {
  const { plan } = event;
  if (typeof plan?.planId !== "string" || typeof plan.type !== "string") {
    return foldUnknown(state, event, "a plan needs an id and a type", event.at);
  }
  if (plan.type === "items" && !Array.isArray(plan.entries)) {
    return foldUnknown(state, event, "a plan of items needs entries", event.at);
  }
  const most = state.limits.stateBytes;
  const position = state.plans.indexOf(plan.planId);
  const before = state.plans.at(position);
  if (position < 0 || before === undefined) {
    const bytes = state.bytes + bytesOf(plan, most);
    return withFewPlans(withoutOpenMessage({ ...state, plans: addTo(state.plans, plan), bytes }));
  }
  const after = kept(before, plan);
  if (after === before) return state;
  const bytes = state.bytes + bytesOf(after, most) - bytesOf(before, most);
  return { ...state, plans: replaceIn(state.plans, position, after), bytes };
}

/** Forgets a plan; an unknown id is nothing to do (V2-UPD-18). */
export function foldPlanRemoved(state: SessionState, planId: string): SessionState {
  const plan = state.plans.get(planId);
  if (plan === undefined) return state;
  const bytes = state.bytes - bytesOf(plan, state.limits.stateBytes);
  return { ...state, plans: filtered(state.plans, (other) => other !== plan), bytes };
}

function withFewPlans(state: SessionState): SessionState {
  const oldest = state.plans.at(0);
  if (state.plans.length <= PLANS || oldest === undefined) return state;
  return withAnomaly(foldPlanRemoved(state, oldest.planId), `more than ${PLANS} plans`, oldest.planId);
}
