import type { WireEvent } from "../../event.js";
import { DEFAULT_PLAN_ID, type PlanEntry } from "../../plan.js";
import type { StatesAround } from "../codec.js";
import { encodePlanText } from "../fallback/plan-text.js";
import { compact } from "../read.js";
import type { Sending } from "./sending.js";

type PlanEvent = WireEvent & { readonly type: "plan_update" | "plan_removed" };

const PRIORITIES: readonly string[] = ["high", "medium", "low"];
const STATUSES: readonly string[] = ["pending", "in_progress", "completed"];

/** The one plan that version 1 has, with the entries of all plans of items; a plan of another form is agent text. */
export function encodePlans(event: PlanEvent, { before, after }: StatesAround, sending: Sending): readonly object[] {
  const { lost } = sending;
  const planId = event.type === "plan_update" ? event.plan.planId : event.planId;
  const ofItems = event.type === "plan_update" && event.plan.type === "items";
  if (after.plans.length > 1 || planId !== DEFAULT_PLAN_ID || !ofItems) lost("plan", planId);
  const text = event.type === "plan_update" && !ofItems ? encodePlanText(event.plan, after, sending) : [];
  const hadItems = before.plans.get(planId)?.type === "items";
  if (!ofItems && !hadItems) return text;
  const entries = [...after.plans].flatMap((plan) => (plan.type === "items" ? plan.entries : []));
  const said = entries.map(entry).filter((one) => one !== undefined);
  if (said.some((one, index) => one !== entries[index]) || said.length < entries.length) lost("plan-entry", planId);
  return [...text, compact({ sessionUpdate: "plan", entries: said, _meta: event._meta ?? undefined })];
}

function entry(step: PlanEntry): PlanEntry | undefined {
  if (step.status === "cancelled") return undefined;
  if (PRIORITIES.includes(step.priority) && STATUSES.includes(step.status)) return step;
  const priority = PRIORITIES.includes(step.priority) ? step.priority : "medium";
  const status = STATUSES.includes(step.status) ? step.status : "pending";
  return { ...step, priority, status };
}
