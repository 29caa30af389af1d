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
  /** Id of the group on the wire. */
  group: sessionConfigGroupId,
  /** Name of the group for people. */
  name: string(),
  /** Values of the group. Malformed values are dropped. */
  options: requiredOr(sifted(sessionConfigSelectOption), []),
});
/** Group of values that belong together. */
export interface SessionConfigSelectGroup extends Infer<typeof sessionConfigSelectGroup_> {}
/** Validates a {@link SessionConfigSelectGroup}. */
export const sessionConfigSelectGroup: Schema<SessionConfigSelectGroup> = sessionConfigSelectGroup_;

// V1-CFG-02
/** Values that the user can choose. Either all are in groups, or none. */
export type SessionConfigSelectOptions = readonly SessionConfigSelectOption[] | readonly SessionConfigSelectGroup[];
/** Validates {@link SessionConfigSelectOptions}. */
export const sessionConfigSelectOptions: Schema<SessionConfigSelectOptions> = firstOf(
  list(sessionConfigSelectOption),
  list(sessionConfigSelectGroup),
);

const selectFields = {
  /** Current value. */
  currentValue: sessionConfigValueId,
  /** Values that the user can choose. The agent's preferred values come first. */
  options: sessionConfigSelectOptions,
};
const sessionConfigSelect_ = object(selectFields);
/** Members that only an option of type `select` has. */
export interface SessionConfigSelect extends Infer<typeof sessionConfigSelect_> {}
/** Validates a {@link SessionConfigSelect}. */
export const sessionConfigSelect: Schema<SessionConfigSelect> = sessionConfigSelect_;

const booleanFields = {
  /** Current value. */
  currentValue: boolean(),
};
const sessionConfigBoolean_ = object(booleanFields);
// V1-CFG-04
/**
 * Members that only an option of type `boolean` has. Such options are sent only to clients with
 * `session.configOptions.boolean`.
 */
export interface SessionConfigBoolean extends Infer<typeof sessionConfigBoolean_> {}
/** Validates a {@link SessionConfigBoolean}. */
export const sessionConfigBoolean: Schema<SessionConfigBoolean> = sessionConfigBoolean_;

const described_ = object({
  /** Id of the option on the wire. */
  id: sessionConfigId,
  /** Name of the option for people. */
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
/** Setting of a session that the user can change. Options of an unknown type are dropped from lists. */
export type SessionConfigOption = Infer<typeof sessionConfigOption_> | never;
/** Validates a {@link SessionConfigOption}. */
export const sessionConfigOption: Schema<SessionConfigOption> = sessionConfigOption_;

const configOptionUpdate_ = object({
  /** Complete new list of options. Malformed options are dropped. */
  configOptions: requiredOr(sifted(sessionConfigOption), []),
});
// V1-UPD-25
/** Change of the session's options. The complete list replaces the previous list. */
export interface ConfigOptionUpdate extends Infer<typeof configOptionUpdate_> {}
/** Validates a {@link ConfigOptionUpdate}. */
export const configOptionUpdate: Schema<ConfigOptionUpdate> = configOptionUpdate_;

const target_ = object({
  /** Id of the session. */
  sessionId,
  /** Id of an option of the session. */
  configId: sessionConfigId,
});
const setBoolean_ = extend(target_, {
  /** Marker for a boolean value. */
  type: literal("boolean"),
  /** New value. */
  value: boolean(),
});
const setValueId_ = extend(target_, {
  /** Id of the new value. It must be one of the option's values. */
  value: sessionConfigValueId,
});
const setSessionConfigOptionRequest_ = firstOf(setBoolean_, setValueId_);
// V1-CFG-07, V1-CFG-08
/** Params of `session/set_config_option`. A string is always the id of a value. A boolean needs `type: "boolean"`. */
export type SetSessionConfigOptionRequest = Infer<typeof setSessionConfigOptionRequest_> | never;
/** Validates a {@link SetSessionConfigOptionRequest}. */
export const setSessionConfigOptionRequest: Schema<SetSessionConfigOptionRequest> = setSessionConfigOptionRequest_;

const setSessionConfigOptionResponse_ = object({
  /** All options after the change. Changes of other options that follow from this change are included. */
  configOptions: requiredOr(sifted(sessionConfigOption), []),
});
// V1-CFG-09
/** Result of `session/set_config_option`. */
export interface SetSessionConfigOptionResponse extends Infer<typeof setSessionConfigOptionResponse_> {}
/** Validates a {@link SetSessionConfigOptionResponse}. */
export const setSessionConfigOptionResponse: Schema<SetSessionConfigOptionResponse> = setSessionConfigOptionResponse_;
