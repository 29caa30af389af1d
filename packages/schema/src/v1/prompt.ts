import { sessionId } from "../both/identifiers.js";
import { boolean, type Infer, lenient, list, object, oneOf, type Schema } from "../vocabulary.js";
import { promptContentBlock } from "./content.js";

const promptCapabilities_ = object({
  /** `true` if prompts may contain images. */
  image: lenient(boolean()),
  /** `true` if prompts may contain sounds. */
  audio: lenient(boolean()),
  /** `true` if prompts may contain embedded resources. */
  embeddedContext: lenient(boolean()),
});
// V1-PROMPT-03
/** Content types that prompts may contain, besides text and links. Only `true` counts. */
export interface PromptCapabilities extends Infer<typeof promptCapabilities_> {}
/** Validates {@link PromptCapabilities}. */
export const promptCapabilities: Schema<PromptCapabilities> = promptCapabilities_;

const promptRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Content of the prompt. A block of an unknown type makes the request invalid. */
  prompt: list(promptContentBlock),
});
// V1-PROMPT-02
/** Params of `session/prompt`, which starts a turn. The answer comes at the end of the turn. */
export interface PromptRequest extends Infer<typeof promptRequest_> {}
/** Validates a {@link PromptRequest}. */
export const promptRequest: Schema<PromptRequest> = promptRequest_;

// V1-PROMPT-08
/**
 * Reason for the end of a turn:
 * - `end_turn`: the model finished
 * - `max_tokens`, `max_turn_requests`: a limit of tokens or requests was reached
 * - `refusal`: the agent refused
 * - `cancelled`: the client cancelled
 */
export type StopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled";
/** Validates a {@link StopReason}. An unknown reason is an error. */
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
/** Result of `session/prompt`. All updates of the turn come before the result. */
export interface PromptResponse extends Infer<typeof promptResponse_> {}
/** Validates a {@link PromptResponse}. */
export const promptResponse: Schema<PromptResponse> = promptResponse_;
