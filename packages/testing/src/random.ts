/** Random numbers that come again by their seed. */
export interface Random {
  /** An integer from 0 up to, and without, `limit`. */
  below(limit: number): number;
  /** True with that probability, from 0 to 1. Always takes one number, so that what follows does not depend on it. */
  chance(probability: number): boolean;
  /** One of the items. */
  pick<T>(items: readonly [T, ...T[]]): T;
}

/**
 * A small generator of pseudo-random numbers, so that a schedule that failed can be run again by its seed. It is no
 * source of secrets.
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32: 32 bits of state, every seed is fine.
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
