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

const planCapabilities_ = object({});
// P-PLAN-02
/** Marker: the client shows plans by id. It counts when present and not null. */
export interface PlanCapabilities extends Infer<typeof planCapabilities_> {}
/** Validates {@link PlanCapabilities}. */
export const planCapabilities: Schema<PlanCapabilities> = planCapabilities_;

/** Identifier of a plan. Unique within its session. */
export type PlanId = string;
/** Validates a {@link PlanId}. */
export const planId: Schema<PlanId> = string();

const planItems_ = object({
  /** The plan. */
  planId,
  /** Complete new list of steps; malformed ones are dropped. */
  entries: requiredOr(sifted(planEntry), []),
});
/** A plan as a list of steps. */
export interface PlanItems extends Infer<typeof planItems_> {}
/** Validates {@link PlanItems}. */
export const planItems: Schema<PlanItems> = planItems_;

const planMarkdown_ = object({
  /** The plan. */
  planId,
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

const planUpdateContent_ = variants("type", { items: planItems, markdown: planMarkdown }, { unknown: "keep" });
/** Current contents of a plan. Other types than these can be received, not written. */
export type PlanUpdateContent = Infer<typeof planUpdateContent_> | never;
/** Validates {@link PlanUpdateContent}; an unknown type is kept as received. */
export const planUpdateContent: Schema<PlanUpdateContent> = planUpdateContent_;

const planUpdate_ = object({
  /** New contents of the plan. */
  plan: planUpdateContent,
});
// V1-UNST-09, P-PLAN-03
/** Plan of the agent, for clients with `plan`. Each replaces the plan with this id. */
export interface PlanUpdate extends Infer<typeof planUpdate_> {}
/** Validates a {@link PlanUpdate}. */
export const planUpdate: Schema<PlanUpdate> = planUpdate_;

const planRemoved_ = object({
  /** Removed plan. */
  planId,
});
/** Removal of a plan. */
export interface PlanRemoved extends Infer<typeof planRemoved_> {}
/** Validates a {@link PlanRemoved}. */
export const planRemoved: Schema<PlanRemoved> = planRemoved_;
