import { extend, extendVariants, type Infer, object, type Schema, string } from "../../vocabulary.js";
import * as stable from "../plan.js";

const planFile_ = object({
  /** The plan. */
  planId: stable.planId,
  /** Address of the file. */
  uri: string(),
});
/** A plan that is a file. */
export interface PlanFile extends Infer<typeof planFile_> {}
/** Validates a {@link PlanFile}. */
export const planFile: Schema<PlanFile> = planFile_;

const planMarkdown_ = object({
  /** The plan. */
  planId: stable.planId,
  /** Text. */
  content: string(),
});
/** A plan as Markdown. */
export interface PlanMarkdown extends Infer<typeof planMarkdown_> {}
/** Validates {@link PlanMarkdown}. */
export const planMarkdown: Schema<PlanMarkdown> = planMarkdown_;

const planUpdateContent_ = extendVariants(stable.planUpdateContent, "type", { file: planFile, markdown: planMarkdown });
/** Current contents of a plan. Only the id is known of a plan of another type. */
export type PlanUpdateContent = Infer<typeof planUpdateContent_> | never;
/** Validates {@link PlanUpdateContent}. */
export const planUpdateContent: Schema<PlanUpdateContent> = planUpdateContent_;

const planUpdate_ = extend(stable.planUpdate, {
  /** New contents of the plan. */
  plan: planUpdateContent,
});
/** Plan of the agent. Each replaces the plan with this id, of any type. */
export interface PlanUpdate extends Infer<typeof planUpdate_> {}
/** Validates a {@link PlanUpdate}. */
export const planUpdate: Schema<PlanUpdate> = planUpdate_;

const planRemoved_ = object({
  /** Removed plan. */
  planId: stable.planId,
});
// V2-UPD-18
/** Removal of a plan. */
export interface PlanRemoved extends Infer<typeof planRemoved_> {}
/** Validates a {@link PlanRemoved}. */
export const planRemoved: Schema<PlanRemoved> = planRemoved_;
