export { lenient, lenientList, nullAsEmpty, nullable, optional, requiredOr } from "./lenient.js";
export { list, sifted } from "./list.js";
export { extend, object, record } from "./object.js";
export { boolean, firstOf, integer, keptEnum, literal, number, oneOf, openEnum, string, unknown } from "./scalar.js";
export type { Infer, Schema } from "./schema.js";
export { exactlyOne, extendVariants, openVariants, variants } from "./variants.js";
