/** What we do with a message: refuse it (naming the places), or hand it on, with corrections or as it came. */
export type Outcome =
  | { readonly refused: readonly string[] }
  | {
      /** Places that were corrected. */
      readonly salvaged?: readonly string[];
      /** Places with values that nobody here knows, handed on as they came. */
      readonly kept?: readonly string[];
      /** What is handed on instead of the message. */
      readonly as?: unknown;
    };
/** One message: its method (with an arrow: the result of that method), what is wrong with it, itself, and what we do. */
export type Row = readonly [method: string, what: string, message: unknown, outcome: Outcome];

/** Handed on as it came, without a remark. */
export const fine: Outcome = {};
