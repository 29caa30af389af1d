export type { PathCheck } from "./path-check.js";
export { createPathCheck } from "./path-check.js";
export type { PathRules } from "./path-rules.js";
export { pathRules } from "./path-rules.js";
