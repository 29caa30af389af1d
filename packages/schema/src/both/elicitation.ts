import {
  boolean,
  extend,
  type Infer,
  integer,
  lenient,
  literal,
  nullable,
  number,
  object,
  optional,
  type Schema,
  string,
} from "../vocabulary.js";
import { sessionId, toolCallId } from "./identifiers.js";
import { titled } from "./titled.js";

const enumOption_ = object({
  /** The value. */
  const: string(),
  /** Name of the value for people. */
  title: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** Value that the user can choose, with a name for people. */
export interface EnumOption extends Infer<typeof enumOption_> {}
/** Validates an {@link EnumOption}. */
export const enumOption: Schema<EnumOption> = enumOption_;

const numberPropertySchema_ = extend(titled, {
  /** Smallest valid value. */
  minimum: optional(nullable(number())),
  /** Greatest valid value. */
  maximum: optional(nullable(number())),
  /** Initial value. */
  default: lenient(nullable(number())),
});
/** Form field for a number. */
export interface NumberPropertySchema extends Infer<typeof numberPropertySchema_> {}
/** Validates a {@link NumberPropertySchema}. */
export const numberPropertySchema: Schema<NumberPropertySchema> = numberPropertySchema_;

const integerPropertySchema_ = extend(titled, {
  /** Smallest valid value. */
  minimum: optional(nullable(integer())),
  /** Greatest valid value. */
  maximum: optional(nullable(integer())),
  /** Initial value. */
  default: lenient(nullable(integer())),
});
/** Form field for a whole number. */
export interface IntegerPropertySchema extends Infer<typeof integerPropertySchema_> {}
/** Validates an {@link IntegerPropertySchema}. */
export const integerPropertySchema: Schema<IntegerPropertySchema> = integerPropertySchema_;

const booleanPropertySchema_ = extend(titled, {
  /** Initial value. */
  default: lenient(nullable(boolean())),
});
/** Form field for `true` or `false`. */
export interface BooleanPropertySchema extends Infer<typeof booleanPropertySchema_> {}
/** Validates a {@link BooleanPropertySchema}. */
export const booleanPropertySchema: Schema<BooleanPropertySchema> = booleanPropertySchema_;

/** Type of a form, which is always an object. */
export type ElicitationSchemaType = "object";
/** Validates an {@link ElicitationSchemaType}. */
export const elicitationSchemaType: Schema<ElicitationSchemaType> = literal("object");

/**
 * Identifier of an elicitation with a URL. It is unique on the connection until the task at the URL is complete. The
 * client must not interpret it.
 */
export type ElicitationId = string;
/** Validates an {@link ElicitationId}. */
export const elicitationId: Schema<ElicitationId> = string();

const elicitationSessionScope_ = object({
  /** Session to which the elicitation belongs. */
  sessionId,
  /** Tool call to which the elicitation belongs. */
  toolCallId: lenient(nullable(toolCallId)),
});
/** Scope of an elicitation that belongs to a session. */
export interface ElicitationSessionScope extends Infer<typeof elicitationSessionScope_> {}
/** Validates an {@link ElicitationSessionScope}. */
export const elicitationSessionScope: Schema<ElicitationSessionScope> = elicitationSessionScope_;

const completeElicitationNotification_ = object({
  /** Completed elicitation. An unknown id is ignored. */
  elicitationId,
});
// V1-ELIC-16, V2-ELI-09
/** Params of `elicitation/complete`. The task at the URL is complete. */
export interface CompleteElicitationNotification extends Infer<typeof completeElicitationNotification_> {}
/** Validates a {@link CompleteElicitationNotification}. */
export const completeElicitationNotification: Schema<CompleteElicitationNotification> =
  completeElicitationNotification_;

const marker_ = object({});
/** Marker that the client shows forms. The marker counts if it is present and not null. */
export interface ElicitationFormCapabilities extends Infer<typeof marker_> {}
/** Validates {@link ElicitationFormCapabilities}. */
export const elicitationFormCapabilities: Schema<ElicitationFormCapabilities> = marker_;
/** Marker that the client opens URLs. The marker counts if it is present and not null. */
export interface ElicitationUrlCapabilities extends Infer<typeof marker_> {}
/** Validates {@link ElicitationUrlCapabilities}. */
export const elicitationUrlCapabilities: Schema<ElicitationUrlCapabilities> = marker_;

const elicitationCapabilities_ = object({
  /** Elicitations with a form. */
  form: lenient(nullable(elicitationFormCapabilities)),
  /** Elicitations with a URL. */
  url: lenient(nullable(elicitationUrlCapabilities)),
});
// V1-ELIC-01, V2-ELI-03
/** Modes of elicitation that the client supports. A mode counts if it is present and not null. */
export interface ElicitationCapabilities extends Infer<typeof elicitationCapabilities_> {}
/** Validates {@link ElicitationCapabilities}. */
export const elicitationCapabilities: Schema<ElicitationCapabilities> = elicitationCapabilities_;
