import { type Infer, lenient, list, nullable, object, openEnum, type Schema } from "../../vocabulary.js";
import { contentBlock } from "../content.js";

const sessionSystemPromptOverrideCapabilities_ = object({});
/** Present and not null: the agent takes system prompts that replace its own. */
export interface SessionSystemPromptOverrideCapabilities
  extends Infer<typeof sessionSystemPromptOverrideCapabilities_> {}
/** Validates {@link SessionSystemPromptOverrideCapabilities}. */
export const sessionSystemPromptOverrideCapabilities: Schema<SessionSystemPromptOverrideCapabilities> =
  sessionSystemPromptOverrideCapabilities_;

const sessionSystemPromptModeCapabilities_ = object({
  /** The mode `override`. */
  override: lenient(nullable(sessionSystemPromptOverrideCapabilities)),
});
/** Which modes the agent takes besides `append`. */
export interface SessionSystemPromptModeCapabilities extends Infer<typeof sessionSystemPromptModeCapabilities_> {}
/** Validates {@link SessionSystemPromptModeCapabilities}. */
export const sessionSystemPromptModeCapabilities: Schema<SessionSystemPromptModeCapabilities> =
  sessionSystemPromptModeCapabilities_;

const sessionSystemPromptCapabilities_ = object({
  /** Further modes. */
  mode: lenient(nullable(sessionSystemPromptModeCapabilities)),
});
/** Present and not null: the agent takes system prompts. */
export interface SessionSystemPromptCapabilities extends Infer<typeof sessionSystemPromptCapabilities_> {}
/** Validates {@link SessionSystemPromptCapabilities}. */
export const sessionSystemPromptCapabilities: Schema<SessionSystemPromptCapabilities> =
  sessionSystemPromptCapabilities_;

const systemPromptMode_ = openEnum("append", "override");
/** Whether a system prompt adds to the agent's own or replaces it. The agent refuses other modes. */
export type SystemPromptMode = Infer<typeof systemPromptMode_> | never;
/** Validates a {@link SystemPromptMode}; unknown ones are kept. */
export const systemPromptMode: Schema<SystemPromptMode> = systemPromptMode_;

const systemPrompt_ = object({
  /** Whether it adds or replaces. */
  mode: systemPromptMode,
  /** What it says: `text` blocks only, at least one; the agent refuses others. */
  content: list(contentBlock),
});
/**
 * Instructions of the client for the whole session.
 * @see V2-SES-29
 */
export interface SystemPrompt extends Infer<typeof systemPrompt_> {}
/** Validates a {@link SystemPrompt}. */
export const systemPrompt: Schema<SystemPrompt> = systemPrompt_;
