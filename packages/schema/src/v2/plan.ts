import {
  type Infer,
  lenient,
  nullable,
  object,
  openEnum,
  openVariants,
  type Schema,
  sifted,
  string,
} from "../vocabulary.js";

/** Identifier of a plan. Unique within its session. */
export type PlanId = string;
/** Validates a {@link PlanId}. */
export const planId: Schema<PlanId> = string();

const planEntryPriority_ = openEnum("high", "medium", "low");
/** Importance of a plan entry. */
export type PlanEntryPriority = Infer<typeof planEntryPriority_> | never;
/** Validates a {@link PlanEntryPriority}; unknown ones are kept. */
export const planEntryPriority: Schema<PlanEntryPriority> = planEntryPriority_;

const planEntryStatus_ = openEnum("pending", "in_progress", "completed", "cancelled");
/** Status of a plan entry. */
export type PlanEntryStatus = Infer<typeof planEntryStatus_> | never;
/** Validates a {@link PlanEntryStatus}; unknown ones are kept. */
export const planEntryStatus: Schema<PlanEntryStatus> = planEntryStatus_;

const planEntry_ = object({
  /** Task, for people. */
  content: string(),
  /** Importance of the entry. */
  priority: planEntryPriority,
  /** Current status. */
  status: planEntryStatus,
});
// V2-UPD-17
/** One step of a plan. */
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
  /** Complete new list of steps; malformed ones are dropped. */
  entries: sifted(planEntry),
});
/** A plan as a list of steps. */
export interface PlanItems extends Infer<typeof planItems_> {}
/** Validates {@link PlanItems}. */
export const planItems: Schema<PlanItems> = planItems_;

const planMarkdown_ = object({
  /** The plan. */
  planId: planId,
  /** The whole document. */
  content: string(),
  /** File that holds the plan, as an absolute path. Absent, null or malformed means no file. Never open a relative path. */
  path: lenient(nullable(string())),
});
// P-PLAN-04
/** A plan as a Markdown document. */
export interface PlanMarkdown extends Infer<typeof planMarkdown_> {}
/** Validates {@link PlanMarkdown}. */
export const planMarkdown: Schema<PlanMarkdown> = planMarkdown_;

const planUpdateContent_ = openVariants("type", { items: planItems, markdown: planMarkdown }, { other: named_ });
/** Current contents of a plan. A plan of another type has at least an id. */
export type PlanUpdateContent = Infer<typeof planUpdateContent_> | never;
/** Validates {@link PlanUpdateContent}. */
export const planUpdateContent: Schema<PlanUpdateContent> = planUpdateContent_;

const planUpdate_ = object({
  /** New contents of the plan. */
  plan: planUpdateContent,
});
// V2-UPD-16
/** Plan of the agent. Each replaces the plan with this id, of any type. */
export interface PlanUpdate extends Infer<typeof planUpdate_> {}
/** Validates a {@link PlanUpdate}. */
export const planUpdate: Schema<PlanUpdate> = planUpdate_;

const planRemoved_ = object({
  /** Removed plan. */
  planId: planId,
});
// V2-UPD-18, P-PLAN-01
/** Removal of a plan. */
export interface PlanRemoved extends Infer<typeof planRemoved_> {}
/** Validates a {@link PlanRemoved}. */
export const planRemoved: Schema<PlanRemoved> = planRemoved_;
