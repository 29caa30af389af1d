import { sessionId } from "../both/identifiers.js";
import { boolean, type Infer, lenient, list, object, oneOf, type Schema } from "../vocabulary.js";
import { promptContentBlock } from "./content.js";

const promptCapabilities_ = object({
  /** True if prompts may hold images. */
  image: lenient(boolean()),
  /** True if prompts may hold sounds. */
  audio: lenient(boolean()),
  /** True if prompts may hold embedded resources. */
  embeddedContext: lenient(boolean()),
});
// V1-PROMPT-03
/** Content types allowed in prompts besides text and links; only `true` counts. */
export interface PromptCapabilities extends Infer<typeof promptCapabilities_> {}
/** Validates {@link PromptCapabilities}. */
export const promptCapabilities: Schema<PromptCapabilities> = promptCapabilities_;

const promptRequest_ = object({
  /** The session. */
  sessionId,
  /** Content from the user. A block of an unknown type makes the request invalid. */
  prompt: list(promptContentBlock),
});
// V1-PROMPT-02
/** Params of `session/prompt`: starts a turn, and is answered when the turn ends. */
export interface PromptRequest extends Infer<typeof promptRequest_> {}
/** Validates a {@link PromptRequest}. */
export const promptRequest: Schema<PromptRequest> = promptRequest_;

// V1-PROMPT-08
/**
 * Reason for the end of a turn. The model finished (`end_turn`), ran out of tokens (`max_tokens`) or of requests
 * (`max_turn_requests`), the agent refused (`refusal`), or the client cancelled (`cancelled`).
 */
export type StopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled";
/** Validates a {@link StopReason}; an unknown one is an error. */
export const stopReason: Schema<StopReason> = oneOf(
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
);

const promptResponse_ = object({
  /** Reason for the end of the turn. */
  stopReason,
});
// V1-PROMPT-07
/** Result of `session/prompt`. All updates of the turn come before it. */
export interface PromptResponse extends Infer<typeof promptResponse_> {}
/** Validates a {@link PromptResponse}. */
export const promptResponse: Schema<PromptResponse> = promptResponse_;
