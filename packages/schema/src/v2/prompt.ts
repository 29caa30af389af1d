import { messageId, sessionId } from "../both/identifiers.js";
import { type Infer, lenient, list, nullable, object, optional, type Schema, string } from "../vocabulary.js";
import { contentBlock } from "./content.js";

const marker_ = object({});
/** Marker: prompts may hold images. It counts when present and not null. */
export interface PromptImageCapabilities extends Infer<typeof marker_> {}
/** Validates {@link PromptImageCapabilities}. */
export const promptImageCapabilities: Schema<PromptImageCapabilities> = marker_;
/** Marker: prompts may hold sounds. It counts when present and not null. */
export interface PromptAudioCapabilities extends Infer<typeof marker_> {}
/** Validates {@link PromptAudioCapabilities}. */
export const promptAudioCapabilities: Schema<PromptAudioCapabilities> = marker_;
/** Marker: prompts may hold embedded resources. It counts when present and not null. */
export interface PromptEmbeddedContextCapabilities extends Infer<typeof marker_> {}
/** Validates {@link PromptEmbeddedContextCapabilities}. */
export const promptEmbeddedContextCapabilities: Schema<PromptEmbeddedContextCapabilities> = marker_;

const promptCapabilities_ = object({
  /** Images. */
  image: lenient(nullable(promptImageCapabilities)),
  /** Sounds. */
  audio: lenient(nullable(promptAudioCapabilities)),
  /** Embedded resources. */
  embeddedContext: lenient(nullable(promptEmbeddedContextCapabilities)),
});
// V2-CON-03
/** Content types allowed in prompts besides text and links. */
export interface PromptCapabilities extends Infer<typeof promptCapabilities_> {}
/** Validates {@link PromptCapabilities}. */
export const promptCapabilities: Schema<PromptCapabilities> = promptCapabilities_;

// P-IDEM-01, P-IDEM-02
/** Key of one submission of a prompt: opaque, case-sensitive, 1 to 255 Unicode characters, unique in its session. */
export type IdempotencyKey = string;
/** Validates an {@link IdempotencyKey}. */
export const idempotencyKey: Schema<IdempotencyKey> = string(1, 255);

const promptRequest_ = object({
  /** The session. */
  sessionId,
  /** Content from the user, at least one block. The agent refuses blocks of types that it did not advertise. */
  prompt: list(contentBlock, 1),
  /** The same key on each attempt to send this prompt. The agent then takes it once. Absent or null means no key. */
  idempotencyKey: optional(nullable(idempotencyKey)),
});
// V2-PRM-01, V2-PRM-06, V2-PRM-09
/** Params of `session/prompt`, allowed at any time, also while the agent works. */
export interface PromptRequest extends Infer<typeof promptRequest_> {}
/** Validates a {@link PromptRequest}. */
export const promptRequest: Schema<PromptRequest> = promptRequest_;

const promptResponse_ = object({
  /** Id of the user's message in updates. */
  messageId,
});
// V2-PRM-02, V2-PRM-03
/** Result of `session/prompt`: the message has its place in the conversation. The work on it may go on. */
export interface PromptResponse extends Infer<typeof promptResponse_> {}
/** Validates a {@link PromptResponse}. */
export const promptResponse: Schema<PromptResponse> = promptResponse_;
