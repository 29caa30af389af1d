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
  nullable,
  object,
  openVariants,
  requiredOr,
  type Schema,
  sifted,
  string,
  unknown,
} from "../vocabulary.js";

const sessionConfigSelectGroup_ = object({
  /** The group's name on the wire. */
  groupId: sessionConfigGroupId,
  /** The group's name for people. */
  name: string(),
  /** Values, at least one; malformed ones are dropped. */
  options: requiredOr(sifted(sessionConfigSelectOption, 1), []),
});
/** Values that belong together. */
export interface SessionConfigSelectGroup extends Infer<typeof sessionConfigSelectGroup_> {}
/** Validates a {@link SessionConfigSelectGroup}. */
export const sessionConfigSelectGroup: Schema<SessionConfigSelectGroup> = sessionConfigSelectGroup_;

// V2-CFG-01
/** The values to choose from, at least one, either all plain or all in groups. */
export type SessionConfigSelectOptions = readonly SessionConfigSelectOption[] | readonly SessionConfigSelectGroup[];
/** Validates {@link SessionConfigSelectOptions}. */
export const sessionConfigSelectOptions: Schema<SessionConfigSelectOptions> = firstOf(
  list(sessionConfigSelectOption, 1),
  list(sessionConfigSelectGroup, 1),
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
/** Members of an option of type `boolean`, on or off, besides its description. */
export interface SessionConfigBoolean extends Infer<typeof sessionConfigBoolean_> {}
/** Validates a {@link SessionConfigBoolean}. */
export const sessionConfigBoolean: Schema<SessionConfigBoolean> = sessionConfigBoolean_;

const described_ = object({
  /** The option's name on the wire. */
  configId: sessionConfigId,
  /** The option's name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
  /** Category of the option. */
  category: lenient(nullable(sessionConfigOptionCategory)),
});

const sessionConfigOption_ = openVariants(
  "type",
  {
    select: extend(described_, selectFields),
    boolean: extend(described_, booleanFields),
  },
  { other: described_ },
);
// V2-CFG-01
/** Setting of a session that the user can change. An option of another type is not shown; the agent keeps its value. */
export type SessionConfigOption = Infer<typeof sessionConfigOption_> | never;
/** Validates a {@link SessionConfigOption}. */
export const sessionConfigOption: Schema<SessionConfigOption> = sessionConfigOption_;

const configOptionUpdate_ = object({
  /** Complete new list of options; malformed ones are dropped. */
  configOptions: sifted(sessionConfigOption),
});
// V2-CFG-06
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
const setSessionConfigOptionRequest_ = openVariants(
  "type",
  {
    id: extend(target_, {
      /** The value to set, one of those that the option lists. */
      value: sessionConfigValueId,
    }),
    boolean: extend(target_, {
      /** The value to set. */
      value: boolean(),
    }),
  },
  {
    other: extend(target_, {
      /** The value to set. */
      value: unknown(),
    }),
  },
);
// V2-CFG-03, V2-CFG-04
/** Params of `session/set_config_option`. `type` is the kind of the value. The agent refuses unknown types. */
export type SetSessionConfigOptionRequest = Infer<typeof setSessionConfigOptionRequest_> | never;
/** Validates a {@link SetSessionConfigOptionRequest}. */
export const setSessionConfigOptionRequest: Schema<SetSessionConfigOptionRequest> = setSessionConfigOptionRequest_;

const setSessionConfigOptionResponse_ = object({
  /** All options after the change, dependent changes included; malformed ones are dropped. */
  configOptions: sifted(sessionConfigOption),
});
/** Result of `session/set_config_option`. */
export interface SetSessionConfigOptionResponse extends Infer<typeof setSessionConfigOptionResponse_> {}
/** Validates a {@link SetSessionConfigOptionResponse}. */
export const setSessionConfigOptionResponse: Schema<SetSessionConfigOptionResponse> = setSessionConfigOptionResponse_;
