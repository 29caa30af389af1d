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
  /** Its text. */
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
  /** The plan from now on. */
  plan: planUpdateContent,
});
/** A plan of the agent. Each replaces all that was known of the plan with this id, whatever its type was. */
export interface PlanUpdate extends Infer<typeof planUpdate_> {}
/** Validates a {@link PlanUpdate}. */
export const planUpdate: Schema<PlanUpdate> = planUpdate_;

const planRemoved_ = object({
  /** The plan that is no more. */
  planId: stable.planId,
});
// V2-UPD-18
/** A plan is gone. */
export interface PlanRemoved extends Infer<typeof planRemoved_> {}
/** Validates a {@link PlanRemoved}. */
export const planRemoved: Schema<PlanRemoved> = planRemoved_;
