import { extend, extendVariants, type Infer, object, type Schema, string } from "../../vocabulary.js";
import * as stable from "../plan.js";

const planFile_ = object({
  /** Id of the plan. */
  planId: stable.planId,
  /** Address of the file. */
  uri: string(),
});
/** Plan that is a file. */
export interface PlanFile extends Infer<typeof planFile_> {}
/** Validates a {@link PlanFile}. */
export const planFile: Schema<PlanFile> = planFile_;

const planUpdateContent_ = extendVariants(stable.planUpdateContent, "type", { file: planFile });
/** Current content of a plan. For a plan of another type, only the id is known. */
export type PlanUpdateContent = Infer<typeof planUpdateContent_> | never;
/** Validates {@link PlanUpdateContent}. */
export const planUpdateContent: Schema<PlanUpdateContent> = planUpdateContent_;

const planUpdate_ = extend(stable.planUpdate, {
  /** New content of the plan. */
  plan: planUpdateContent,
});
/** Plan of the agent. It replaces the plan with the same id, even if that plan has another type. */
export interface PlanUpdate extends Infer<typeof planUpdate_> {}
/** Validates a {@link PlanUpdate}. */
export const planUpdate: Schema<PlanUpdate> = planUpdate_;
