import type { SessionEvent } from "../event.js";
import { MAIN_PLAN, type Plan, type PlanEntry } from "../plan.js";
import { isObject, list, meta, text, type Wire, without } from "./read.js";

/** The only plan that version 1 has. */
export function onlyPlan(update: Wire): SessionEvent | string {
  if (!("entries" in update)) return "entries are missing";
  const entries = list(update.entries, planEntry);
  return { type: "plan_update", plan: { planId: MAIN_PLAN, type: "items", entries } };
}

/** A plan by its id, which older drafts call `id`. */
export function planUpdate(update: Wire): SessionEvent | string {
  if (!isObject(update.plan)) return "plan is no object";
  const plan = readPlan(update.plan);
  if (typeof plan === "string") return plan;
  const _meta = meta(update._meta);
  return _meta === undefined ? { type: "plan_update", plan } : { type: "plan_update", plan, _meta };
}

/** The end of a plan. */
export function planRemoved(update: Wire): SessionEvent | string {
  const planId = text("planId" in update ? update.planId : update.id);
  if (planId === undefined) return "planId is no string";
  const _meta = meta(update._meta);
  return _meta === undefined ? { type: "plan_removed", planId } : { type: "plan_removed", planId, _meta };
}

function readPlan(wire: Wire): Plan | string {
  const planId = text("planId" in wire ? wire.planId : wire.id);
  if (planId === undefined) return "planId is no string";
  const { type } = wire;
  if (typeof type !== "string") return "a plan needs a type";
  const aliased = !("planId" in wire);
  const base = aliased ? without(wire, ["id"]) : wire;
  if (type === "items") {
    if (!Array.isArray(wire.entries)) return "entries are no list";
    const entries = list(wire.entries, planEntry);
    const sound = entries === wire.entries && !aliased;
    return sound ? (wire as unknown as Plan) : { ...base, type, planId, entries };
  }
  if (type === "file" && typeof wire.uri !== "string") return "uri is no string";
  if (type === "markdown" && typeof wire.content !== "string") return "content is no string";
  return (aliased ? { ...base, planId } : wire) as unknown as Plan;
}

function planEntry(value: unknown): PlanEntry | undefined {
  if (!isObject(value)) return undefined;
  const sound = [value.content, value.priority, value.status].every((member) => typeof member === "string");
  return sound ? (value as PlanEntry) : undefined;
}
