/** A source of chance that gives the same numbers for the same seed (mulberry32). */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** Yes in that share of the cases. */
  chance(share: number): boolean;
  /** One of these. */
  pick<T>(values: readonly T[]): T;
}

/** Makes a source of chance. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, chance: (share) => next() < share, pick: (values) => values[below(values.length)] as never };
}
