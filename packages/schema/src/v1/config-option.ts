import {
  type SessionConfigSelectOption,
  sessionConfigGroupId,
  sessionConfigId,
  sessionConfigOptionCategory,
  sessionConfigSelectOption,
  sessionConfigValueId,
} from "../both/config-option.js";
import { sessionId } from "../both/identifiers.js";
import {
  boolean,
  extend,
  firstOf,
  type Infer,
  lenient,
  list,
  literal,
  nullable,
  object,
  requiredOr,
  type Schema,
  sifted,
  string,
  variants,
} from "../vocabulary.js";

const sessionConfigSelectGroup_ = object({
  /** The group's name on the wire. */
  group: sessionConfigGroupId,
  /** The group's name for people. */
  name: string(),
  /** Values; malformed ones are dropped. */
  options: requiredOr(sifted(sessionConfigSelectOption), []),
});
/** Values that belong together. */
export interface SessionConfigSelectGroup extends Infer<typeof sessionConfigSelectGroup_> {}
/** Validates a {@link SessionConfigSelectGroup}. */
export const sessionConfigSelectGroup: Schema<SessionConfigSelectGroup> = sessionConfigSelectGroup_;

// V1-CFG-02
/** The values to choose from, either all plain or all in groups. */
export type SessionConfigSelectOptions = readonly SessionConfigSelectOption[] | readonly SessionConfigSelectGroup[];
/** Validates {@link SessionConfigSelectOptions}. */
export const sessionConfigSelectOptions: Schema<SessionConfigSelectOptions> = firstOf(
  list(sessionConfigSelectOption),
  list(sessionConfigSelectGroup),
);

const selectFields = {
  /** The current value. */
  currentValue: sessionConfigValueId,
  /** The values to choose from, in the agent's order of preference. */
  options: sessionConfigSelectOptions,
};
const sessionConfigSelect_ = object(selectFields);
/** Members of an option of type `select`, besides its description. */
export interface SessionConfigSelect extends Infer<typeof sessionConfigSelect_> {}
/** Validates a {@link SessionConfigSelect}. */
export const sessionConfigSelect: Schema<SessionConfigSelect> = sessionConfigSelect_;

const booleanFields = {
  /** The current value. */
  currentValue: boolean(),
};
const sessionConfigBoolean_ = object(booleanFields);
// V1-CFG-04
/**
 * Members of an option of type `boolean`, on or off, besides its description. Only for clients that advertise
 * `session.configOptions.boolean`.
 */
export interface SessionConfigBoolean extends Infer<typeof sessionConfigBoolean_> {}
/** Validates a {@link SessionConfigBoolean}. */
export const sessionConfigBoolean: Schema<SessionConfigBoolean> = sessionConfigBoolean_;

const described_ = object({
  /** The option's name on the wire. */
  id: sessionConfigId,
  /** The option's name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
  /** Category of the option. */
  category: lenient(nullable(sessionConfigOptionCategory)),
});

const sessionConfigOption_ = variants(
  "type",
  {
    select: extend(described_, selectFields),
    boolean: extend(described_, booleanFields),
  },
  { unknown: "reject" },
);
// V1-CFG-01, V1-CFG-06
/** Setting of a session that the user can change. Options of an unknown type are dropped from their lists. */
export type SessionConfigOption = Infer<typeof sessionConfigOption_> | never;
/** Validates a {@link SessionConfigOption}. */
export const sessionConfigOption: Schema<SessionConfigOption> = sessionConfigOption_;

const configOptionUpdate_ = object({
  /** Complete new list of options; malformed ones are dropped. */
  configOptions: requiredOr(sifted(sessionConfigOption), []),
});
// V1-UPD-25
/** Change of the session's options: the complete list replaces the one before. */
export interface ConfigOptionUpdate extends Infer<typeof configOptionUpdate_> {}
/** Validates a {@link ConfigOptionUpdate}. */
export const configOptionUpdate: Schema<ConfigOptionUpdate> = configOptionUpdate_;

const target_ = object({
  /** The session. */
  sessionId,
  /** One of its options. */
  configId: sessionConfigId,
});
const setBoolean_ = extend(target_, {
  /** Marker of a boolean value. */
  type: literal("boolean"),
  /** The value to set. */
  value: boolean(),
});
const setValueId_ = extend(target_, {
  /** The value to set, one of those that the option lists. */
  value: sessionConfigValueId,
});
const setSessionConfigOptionRequest_ = firstOf(setBoolean_, setValueId_);
// V1-CFG-07, V1-CFG-08
/** Params of `session/set_config_option`. A string is always the id of a value; a boolean needs `type: "boolean"`. */
export type SetSessionConfigOptionRequest = Infer<typeof setSessionConfigOptionRequest_> | never;
/** Validates a {@link SetSessionConfigOptionRequest}. */
export const setSessionConfigOptionRequest: Schema<SetSessionConfigOptionRequest> = setSessionConfigOptionRequest_;

const setSessionConfigOptionResponse_ = object({
  /** All options after the change, dependent changes included. */
  configOptions: requiredOr(sifted(sessionConfigOption), []),
});
// V1-CFG-09
/** Result of `session/set_config_option`. */
export interface SetSessionConfigOptionResponse extends Infer<typeof setSessionConfigOptionResponse_> {}
/** Validates a {@link SetSessionConfigOptionResponse}. */
export const setSessionConfigOptionResponse: Schema<SetSessionConfigOptionResponse> = setSessionConfigOptionResponse_;
