import type { NamedValue } from "../call.js";
import { list } from "./read.js";
import { record } from "./shape.js";

const namedValue = /* @__PURE__ */ record<NamedValue>("name value");

/** Environment variables or headers; what has no name or no value is left out. */
export const namedValues = (value: unknown): readonly NamedValue[] => list(value, namedValue);
