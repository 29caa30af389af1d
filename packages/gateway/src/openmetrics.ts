/**
 * Counts of durations: one for each bound, and one for the durations above all bounds. The count of a bound is the
 * number of durations between the previous bound and this one.
 */
export type Histogram = { readonly bounds: readonly number[]; readonly counts: number[]; sum: number };

/** One number, with its name and its description. */
type Value = { readonly name: string; readonly about: string; readonly value: number };

/** Figures with their descriptions. */
export type DescribedFigures = {
  readonly counters: readonly Value[];
  readonly gauges: readonly Value[];
  readonly histograms: readonly { readonly name: string; readonly about: string; readonly histogram: Histogram }[];
};

/** Returns figures in the text form of OpenMetrics 1.0. */
export function textOfFigures({ counters, gauges, histograms }: DescribedFigures): string {
  const lines = [
    ...counters.flatMap(({ name, about, value }) => [
      ...head("counter", name, about),
      `turnkit_${name}_total ${value}`,
    ]),
    ...gauges.flatMap(({ name, about, value }) => [...head("gauge", name, about), `turnkit_${name} ${value}`]),
    ...histograms.flatMap(({ name, about, histogram }) => [
      ...head("histogram", name, about),
      ...rows(name, histogram),
    ]),
  ];
  return `${lines.join("\n")}\n# EOF\n`;
}

function head(type: string, name: string, about: string): readonly string[] {
  const full = `turnkit_${name}`;
  const unit = /_(seconds|bytes)$/.exec(name)?.[1];
  return [
    `# TYPE ${full} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${full} ${unit}`]),
    `# HELP ${full} ${about}`,
  ];
}

/** Each row counts all durations up to its bound, including those of earlier rows. */
function rows(name: string, { bounds, counts, sum }: Histogram): readonly string[] {
  const all = counts.reduce((total, count) => total + count, 0);
  let upTo = 0;
  const buckets = bounds.map((bound, at) => {
    upTo += counts[at] ?? 0;
    const text = Number.isInteger(bound) ? `${bound}.0` : `${bound}`;
    return `turnkit_${name}_bucket{le="${text}"} ${upTo}`;
  });
  return [
    ...buckets,
    `turnkit_${name}_bucket{le="+Inf"} ${all}`,
    `turnkit_${name}_count ${all}`,
    `turnkit_${name}_sum ${sum}`,
  ];
}
