/** Reading of a figure: its unit, and the direction that is better. */
export type Figure = { readonly unit: string; readonly better: "less" | "more"; readonly digits?: number };

/** Findings of one fresh process: the figures of its scenario by name. */
export type Found = Readonly<Record<string, number>>;

/** Bar for one implementation: a value of a figure, or a multiple of the value of another implementation. */
export type Bar = {
  readonly implementation: string;
  readonly figure: string;
  /** The other implementation; absent: the bar is the value itself. */
  readonly against?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
};

/** One thing that can be asked of several implementations, in fresh processes that take turns. */
export type Scenario = {
  readonly name: string;
  /** One sentence for the reader of the table. */
  readonly what: string;
  readonly figures: Readonly<Record<string, Figure>>;
  /** The work at each of these sizes; bars hold at the last. */
  readonly sizes: readonly number[];
  /** Sizes for `--quick`. */
  readonly quickSizes?: readonly number[];
  /** Each is loaded in its own process only. */
  readonly implementations: Readonly<Record<string, () => Promise<Measure>>>;
  /** The implementations that all are compared with, each in a column of its own. */
  readonly against?: readonly string[];
  readonly bars?: readonly Bar[];
  /** Times that each cell runs; fewer where a peer takes very long. */
  readonly rounds?: number;
};

/** Does the work of one size once and says what it cost. */
export type Measure = (size: number) => Promise<Found> | Found;
