import type { WireEvent } from "../../event.js";
import type { StatesAround } from "../codec.js";
import { encodePlanText } from "../older/plan-text.js";
import type { Sending } from "../older/sending.js";
import { compact } from "../read.js";

type PlanEvent = WireEvent & { readonly type: "plan_update" | "plan_removed" };

/** A plan of items under its id; a plan of another form is agent text, and one that went has no entries. */
export function encodePlan(event: PlanEvent, { before, after }: StatesAround, sending: Sending): readonly object[] {
  const _meta = event._meta ?? undefined;
  if (event.type === "plan_update" && event.plan.type === "items") {
    const { planId: id, ...plan } = event.plan;
    return [compact({ sessionUpdate: "plan_update", plan: { ...plan, id }, _meta })];
  }
  const id = event.type === "plan_update" ? event.plan.planId : event.planId;
  sending.lost("plan", id);
  const text = event.type === "plan_update" ? encodePlanText(event.plan, after, sending) : [];
  if (before.plans.get(id)?.type !== "items") return text;
  return [...text, compact({ sessionUpdate: "plan_update", plan: { type: "items", id, entries: [] }, _meta })];
}
