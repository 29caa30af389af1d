export type { Contract, ContractPart, ContractRow, Scope, Sender } from "./contract.js";
export { joinContracts } from "./contract.js";
export { type Deviation, deviations } from "./deviations.js";
export type { Note, Path } from "./note.js";
export type { Meta } from "./object.js";
export { type Infer, type OptionalSchema, parse, type Schema, type Unrecognized, type Validated } from "./schema.js";
export type { CustomVariant, UnknownVariant } from "./variants.js";
export {
  boolean,
  exactlyOne,
  extend,
  extendVariants,
  firstOf,
  integer,
  keptEnum,
  lenient,
  lenientList,
  list,
  literal,
  nullAsEmpty,
  nullable,
  number,
  object,
  oneOf,
  openEnum,
  openVariants,
  optional,
  record,
  requiredOr,
  sifted,
  string,
  unknown,
  variants,
} from "./vocabulary.js";
