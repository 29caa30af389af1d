import { type Infer, lenient, nullable, object, openEnum, type Schema, string } from "../vocabulary.js";

/** Identifier of a config option of a session. */
export type SessionConfigId = string;
/** Validates a {@link SessionConfigId}. */
export const sessionConfigId: Schema<SessionConfigId> = string();

/** Identifier of a value of a select option. */
export type SessionConfigValueId = string;
/** Validates a {@link SessionConfigValueId}. */
export const sessionConfigValueId: Schema<SessionConfigValueId> = string();

/** Identifier of a group of values. */
export type SessionConfigGroupId = string;
/** Validates a {@link SessionConfigGroupId}. */
export const sessionConfigGroupId: Schema<SessionConfigGroupId> = string();

const sessionConfigOptionCategory_ = openEnum("mode", "model", "model_config", "thought_level");
// V1-CFG-13, V2-CFG-02
/** Category of an option, as a hint for its position. Custom categories begin with `_`. */
export type SessionConfigOptionCategory = Infer<typeof sessionConfigOptionCategory_> | never;
/** Validates a {@link SessionConfigOptionCategory}. Unknown values are accepted. */
export const sessionConfigOptionCategory: Schema<SessionConfigOptionCategory> = sessionConfigOptionCategory_;

const sessionConfigSelectOption_ = object({
  /** Id of the value on the wire. */
  value: sessionConfigValueId,
  /** Name of the value for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** Value that the user can choose. */
export interface SessionConfigSelectOption extends Infer<typeof sessionConfigSelectOption_> {}
/** Validates a {@link SessionConfigSelectOption}. */
export const sessionConfigSelectOption: Schema<SessionConfigSelectOption> = sessionConfigSelectOption_;
