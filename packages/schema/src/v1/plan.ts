import { type Infer, object, oneOf, requiredOr, type Schema, sifted, string } from "../vocabulary.js";

/** How much a plan entry matters. */
export type PlanEntryPriority = "high" | "medium" | "low";
/** Validates a {@link PlanEntryPriority}. */
export const planEntryPriority: Schema<PlanEntryPriority> = oneOf("high", "medium", "low");

/** How far a plan entry is. */
export type PlanEntryStatus = "pending" | "in_progress" | "completed";
/** Validates a {@link PlanEntryStatus}. */
export const planEntryStatus: Schema<PlanEntryStatus> = oneOf("pending", "in_progress", "completed");

const planEntry_ = object({
  /** What is to be done, for people. */
  content: string(),
  /** How much it matters. */
  priority: planEntryPriority,
  /** How far it is. */
  status: planEntryStatus,
});
/** One step of a plan. */
export interface PlanEntry extends Infer<typeof planEntry_> {}
/** Validates a {@link PlanEntry}. */
export const planEntry: Schema<PlanEntry> = planEntry_;

const plan_ = object({
  /** All steps from now on; malformed ones are dropped. */
  entries: requiredOr(sifted(planEntry), []),
});
/**
 * The agent's plan. Each one replaces the one before.
 * @see V1-UPD-20
 * @see V1-UPD-21
 */
export interface Plan extends Infer<typeof plan_> {}
/** Validates a {@link Plan}. */
export const plan: Schema<Plan> = plan_;
