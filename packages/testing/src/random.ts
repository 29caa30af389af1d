/** Random numbers that are the same for the same seed. */
export interface Random {
  /** Returns an integer from 0 up to, and without, `limit`. */
  below(limit: number): number;
  /** Returns true with a probability from 0 to 1. It always takes one number from the sequence. */
  chance(probability: number): boolean;
  /** Returns one of the items. */
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** Creates a generator of pseudo-random numbers, so that a failed schedule can run again by its seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32: 32 bits of state, any seed is valid.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly [T, ...T[]]) => items[below(items.length)] as T,
  };
}
