import { agentParsers } from "./agent-parsers.js";
import type { HostileText } from "./linear-time.js";
import { screenParsers } from "./screen-parsers.js";
import { wireParsers } from "./wire-parsers.js";

/** A parser of texts of a peer, a model, a file or a repository, and texts that could make it slow. */
export type ForeignText = {
  readonly name: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** Origin of the text. */
  readonly text: string;
  /** Longest text that reaches the parser, and the outcome for longer ones. */
  readonly bound: string;
  /** Calls the parser. `module` is the imported file. */
  readonly run: (module: any, text: string) => unknown;
  readonly hostile: readonly HostileText[];
  /** Length of the measured text in bytes, if the bound is below 1 MiB. */
  readonly length?: number;
};

/**
 * Every parser in the sources that reads foreign text and is more than one regular expression. The expressions are in
 * `packages/tooling/spec/expressions.tsv`. Other files that search texts in loops are in `text-loops.tsv` beside it, with
 * the row that covers them.
 */
export const foreignTexts: readonly ForeignText[] = [...wireParsers, ...agentParsers, ...screenParsers];
