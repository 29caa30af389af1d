import { type Infer, lenient, nullable, object, openEnum, type Schema } from "../vocabulary.js";

const sessionSystemPromptOverrideCapabilities_ = object({});
/** Marker: the agent takes system prompts that replace its own. It counts when present and not null. */
export interface SessionSystemPromptOverrideCapabilities
  extends Infer<typeof sessionSystemPromptOverrideCapabilities_> {}
/** Validates {@link SessionSystemPromptOverrideCapabilities}. */
export const sessionSystemPromptOverrideCapabilities: Schema<SessionSystemPromptOverrideCapabilities> =
  sessionSystemPromptOverrideCapabilities_;

const sessionSystemPromptModeCapabilities_ = object({
  /** The mode `override`. */
  override: lenient(nullable(sessionSystemPromptOverrideCapabilities)),
});
/** System prompt modes supported in addition to `append`. */
export interface SessionSystemPromptModeCapabilities extends Infer<typeof sessionSystemPromptModeCapabilities_> {}
/** Validates {@link SessionSystemPromptModeCapabilities}. */
export const sessionSystemPromptModeCapabilities: Schema<SessionSystemPromptModeCapabilities> =
  sessionSystemPromptModeCapabilities_;

const sessionSystemPromptCapabilities_ = object({
  /** Further modes. */
  mode: lenient(nullable(sessionSystemPromptModeCapabilities)),
});
/** Marker: the agent takes system prompts. It counts when present and not null. */
export interface SessionSystemPromptCapabilities extends Infer<typeof sessionSystemPromptCapabilities_> {}
/** Validates {@link SessionSystemPromptCapabilities}. */
export const sessionSystemPromptCapabilities: Schema<SessionSystemPromptCapabilities> =
  sessionSystemPromptCapabilities_;

const systemPromptMode_ = openEnum("append", "override");
/** Effect of a system prompt: it adds to the agent's own or replaces it. The agent refuses other modes. */
export type SystemPromptMode = Infer<typeof systemPromptMode_> | never;
/** Validates a {@link SystemPromptMode}; unknown ones are kept. */
export const systemPromptMode: Schema<SystemPromptMode> = systemPromptMode_;
