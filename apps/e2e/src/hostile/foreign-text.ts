import type { HostileText } from "./linear-time.js";

/** A parser of texts of a peer, a model, a file or a repository, and texts that could make it slow. */
export type ForeignText = {
  readonly name: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** Origin of the text. */
  readonly text: string;
  /** Longest text that reaches the parser, and the outcome for longer ones. */
  readonly bound: string;
  /** Makes a value that holds the text, if the parser does not read the text itself. Its time does not count. */
  readonly input?: (text: string) => unknown;
  /** Calls the parser with the text, or with the value of `input`. `module` is the imported file. */
  readonly run: (module: any, input: any) => unknown;
  readonly hostile: readonly HostileText[];
  /** Length of the measured text in bytes, if the bound is below 1 MiB. */
  readonly length?: number;
};
