/** Unit of a figure, and the direction that is better. */
export type Figure = { readonly unit: string; readonly better: "less" | "more"; readonly digits?: number };

/** Figures that one new process measured, by name. */
export type Found = Readonly<Record<string, number>>;

/** Bar for one implementation: a value of a figure, or a multiple of the value of another implementation. */
export type Bar = {
  readonly implementation: string;
  readonly figure: string;
  /** Name of the other implementation. If absent, the bar is the value itself. */
  readonly against?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
};

/** Measurement of several implementations, in new processes that take turns. */
export type Scenario = {
  readonly name: string;
  /** Sentence for readers of the table. */
  readonly what: string;
  readonly figures: Readonly<Record<string, Figure>>;
  /** Sizes of the work. Bars apply to the last one. */
  readonly sizes: readonly number[];
  /** Sizes for `--quick`. */
  readonly quickSizes?: readonly number[];
  /** Implementations by name. A process loads only its own. */
  readonly implementations: Readonly<Record<string, () => Promise<Measure>>>;
  /** Implementations with which all others are compared. Each has its own column. */
  readonly against?: readonly string[];
  readonly bars?: readonly Bar[];
  /** Number of runs of each cell. The number is small for implementations that take very long. */
  readonly rounds?: number;
};

/** Does the work of one size once, and returns the figures. */
export type Measure = (size: number) => Promise<Found> | Found;
