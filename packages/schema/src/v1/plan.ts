import {
  type Infer,
  lenient,
  nullable,
  object,
  oneOf,
  requiredOr,
  type Schema,
  sifted,
  string,
  variants,
} from "../vocabulary.js";

/** Importance of a step of a plan. */
export type PlanEntryPriority = "high" | "medium" | "low";
/** Validates a {@link PlanEntryPriority}. */
export const planEntryPriority: Schema<PlanEntryPriority> = oneOf("high", "medium", "low");

/** Status of a step of a plan. */
export type PlanEntryStatus = "pending" | "in_progress" | "completed";
/** Validates a {@link PlanEntryStatus}. */
export const planEntryStatus: Schema<PlanEntryStatus> = oneOf("pending", "in_progress", "completed");

const planEntry_ = object({
  /** Task of the step, for people. */
  content: string(),
  /** Importance of the step. */
  priority: planEntryPriority,
  /** Current status. */
  status: planEntryStatus,
});
/** Step of a plan. */
export interface PlanEntry extends Infer<typeof planEntry_> {}
/** Validates a {@link PlanEntry}. */
export const planEntry: Schema<PlanEntry> = planEntry_;

const plan_ = object({
  /** Complete new list of steps. Malformed steps are dropped. */
  entries: requiredOr(sifted(planEntry), []),
});
// V1-UPD-20, V1-UPD-21
/** Plan of the agent. Each plan replaces the previous plan. */
export interface Plan extends Infer<typeof plan_> {}
/** Validates a {@link Plan}. */
export const plan: Schema<Plan> = plan_;

const planCapabilities_ = object({});
// P-PLAN-02
/** Marker that the client shows plans with ids. The marker counts if it is present and not null. */
export interface PlanCapabilities extends Infer<typeof planCapabilities_> {}
/** Validates {@link PlanCapabilities}. */
export const planCapabilities: Schema<PlanCapabilities> = planCapabilities_;

/** Identifier of a plan, unique in its session. */
export type PlanId = string;
/** Validates a {@link PlanId}. */
export const planId: Schema<PlanId> = string();

const planItems_ = object({
  /** Id of the plan. */
  planId,
  /** Complete new list of steps. Malformed steps are dropped. */
  entries: requiredOr(sifted(planEntry), []),
});
/** Plan that is a list of steps. */
export interface PlanItems extends Infer<typeof planItems_> {}
/** Validates {@link PlanItems}. */
export const planItems: Schema<PlanItems> = planItems_;

const planMarkdown_ = object({
  /** Id of the plan. */
  planId,
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

const planUpdateContent_ = variants("type", { items: planItems, markdown: planMarkdown }, { unknown: "keep" });
/** Current content of a plan. Other types can be received, but not written. */
export type PlanUpdateContent = Infer<typeof planUpdateContent_> | never;
/** Validates {@link PlanUpdateContent}. A value of an unknown type is not changed. */
export const planUpdateContent: Schema<PlanUpdateContent> = planUpdateContent_;

const planUpdate_ = object({
  /** New content of the plan. */
  plan: planUpdateContent,
});
// V1-UNST-09, P-PLAN-03
/** Plan of the agent, for clients with `plan`. It replaces the plan with the same id. */
export interface PlanUpdate extends Infer<typeof planUpdate_> {}
/** Validates a {@link PlanUpdate}. */
export const planUpdate: Schema<PlanUpdate> = planUpdate_;

const planRemoved_ = object({
  /** Id of the removed plan. */
  planId,
});
/** Removal of a plan. */
export interface PlanRemoved extends Infer<typeof planRemoved_> {}
/** Validates a {@link PlanRemoved}. */
export const planRemoved: Schema<PlanRemoved> = planRemoved_;
