import type { NamedValue } from "../call.js";
import { isObject, list } from "./read.js";

/** Environment variables or headers; what has no name or no value is left out. */
export const namedValues = (value: unknown): readonly NamedValue[] =>
  list(value, (one) =>
    isObject(one) && typeof one.name === "string" && typeof one.value === "string" ? (one as NamedValue) : undefined,
  );
