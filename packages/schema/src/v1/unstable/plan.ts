import { type Infer, object, requiredOr, type Schema, sifted, string, variants } from "../../vocabulary.js";
import { planEntry } from "../plan.js";

const planCapabilities_ = object({});
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
  /** Text. */
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
  /** New contents of the plan. */
  plan: planUpdateContent,
});
// V1-UNST-09
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
