import type { HostileText } from "./linear-time.js";
import { redaction } from "./redaction-texts.js";

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
  /** Length of the measured text, if the bound is below 1 MiB. */
  readonly length?: number;
};

/**
 * Every parser in the sources that reads foreign text and is more than one regular expression. The expressions are in
 * `packages/tooling/spec/expressions.tsv`.
 */
export const foreignTexts: readonly ForeignText[] = [
  {
    name: "redactText",
    file: "packages/transport/src/trace/redact.ts",
    text: "messages, lines and stderr of a peer, for logs and errors",
    bound: "8 Mi UTF-16 units; the rest is left out, and a note says so",
    run: ({ redactText }, text) => redactText(text, ["hunter2-horse"]),
    hostile: redaction,
  },
];
