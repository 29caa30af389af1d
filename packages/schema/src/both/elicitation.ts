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
  /** The value's name for people. */
  title: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
});
/** A value to choose, with a name for people. */
export interface EnumOption extends Infer<typeof enumOption_> {}
/** Validates an {@link EnumOption}. */
export const enumOption: Schema<EnumOption> = enumOption_;

const numberPropertySchema_ = extend(titled, {
  /** The least value. */
  minimum: optional(nullable(number())),
  /** The greatest value. */
  maximum: optional(nullable(number())),
  /** Initial value. */
  default: lenient(nullable(number())),
});
/** A field for a number. */
export interface NumberPropertySchema extends Infer<typeof numberPropertySchema_> {}
/** Validates a {@link NumberPropertySchema}. */
export const numberPropertySchema: Schema<NumberPropertySchema> = numberPropertySchema_;

const integerPropertySchema_ = extend(titled, {
  /** The least value. */
  minimum: optional(nullable(integer())),
  /** The greatest value. */
  maximum: optional(nullable(integer())),
  /** Initial value. */
  default: lenient(nullable(integer())),
});
/** A field for a whole number. */
export interface IntegerPropertySchema extends Infer<typeof integerPropertySchema_> {}
/** Validates an {@link IntegerPropertySchema}. */
export const integerPropertySchema: Schema<IntegerPropertySchema> = integerPropertySchema_;

const booleanPropertySchema_ = extend(titled, {
  /** Initial value. */
  default: lenient(nullable(boolean())),
});
/** A field that is on or off. */
export interface BooleanPropertySchema extends Infer<typeof booleanPropertySchema_> {}
/** Validates a {@link BooleanPropertySchema}. */
export const booleanPropertySchema: Schema<BooleanPropertySchema> = booleanPropertySchema_;

/** The type of a form: always an object. */
export type ElicitationSchemaType = "object";
/** Validates an {@link ElicitationSchemaType}. */
export const elicitationSchemaType: Schema<ElicitationSchemaType> = literal("object");

/** Identifier of a question by link until it is complete. Unique on the connection, opaque to the client. */
export type ElicitationId = string;
/** Validates an {@link ElicitationId}. */
export const elicitationId: Schema<ElicitationId> = string();

const elicitationSessionScope_ = object({
  /** The session that the question belongs to. */
  sessionId,
  /** The tool call that it belongs to. */
  toolCallId: lenient(nullable(toolCallId)),
});
/** Scope of a question that belongs to a session. */
export interface ElicitationSessionScope extends Infer<typeof elicitationSessionScope_> {}
/** Validates an {@link ElicitationSessionScope}. */
export const elicitationSessionScope: Schema<ElicitationSessionScope> = elicitationSessionScope_;

const completeElicitationNotification_ = object({
  /** The completed question. An unknown one is ignored. */
  elicitationId,
});
// V1-ELIC-16, V2-ELI-09
/** Params of `elicitation/complete`: the flow behind the link has ended. */
export interface CompleteElicitationNotification extends Infer<typeof completeElicitationNotification_> {}
/** Validates a {@link CompleteElicitationNotification}. */
export const completeElicitationNotification: Schema<CompleteElicitationNotification> =
  completeElicitationNotification_;

const marker_ = object({});
/** Marker: the client shows forms. It counts when present and not null. */
export interface ElicitationFormCapabilities extends Infer<typeof marker_> {}
/** Validates {@link ElicitationFormCapabilities}. */
export const elicitationFormCapabilities: Schema<ElicitationFormCapabilities> = marker_;
/** Marker: the client opens links. It counts when present and not null. */
export interface ElicitationUrlCapabilities extends Infer<typeof marker_> {}
/** Validates {@link ElicitationUrlCapabilities}. */
export const elicitationUrlCapabilities: Schema<ElicitationUrlCapabilities> = marker_;

const elicitationCapabilities_ = object({
  /** Forms. */
  form: lenient(nullable(elicitationFormCapabilities)),
  /** Links. */
  url: lenient(nullable(elicitationUrlCapabilities)),
});
// V1-ELIC-01, V2-ELI-03
/** Elicitation modes of the client. A mode counts when it is present and not null. */
export interface ElicitationCapabilities extends Infer<typeof elicitationCapabilities_> {}
/** Validates {@link ElicitationCapabilities}. */
export const elicitationCapabilities: Schema<ElicitationCapabilities> = elicitationCapabilities_;
