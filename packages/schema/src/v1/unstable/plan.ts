import { type Infer, object, requiredOr, type Schema, sifted, string, variants } from "../../vocabulary.js";
import { planEntry } from "../plan.js";

const planCapabilities_ = object({});
/** Present and not null: the client shows plans by id. */
export interface PlanCapabilities extends Infer<typeof planCapabilities_> {}
/** Validates {@link PlanCapabilities}. */
export const planCapabilities: Schema<PlanCapabilities> = planCapabilities_;

/** Names a plan; unique within its session. */
export type PlanId = string;
/** Validates a {@link PlanId}. */
export const planId: Schema<PlanId> = string();

const planItems_ = object({
  /** The plan. */
  planId,
  /** All steps from now on; malformed ones are dropped. */
  entries: requiredOr(sifted(planEntry), []),
});
/** A plan as a list of steps. */
export interface PlanItems extends Infer<typeof planItems_> {}
/** Validates {@link PlanItems}. */
export const planItems: Schema<PlanItems> = planItems_;

const planFile_ = object({
  /** The plan. */
  planId,
  /** Address of the file. */
  uri: string(),
});
/** A plan that is a file. */
export interface PlanFile extends Infer<typeof planFile_> {}
/** Validates a {@link PlanFile}. */
export const planFile: Schema<PlanFile> = planFile_;

const planMarkdown_ = object({
  /** The plan. */
  planId,
  /** Its text. */
  content: string(),
});
/** A plan as Markdown. */
export interface PlanMarkdown extends Infer<typeof planMarkdown_> {}
/** Validates {@link PlanMarkdown}. */
export const planMarkdown: Schema<PlanMarkdown> = planMarkdown_;

const planUpdateContent_ = variants(
  "type",
  { items: planItems, file: planFile, markdown: planMarkdown },
  { unknown: "reject" },
);
/** Current contents of a plan. */
export type PlanUpdateContent = Infer<typeof planUpdateContent_> | never;
/** Validates {@link PlanUpdateContent}; a plan of another type is an error. */
export const planUpdateContent: Schema<PlanUpdateContent> = planUpdateContent_;

const planUpdate_ = object({
  /** The plan from now on. */
  plan: planUpdateContent,
});
// V1-UNST-09
/** A plan of the agent, for clients with `plan`. Each replaces all that was known of the plan with this id. */
export interface PlanUpdate extends Infer<typeof planUpdate_> {}
/** Validates a {@link PlanUpdate}. */
export const planUpdate: Schema<PlanUpdate> = planUpdate_;

const planRemoved_ = object({
  /** The plan that is no more. */
  planId,
});
/** A plan is gone. */
export interface PlanRemoved extends Infer<typeof planRemoved_> {}
/** Validates a {@link PlanRemoved}. */
export const planRemoved: Schema<PlanRemoved> = planRemoved_;
