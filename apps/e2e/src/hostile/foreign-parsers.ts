import { agentParsers } from "./agent-parsers.js";
import { decisionParsers } from "./decision-parsers.js";
import type { ForeignText } from "./foreign-text.js";
import { screenParsers } from "./screen-parsers.js";
import { wireParsers } from "./wire-parsers.js";

/**
 * Every parser in the sources that reads foreign text and is more than one regular expression. The expressions are in
 * `packages/tooling/spec/expressions.tsv`.
 */
export const foreignParsers: readonly ForeignText[] = [
  ...wireParsers,
  ...decisionParsers,
  ...agentParsers,
  ...screenParsers,
];
