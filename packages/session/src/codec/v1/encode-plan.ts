import type { WireEvent } from "../../event.js";
import { MAIN_PLAN, type PlanEntry } from "../../plan.js";
import type { SessionState } from "../../state.js";
import type { Sending } from "./encode.js";
import { compact } from "./read.js";

type PlanEvent = WireEvent & { readonly type: "plan_update" | "plan_removed" };

const PRIORITIES: readonly string[] = ["high", "medium", "low"];
const STATUSES: readonly string[] = ["pending", "in_progress", "completed"];

/** The one plan that version 1 has, with the entries of all plans of items. */
export function encodePlans(event: PlanEvent, after: SessionState, { lost }: Sending): readonly object[] {
  const planId = event.type === "plan_update" ? event.plan.planId : event.planId;
  const others = after.plans.length > 1 || planId !== MAIN_PLAN;
  const unsayable = event.type === "plan_removed" || event.plan.type !== "items";
  if (others || unsayable) lost("plan", planId);
  if (event.type === "plan_update" && event.plan.type !== "items") return [];
  const entries: PlanEntry[] = [];
  for (const plan of after.plans) if (plan.type === "items") entries.push(...plan.entries);
  const said = entries.map(entry).filter((one) => one !== undefined);
  if (said.some((one, index) => one !== entries[index]) || said.length < entries.length) lost("plan-entry", planId);
  return [compact({ sessionUpdate: "plan", entries: said, _meta: event._meta ?? undefined })];
}

function entry(step: PlanEntry): PlanEntry | undefined {
  if (step.status === "cancelled") return undefined;
  if (PRIORITIES.includes(step.priority) && STATUSES.includes(step.status)) return step;
  const priority = PRIORITIES.includes(step.priority) ? step.priority : "medium";
  const status = STATUSES.includes(step.status) ? step.status : "pending";
  return { ...step, priority, status };
}
