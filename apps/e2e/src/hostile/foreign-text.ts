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
  /** Calls the parser. `module` is the imported file. */
  readonly run: (module: any, text: string) => unknown;
  readonly hostile: readonly HostileText[];
  /** Length of the measured text in bytes, if the bound is below 1 MiB. */
  readonly length?: number;
};
