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

/** Identifier of a plan, unique in its session. */
export type PlanId = string;
/** Validates a {@link PlanId}. */
export const planId: Schema<PlanId> = string();

const planEntryPriority_ = openEnum("high", "medium", "low");
/** Importance of a step of a plan. */
export type PlanEntryPriority = Infer<typeof planEntryPriority_> | never;
/** Validates a {@link PlanEntryPriority}. Unknown values are accepted. */
export const planEntryPriority: Schema<PlanEntryPriority> = planEntryPriority_;

const planEntryStatus_ = openEnum("pending", "in_progress", "completed", "cancelled");
/** Status of a step of a plan. */
export type PlanEntryStatus = Infer<typeof planEntryStatus_> | never;
/** Validates a {@link PlanEntryStatus}. Unknown values are accepted. */
export const planEntryStatus: Schema<PlanEntryStatus> = planEntryStatus_;

const planEntry_ = object({
  /** Task of the step, for people. */
  content: string(),
  /** Importance of the step. */
  priority: planEntryPriority,
  /** Current status. */
  status: planEntryStatus,
});
// V2-UPD-17
/** Step of a plan. */
export interface PlanEntry extends Infer<typeof planEntry_> {}
/** Validates a {@link PlanEntry}. */
export const planEntry: Schema<PlanEntry> = planEntry_;

const named_ = object({
  /** Id of the plan. */
  planId,
});
const planItems_ = object({
  /** Id of the plan. */
  planId,
  /** Complete new list of steps. Malformed steps are dropped. */
  entries: sifted(planEntry),
});
/** Plan that is a list of steps. */
export interface PlanItems extends Infer<typeof planItems_> {}
/** Validates {@link PlanItems}. */
export const planItems: Schema<PlanItems> = planItems_;

const planMarkdown_ = object({
  /** Id of the plan. */
  planId: planId,
  /** Whole document. */
  content: string(),
  /**
   * Absolute path of a file with the plan. If it is absent, null or malformed, there is no file. Never open a relative
   * path.
   */
  path: lenient(nullable(string())),
});
// P-PLAN-04
/** Plan that is a Markdown document. */
export interface PlanMarkdown extends Infer<typeof planMarkdown_> {}
/** Validates {@link PlanMarkdown}. */
export const planMarkdown: Schema<PlanMarkdown> = planMarkdown_;

const planUpdateContent_ = openVariants("type", { items: planItems, markdown: planMarkdown }, { other: named_ });
/** Current content of a plan. A plan of another type has at least an id. */
export type PlanUpdateContent = Infer<typeof planUpdateContent_> | never;
/** Validates {@link PlanUpdateContent}. */
export const planUpdateContent: Schema<PlanUpdateContent> = planUpdateContent_;

const planUpdate_ = object({
  /** New content of the plan. */
  plan: planUpdateContent,
});
// V2-UPD-16
/** Plan of the agent. It replaces the plan with the same id, even if that plan has another type. */
export interface PlanUpdate extends Infer<typeof planUpdate_> {}
/** Validates a {@link PlanUpdate}. */
export const planUpdate: Schema<PlanUpdate> = planUpdate_;

const planRemoved_ = object({
  /** Id of the removed plan. */
  planId: planId,
});
// V2-UPD-18, P-PLAN-01
/** Removal of a plan. */
export interface PlanRemoved extends Infer<typeof planRemoved_> {}
/** Validates a {@link PlanRemoved}. */
export const planRemoved: Schema<PlanRemoved> = planRemoved_;
