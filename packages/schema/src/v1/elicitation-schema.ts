import {
  booleanPropertySchema,
  elicitationSchemaType,
  enumOption,
  integerPropertySchema,
  numberPropertySchema,
} from "../both/elicitation.js";
import { titled } from "../both/titled.js";
import {
  extend,
  type Infer,
  integer,
  keptEnum,
  lenient,
  list,
  nullable,
  object,
  optional,
  record,
  type Schema,
  sifted,
  string,
  variants,
} from "../vocabulary.js";

const stringFormat_ = keptEnum("email", "uri", "date", "date-time");
// V1-ELIC-09
/** Format of a text. A format that this version does not define checks nothing, and is only shown to people. */
export type StringFormat = Infer<typeof stringFormat_> | never;
/** Validates a {@link StringFormat}. Unknown values are accepted. */
export const stringFormat: Schema<StringFormat> = stringFormat_;

const stringPropertySchema_ = extend(titled, {
  /** Minimum number of characters. */
  minLength: optional(nullable(integer(0, 0xffff_ffff))),
  /** Maximum number of characters. */
  maxLength: optional(nullable(integer(0, 0xffff_ffff))),
  /** Regular expression of the peer. Limit the time for which it may run. */
  pattern: optional(nullable(string())),
  /** Format of the text. */
  format: optional(nullable(stringFormat)),
  /** Initial value. */
  default: lenient(nullable(string())),
  /** Values that the user can choose. */
  enum: optional(nullable(list(string()))),
  /** Values that the user can choose, with names. */
  oneOf: optional(nullable(list(enumOption))),
});
/** Text field, or a choice of one value. */
export interface StringPropertySchema extends Infer<typeof stringPropertySchema_> {}
/** Validates a {@link StringPropertySchema}. */
export const stringPropertySchema: Schema<StringPropertySchema> = stringPropertySchema_;

const stringMultiSelectItems_ = object({
  /** Values that the user can choose. */
  enum: list(string()),
});
/** Values of which the user can choose several. */
export interface StringMultiSelectItems extends Infer<typeof stringMultiSelectItems_> {}
/** Validates {@link StringMultiSelectItems}. */
export const stringMultiSelectItems: Schema<StringMultiSelectItems> = stringMultiSelectItems_;

const titledMultiSelectItems_ = object({
  /** Values that the user can choose, with names. */
  anyOf: list(enumOption),
});
/** Values with names, of which the user can choose several. */
export interface TitledMultiSelectItems extends Infer<typeof titledMultiSelectItems_> {}
/** Validates {@link TitledMultiSelectItems}. */
export const titledMultiSelectItems: Schema<TitledMultiSelectItems> = titledMultiSelectItems_;

const multiSelectItems_ = variants(
  "type",
  { string: stringMultiSelectItems },
  { unknown: "keep", untagged: titledMultiSelectItems },
);
// V1-ELIC-07, V1-ELIC-08
/**
 * Choices. They are plain strings with `type: "string"`, or values with names and without a type. Other types can be
 * received, but not written, and must not be shown like these.
 */
export type MultiSelectItems = Infer<typeof multiSelectItems_> | never;
/** Validates {@link MultiSelectItems}. */
export const multiSelectItems: Schema<MultiSelectItems> = multiSelectItems_;

const multiSelectPropertySchema_ = extend(titled, {
  /** Minimum number of values. */
  minItems: optional(nullable(integer(0))),
  /** Maximum number of values. */
  maxItems: optional(nullable(integer(0))),
  /** Choices. */
  items: multiSelectItems,
  /** Initial choices. */
  default: lenient(nullable(sifted(string()))),
});
/** Field for a choice of several values. */
export interface MultiSelectPropertySchema extends Infer<typeof multiSelectPropertySchema_> {}
/** Validates a {@link MultiSelectPropertySchema}. */
export const multiSelectPropertySchema: Schema<MultiSelectPropertySchema> = multiSelectPropertySchema_;

const elicitationPropertySchema_ = variants(
  "type",
  {
    string: stringPropertySchema,
    number: numberPropertySchema,
    integer: integerPropertySchema,
    boolean: booleanPropertySchema,
    array: multiSelectPropertySchema,
  },
  { unknown: "keep" },
);
// V1-ELIC-06, V1-ELIC-08
/**
 * Field of a form. Other types can be received, but not written, and must not be shown like these. A malformed
 * constraint makes the request invalid. A malformed title or default does not.
 */
export type ElicitationPropertySchema = Infer<typeof elicitationPropertySchema_> | never;
/** Validates an {@link ElicitationPropertySchema}. */
export const elicitationPropertySchema: Schema<ElicitationPropertySchema> = elicitationPropertySchema_;

const elicitationSchema_ = extend(titled, {
  /** Always `object`. Always send this member. */
  type: lenient(elicitationSchemaType),
  /** Fields by name. They are not nested. Always send this member, even if there are no fields. */
  properties: optional(record(elicitationPropertySchema)),
  /** Names of the fields that must have a value. */
  required: optional(nullable(list(string()))),
});
// V1-ELIC-05
/** Form, as a JSON Schema without nested objects. */
export interface ElicitationSchema extends Infer<typeof elicitationSchema_> {}
/** Validates an {@link ElicitationSchema}. */
export const elicitationSchema: Schema<ElicitationSchema> = elicitationSchema_;
