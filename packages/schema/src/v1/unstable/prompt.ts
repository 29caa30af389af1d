import { usage } from "../../both/unstable/usage.js";
import { extend, type Infer, lenient, nullable, type Schema } from "../../vocabulary.js";
import * as stable from "../prompt.js";

const promptResponse_ = extend(stable.promptResponse, {
  /** Tokens used. */
  usage: lenient(nullable(usage)),
});
// V1-UNST-01
/** Result of `session/prompt`. */
export interface PromptResponse extends Infer<typeof promptResponse_> {}
/** Validates a {@link PromptResponse}. */
export const promptResponse: Schema<PromptResponse> = promptResponse_;
