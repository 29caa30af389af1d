import { type Infer, object, openEnum, openVariants, type Schema, sifted, string } from "../vocabulary.js";

/** Names a plan; unique within its session. */
export type PlanId = string;
/** Validates a {@link PlanId}. */
export const planId: Schema<PlanId> = string();

const planEntryPriority_ = openEnum("high", "medium", "low");
/** How much a plan entry matters. */
export type PlanEntryPriority = Infer<typeof planEntryPriority_> | never;
/** Validates a {@link PlanEntryPriority}; unknown ones are kept. */
export const planEntryPriority: Schema<PlanEntryPriority> = planEntryPriority_;

const planEntryStatus_ = openEnum("pending", "in_progress", "completed", "cancelled");
/** How far a plan entry is. */
export type PlanEntryStatus = Infer<typeof planEntryStatus_> | never;
/** Validates a {@link PlanEntryStatus}; unknown ones are kept. */
export const planEntryStatus: Schema<PlanEntryStatus> = planEntryStatus_;

const planEntry_ = object({
  /** What is to be done, for people. */
  content: string(),
  /** How much it matters. */
  priority: planEntryPriority,
  /** How far it is. */
  status: planEntryStatus,
});
/**
 * One step of a plan.
 * @see V2-UPD-17
 */
export interface PlanEntry extends Infer<typeof planEntry_> {}
/** Validates a {@link PlanEntry}. */
export const planEntry: Schema<PlanEntry> = planEntry_;

const named_ = object({
  /** The plan. */
  planId,
});
const planItems_ = object({
  /** The plan. */
  planId,
  /** All steps from now on; malformed ones are dropped. */
  entries: sifted(planEntry),
});
/** A plan as a list of steps. */
export interface PlanItems extends Infer<typeof planItems_> {}
/** Validates {@link PlanItems}. */
export const planItems: Schema<PlanItems> = planItems_;

const planUpdateContent_ = openVariants("type", { items: planItems }, { other: named_ });
/** What a plan is now. Of a plan of another type only the id is known. */
export type PlanUpdateContent = Infer<typeof planUpdateContent_> | never;
/** Validates {@link PlanUpdateContent}. */
export const planUpdateContent: Schema<PlanUpdateContent> = planUpdateContent_;

const planUpdate_ = object({
  /** The plan from now on. */
  plan: planUpdateContent,
});
/**
 * A plan of the agent. Each replaces all that was known of the plan with this id, whatever its type was.
 * @see V2-UPD-16
 */
export interface PlanUpdate extends Infer<typeof planUpdate_> {}
/** Validates a {@link PlanUpdate}. */
export const planUpdate: Schema<PlanUpdate> = planUpdate_;
