import { messageId, sessionId } from "../both/identifiers.js";
import { type Infer, lenient, list, nullable, object, optional, type Schema, string } from "../vocabulary.js";
import { contentBlock } from "./content.js";

const marker_ = object({});
/** Marker that prompts may hold images. The marker counts if it is present and not null. */
export interface PromptImageCapabilities extends Infer<typeof marker_> {}
/** Validates {@link PromptImageCapabilities}. */
export const promptImageCapabilities: Schema<PromptImageCapabilities> = marker_;
/** Marker that prompts may hold sounds. The marker counts if it is present and not null. */
export interface PromptAudioCapabilities extends Infer<typeof marker_> {}
/** Validates {@link PromptAudioCapabilities}. */
export const promptAudioCapabilities: Schema<PromptAudioCapabilities> = marker_;
/** Marker that prompts may hold embedded resources. The marker counts if it is present and not null. */
export interface PromptEmbeddedContextCapabilities extends Infer<typeof marker_> {}
/** Validates {@link PromptEmbeddedContextCapabilities}. */
export const promptEmbeddedContextCapabilities: Schema<PromptEmbeddedContextCapabilities> = marker_;

const promptCapabilities_ = object({
  /** Support for images. */
  image: lenient(nullable(promptImageCapabilities)),
  /** Support for sounds. */
  audio: lenient(nullable(promptAudioCapabilities)),
  /** Support for embedded resources. */
  embeddedContext: lenient(nullable(promptEmbeddedContextCapabilities)),
});
// V2-CON-03
/** Content types that prompts may contain, besides text and links. */
export interface PromptCapabilities extends Infer<typeof promptCapabilities_> {}
/** Validates {@link PromptCapabilities}. */
export const promptCapabilities: Schema<PromptCapabilities> = promptCapabilities_;

// P-IDEM-01, P-IDEM-02
/**
 * Key for one prompt. It has 1 to 255 Unicode characters and is unique in its session. Upper and lower case differ. The
 * agent must not interpret it.
 */
export type IdempotencyKey = string;
/** Validates an {@link IdempotencyKey}. */
export const idempotencyKey: Schema<IdempotencyKey> = string(1, 255);

const promptRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Content of the prompt, at least one block. The agent refuses blocks of types that it did not advertise. */
  prompt: list(contentBlock, 1),
  /**
   * Key that is the same for each attempt to send this prompt. The agent then accepts the prompt only once. If absent
   * or null, there is no key.
   */
  idempotencyKey: optional(nullable(idempotencyKey)),
});
// V2-PRM-01, V2-PRM-06, V2-PRM-09
/** Params of `session/prompt`. The request is allowed at any time, even while the agent works. */
export interface PromptRequest extends Infer<typeof promptRequest_> {}
/** Validates a {@link PromptRequest}. */
export const promptRequest: Schema<PromptRequest> = promptRequest_;

const promptResponse_ = object({
  /** Id of the user's message in updates. */
  messageId,
});
// V2-PRM-02, V2-PRM-03
/** Result of `session/prompt`. The message is now part of the conversation. The agent may still work on it. */
export interface PromptResponse extends Infer<typeof promptResponse_> {}
/** Validates a {@link PromptResponse}. */
export const promptResponse: Schema<PromptResponse> = promptResponse_;
