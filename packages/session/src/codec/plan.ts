import { MAIN_PLAN, type Plan, type PlanEntry } from "../plan.js";
import { isObject, list, meta, text, type Wire, without } from "./read.js";
import { passedOver, reads, type Variant } from "./shape.js";

/** The only plan that version 1 has. */
export const onlyPlan: Variant = {
  type: "plan_update",
  needs: {
    plan: (_, { entries }) =>
      entries === undefined ? undefined : { planId: MAIN_PLAN, type: "items", entries: list(entries, planEntry) },
  },
  may: { entries: passedOver },
};

/** A plan by its id. */
export const planUpdate: Variant = { type: "plan_update", needs: { plan: readPlan }, may: { _meta: meta } };

/** The end of a plan. */
export const planRemoved: Variant = {
  type: "plan_removed",
  needs: { planId: (_, wire) => planIdOf(wire) },
  may: { id: passedOver, _meta: meta },
};

/** Older drafts call it `id`. */
const planIdOf = (wire: Wire): string | undefined => text("planId" in wire ? wire.planId : wire.id);

/** What a plan of a type needs. */
const NEEDED: { readonly [type: string]: "uri" | "content" } = { file: "uri", markdown: "content" };

function readPlan(wire: unknown): Plan | undefined {
  if (!isObject(wire) || typeof wire.type !== "string") return undefined;
  const planId = planIdOf(wire);
  const isList = Array.isArray(wire.entries);
  const entries = list(wire.entries, planEntry);
  const needed = Object.hasOwn(NEEDED, wire.type) ? NEEDED[wire.type] : undefined;
  const lacks = wire.type === "items" ? !isList : needed !== undefined && typeof wire[needed] !== "string";
  if (planId === undefined || lacks) return undefined;
  const named = "planId" in wire ? wire : { ...without(wire, ["id"]), planId };
  const read = wire.type === "items" && entries !== wire.entries ? { ...named, entries } : named;
  return read as unknown as Plan;
}

const PLAN_ENTRY = { content: text, priority: text, status: text };

const planEntry = (value: unknown): PlanEntry | undefined =>
  isObject(value) && reads(value, PLAN_ENTRY) ? (value as PlanEntry) : undefined;
