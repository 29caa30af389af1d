import { type Infer, lenient, nullable, object, openEnum, type Schema } from "../vocabulary.js";

const sessionSystemPromptOverrideCapabilities_ = object({});
/**
 * Marker that the agent accepts system prompts that replace its own system prompt. The marker counts if it is present
 * and not null.
 */
export interface SessionSystemPromptOverrideCapabilities
  extends Infer<typeof sessionSystemPromptOverrideCapabilities_> {}
/** Validates {@link SessionSystemPromptOverrideCapabilities}. */
export const sessionSystemPromptOverrideCapabilities: Schema<SessionSystemPromptOverrideCapabilities> =
  sessionSystemPromptOverrideCapabilities_;

const sessionSystemPromptModeCapabilities_ = object({
  /** Support for the mode `override`. */
  override: lenient(nullable(sessionSystemPromptOverrideCapabilities)),
});
/** System prompt modes supported in addition to `append`. */
export interface SessionSystemPromptModeCapabilities extends Infer<typeof sessionSystemPromptModeCapabilities_> {}
/** Validates {@link SessionSystemPromptModeCapabilities}. */
export const sessionSystemPromptModeCapabilities: Schema<SessionSystemPromptModeCapabilities> =
  sessionSystemPromptModeCapabilities_;

const sessionSystemPromptCapabilities_ = object({
  /** Modes in addition to `append`. */
  mode: lenient(nullable(sessionSystemPromptModeCapabilities)),
});
/** Marker that the agent accepts system prompts. The marker counts if it is present and not null. */
export interface SessionSystemPromptCapabilities extends Infer<typeof sessionSystemPromptCapabilities_> {}
/** Validates {@link SessionSystemPromptCapabilities}. */
export const sessionSystemPromptCapabilities: Schema<SessionSystemPromptCapabilities> =
  sessionSystemPromptCapabilities_;

const systemPromptMode_ = openEnum("append", "override");
/**
 * Effect of the client's system prompt. The mode `append` adds it to the agent's own system prompt, and `override`
 * replaces the agent's own. The agent refuses other modes.
 */
export type SystemPromptMode = Infer<typeof systemPromptMode_> | never;
/** Validates a {@link SystemPromptMode}. Unknown values are accepted. */
export const systemPromptMode: Schema<SystemPromptMode> = systemPromptMode_;
