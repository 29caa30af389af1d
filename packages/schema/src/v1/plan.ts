import { type Infer, object, oneOf, requiredOr, type Schema, sifted, string } from "../vocabulary.js";

/** Importance of a plan entry. */
export type PlanEntryPriority = "high" | "medium" | "low";
/** Validates a {@link PlanEntryPriority}. */
export const planEntryPriority: Schema<PlanEntryPriority> = oneOf("high", "medium", "low");

/** Status of a plan entry. */
export type PlanEntryStatus = "pending" | "in_progress" | "completed";
/** Validates a {@link PlanEntryStatus}. */
export const planEntryStatus: Schema<PlanEntryStatus> = oneOf("pending", "in_progress", "completed");

const planEntry_ = object({
  /** Task, for people. */
  content: string(),
  /** Importance of the entry. */
  priority: planEntryPriority,
  /** Current status. */
  status: planEntryStatus,
});
/** One step of a plan. */
export interface PlanEntry extends Infer<typeof planEntry_> {}
/** Validates a {@link PlanEntry}. */
export const planEntry: Schema<PlanEntry> = planEntry_;

const plan_ = object({
  /** Complete new list of steps; malformed ones are dropped. */
  entries: requiredOr(sifted(planEntry), []),
});
// V1-UPD-20, V1-UPD-21
/** The agent's plan. Each one replaces the one before. */
export interface Plan extends Infer<typeof plan_> {}
/** Validates a {@link Plan}. */
export const plan: Schema<Plan> = plan_;
